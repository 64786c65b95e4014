// `shoal diff`: what differs between two results files.
#pragma once

#include "experiments/harness/results/results.hpp"

namespace shoal {

struct Comparison {
  /// Numbers count as equal where |a − b| ≤ rtol · (largest magnitude of their dataset in both files); 0: bit
  /// for bit.
  double rtol = 0;
  std::string run;  ///< id of the first file: only this run is compared, with its like in the second; "": all
  bool numbers_only = false;  ///< differences of code and configuration are named, but do not count
};

struct DiffReport {
  bool equal = true;
  std::string text;
};

/// Compares
///   - code: commit, uncommitted changes, compiler, flags, libraries;
///   - configuration: the attributes of the runs (how dt was chosen does not count where dt is the same), and
///     runs that only one file holds;
///   - numbers: outcome, diagnostics, snapshots and all other datasets of a run, and the meshes, bit for bit.
///     Of each dataset that differs: the first row with its time, how many values, and the largest
///     difference, absolute and relative to the largest magnitude of the dataset.
/// Date, command, machine and timing are not compared; a different machine is named. Runs of the same
/// configuration are compared whatever their ids; those left over are compared by id if both files hold as
/// many runs.
DiffReport diff(const Results& a, const Results& b, const Comparison& comparison);

}  // namespace shoal
