// The spectrum in a results file.
#pragma once

#include "experiments/harness/spectrum/spectrum.hpp"
#include "experiments/harness/storage/hdf5.hpp"

namespace shoal {

/// Writes
///
///     /spectrum/     attributes as of a run of scene rest, and: vertices, area, counts, residual
///         angular_frequency [modes] 1/s, decay_rate 1/s, share, spurious (0 or 1)
///         wavenumber [modes] 1/m, level_multiplicity: of the corresponding continuous level; NaN if none
///         shapes [modes, cells], if requested: elevations in the scheme's order of cells
hdf5::Group record_spectrum(const Catalog& catalog, hdf5::File& file, const Spectrum& spectrum, bool shapes);

/// Throws Error if results contain the spectrum of a request other than for the `lowest` modes (0: all), or shapes that would
/// be lost.
void require_same_request(const std::filesystem::path& file, const hdf5::Group& root, Index lowest,
                          bool shapes);

/// The columns that `shoal table` shows for such a file: the counts.
const std::vector<std::string>& spectrum_columns();

}  // namespace shoal
