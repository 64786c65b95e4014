// The attributes of a run: its requested settings, its resolved settings, and its outcome.
#pragma once

#include "experiments/harness/run/simulation.hpp"
#include "experiments/harness/storage/hdf5.hpp"

#include <array>
#include <string_view>

namespace shoal {

/// A hash (FNV-1a, 64 bits) of the positions in the files of a run's motion and the values in the files of its fields; "" if
/// there are none. Throws like read_polygons and read_field.
std::string files_hash(const Catalog& catalog, const RunConfiguration& configuration);

/// Write attributes of a run: its keys, the parameters of the parts that the keys name (both form the configuration), and values
/// resolved by a simulation.
void record_keys(hdf5::Group& run, const RunConfiguration& configuration);
void record_parameters(hdf5::Group& run, const Catalog& catalog, const RunConfiguration& configuration);
inline void record_configuration(hdf5::Group& run, const Catalog& catalog,
                                 const RunConfiguration& configuration) {
  record_keys(run, configuration);
  record_parameters(run, catalog, configuration);
}
void record_setup(hdf5::Group& run, const Simulation& simulation);

constexpr std::array<std::string_view, 6> outcomes = {"finished",      "unstable", "solver-failed",
                                                      "input-refused", "refused",  "interrupted"};

struct Outcome {
  std::string outcome;  ///< one of `outcomes`
  std::string reason;
  double t_reached = 0;
  std::int64_t steps = 0;
};
void record_outcome(hdf5::Group& run, const Outcome& outcome);
/// "interrupted" if a program was killed before the outcome was complete.
Outcome read_outcome(const hdf5::Group& run);

}  // namespace shoal
