// `--dry-run`: what execute() would compute, without computing it.
#pragma once

#include "experiments/harness/sweep/forecast.hpp"
#include "experiments/harness/sweep/preparation.hpp"

namespace shoal {

struct DryRun {
  struct Run {
    Work work;
    bool resumes = false;                      ///< from a checkpoint; the forecast is that of the whole run
    std::optional<RunForecast> forecast = {};  ///< of a run that would be computed and did not fail
    bool measured = false;                     ///< otherwise its times are those of a similar run
    std::string failure = {};                  ///< why there is no forecast
  };
  std::filesystem::path output;
  int jobs = 1;
  std::vector<Run> runs;
  double seconds = 0;      ///< of all runs on these jobs
  double base_memory = 0;  ///< bytes resident in this process, with the meshes
  double memory = 0;       ///< with the largest runs that may be computed at once
  double disk = 0;         ///< bytes that the results will grow by
  double existing = 0;     ///< bytes of the present results, which are kept
};

/// A limit of what is computed.
struct DryRunLimits {
  double seconds = 15;           ///< of the steps of all runs
  double seconds_of_run = 1;     ///< of one run
  std::int64_t steps = 1 << 30;  ///< of one run
  std::size_t runs = 40;         ///< with more, runs with the same parts on the same mesh are measured once
};

/// Checks like execute() and takes steps in processes of its own, as many at once as execute() would. Nothing is written.
/// Throws like execute() before it writes.
DryRun dry_run(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options,
               const DryRunLimits& limits = {});

std::string to_text(const DryRun& plan);

}  // namespace shoal
