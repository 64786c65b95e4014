// The stability frontier: the largest stable time step of a scheme and an integrator on a mesh, by bisection.
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
  double max_energy_ratio = std::numeric_limits<double>::quiet_NaN();  ///< max E/E(0); NaN where E(0) = 0
};

/// A probe is stable if it does all its steps without becoming unstable as a run does
/// (Diagnostics::instability).
struct FrontierRule {
  std::int64_t steps = 2000;
  double bracket = 0.01;  ///< width of the final bracket, relative to the stable step
  double most = 128;      ///< steps up to this many times substeps · stable_dt are tried
  bool operator==(const FrontierRule&) const = default;
};

struct Bracket {
  double stable = 0;  ///< the largest step found stable, s; 0 if none was down to start/1024
  double unstable = std::numeric_limits<double>::infinity();  ///< the smallest found unstable, above `stable`
  std::vector<Probe> probes;                                  ///< in the order made
};

/// Brackets the step at which `probe` turns from stable to unstable: start and then 2, 16, … most times it
/// while they are stable, or halves of it while they are not; then the geometric mean of the bracket until it
/// is narrow enough. Where `most` is stable, there is no upper end. With several transitions it finds one.
Bracket find_frontier(double start, const FrontierRule& rule, const std::function<Probe(double dt)>& probe);

struct FrontierOptions {
  FrontierRule rule;
  std::filesystem::path output;
  bool fresh = false;
  bool quiet = false;
  int jobs = 1;
  std::string command;  ///< as typed, for the record
};

/// Finds the frontier of every combination of an experiment, which says nothing of dt, end, snapshots and
/// diagnostics, and keeps them in /frontier of `output`:
///
///     /frontier/         attributes: steps, bracket, most, least (1/1024: the smallest part of the start)
///     /frontier/<id>/    attributes as of the run at dt_stable, and: dt_theory (substeps · stable_dt),
///                        dt_stable, dt_unstable (inf where none was found), highest_angular_frequency (NaN
///                        without wave operators), mean_edge_length, max_energy_ratio (of E/E(0) at
///                        dt_stable: how near it came to the 10 of the criterion), outcome = found | unbounded | none |
///                        refused | solver-failed, reason
///         probes/        dt, stable (0 or 1), t_reached, steps, max_energy_ratio
///
/// Started again, it goes on where it stopped. Returns the signal that ended it, or 0. Throws as execute().
int map_frontier(const Catalog& catalog, const Experiment& experiment, const FrontierOptions& options);

/// What the combinations offer as columns besides what runs do.
ColumnOffer frontier_columns();

/// One row per combination of a file with /frontier. Where no step was unstable, ">= X"; in CSV X.
TextTable frontier_grid(const hdf5::Group& root, TableFormat format);

}  // namespace shoal
