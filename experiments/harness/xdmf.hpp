// The .xdmf beside a results file, by which ParaView opens it.
#pragma once

#include "experiments/harness/hdf5.hpp"

namespace shoal {

/// Writes FILE.xdmf beside FILE.h5: one temporal collection per run that has snapshots, with depth, velocity,
/// … of each snapshot (the views under /xdmf) and the elevation. Throws MachineError.
void write_xdmf(const hdf5::File& file);

}  // namespace shoal
