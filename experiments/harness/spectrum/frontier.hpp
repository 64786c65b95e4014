// The stability limit: the largest stable time step of a scheme and an integrator on a mesh, by bisection.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/results/table.hpp"
#include "experiments/harness/storage/hdf5.hpp"

#include <functional>
#include <limits>

namespace shoal {

/// One trial of a time step.
struct Probe {
  double dt = 0;  ///< s
  bool stable = false;
  double t_reached = 0;  ///< s
  std::int64_t steps = 0;
  double max_energy_ratio = std::numeric_limits<double>::quiet_NaN();  ///< max E/E(0); NaN if E(0) = 0
};

/// A probe is stable if it completes all its steps without becoming unstable by the criterion of runs
/// (Diagnostics::instability).
struct FrontierRule {
  std::int64_t steps = 2000;
  double bracket = 0.01;    ///< width of the final bracket, relative to the stable step
  double max_factor = 128;  ///< longest step tried, in units of substeps · stable_dt
  bool operator==(const FrontierRule&) const = default;
};

struct Bracket {
  double stable = 0;  ///< the largest step found stable, s; 0 if none down to start/1024 is
  double unstable = std::numeric_limits<double>::infinity();  ///< the smallest found unstable, above `stable`
  std::vector<Probe> probes;                                  ///< in order of execution
};

/// Brackets the step at which `probe` turns from stable to unstable. It tries start and then 2, 16, … most times start while
/// they are stable, or halves it until it is; then it bisects geometrically until the bracket is narrow enough. If `max_factor` is
/// stable, there is no upper end. If there are several transitions, it finds one of them.
Bracket find_frontier(double start, const FrontierRule& rule, const std::function<Probe(double dt)>& probe);

struct FrontierOptions {
  FrontierRule rule;
  std::filesystem::path output;
  bool fresh = false;
  bool quiet = false;
  int jobs = 1;
  std::string command;  ///< as typed, for the record
};

/// Finds the stability limit of every combination of an experiment, which must not set dt, end, snapshots or diagnostics, and
/// records them in /frontier of `output`:
///
///     /frontier/         attributes: steps, bracket, most, least (1/1024: the smallest fraction of start)
///     /frontier/<id>/    attributes as of the run at dt_stable, and: dt_theory (substeps · stable_dt),
///                        dt_stable, dt_unstable (inf if none was found), highest_angular_frequency (NaN
///                        without wave operators), mean_edge_length, max_energy_ratio (max E/E(0) at
///                        dt_stable, to compare with the criterion's 10), outcome = found | unbounded | none |
///                        refused | solver-failed, reason
///         probes/        dt, stable (0 or 1), t_reached, steps, max_energy_ratio
///
/// A further start continues where the last one stopped. Returns the signal that ended it, or 0. Throws like execute().
int map_frontier(const Catalog& catalog, const Experiment& experiment, const FrontierOptions& options);

/// The columns that the combinations offer in addition to those of runs.
ColumnOffer frontier_columns();

/// One row per combination of a file with /frontier; ">= X" (in CSV: X) if no step was unstable.
TextTable frontier_grid(const hdf5::Group& root, TableFormat format);

}  // namespace shoal
