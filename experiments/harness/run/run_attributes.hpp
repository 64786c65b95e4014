// What the attributes of a run say: what was asked for, what was resolved, and how it ended.
#pragma once

#include "experiments/harness/run/simulation.hpp"
#include "experiments/harness/storage/hdf5.hpp"

#include <array>
#include <string_view>

namespace shoal {

/// 64 bits (FNV-1a) over the positions in the files that a run's surface moves by, and over the values in those that its fields
/// are given by; "" where there are none. Throws as read_polygons and read_field do.
std::string files_hash(const Catalog& catalog, const RunConfiguration& configuration);

/// The attributes of a run: its keys and the parameters of the parts that they name, which are its configuration; and the values that
/// were resolved of a simulation.
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
/// "interrupted" where a program was killed before the outcome was whole.
Outcome read_outcome(const hdf5::Group& run);

}  // namespace shoal
