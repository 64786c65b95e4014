// `shoal diff`: the differences between two results files.
#pragma once

#include "experiments/harness/results/results.hpp"

namespace shoal {

struct Comparison {
  /// Numbers are equal if |a − b| ≤ rtol · (largest magnitude of their dataset in both files); 0: bit for bit.
  double rtol = 0;
  std::string run;  ///< id in the first file: compares only this run with its match in the second; "": all
  bool numbers_only = false;  ///< reports differences of code and configuration without counting them
};

struct DiffReport {
  bool equal = true;
  std::string text;
};

/// Compares
///   - code: commit, uncommitted changes, compiler, flags, libraries, plugins;
///   - configuration: the attributes of the runs (if dt is the same, not how it was chosen), and runs that only one file
///     contains;
///   - numbers: outcome, diagnostics, snapshots and all other datasets of a run, and the meshes, bit for bit. For each dataset
///     that differs it reports the first row with its time, the number of values, and the largest difference, absolute and
///     relative to the largest magnitude of the dataset.
/// Date, command, machine and timing are not compared, but a different machine is reported. Runs of the same configuration are
/// compared regardless of their ids; the remaining ones are compared by id if both files contain the same number of runs.
DiffReport diff(const Results& a, const Results& b, const Comparison& comparison);

}  // namespace shoal
