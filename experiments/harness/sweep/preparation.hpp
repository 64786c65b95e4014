// An experiment with everything that is known before its runs are computed.
#pragma once

#include "experiments/harness/results/previous_results.hpp"
#include "experiments/harness/run/surfaces.hpp"
#include "experiments/harness/sweep/execute.hpp"

namespace shoal {

struct TaskResult;

/// A run with the data known before it is computed.
struct Work {
  std::string id;
  RunConfiguration configuration;
  SourceLocations places;                     ///< where its settings were given
  std::optional<Outcome> outcome = {};        ///< known without computing the run
  std::string note = {};                      ///< a note for the user
  double cells = 0, steps = 0, substeps = 1;  ///< 0 if unknown; of the steps, with dt = auto, an estimate
  PreviousRun previous = {};                  ///< its state after an earlier start
  double cost() const { return steps * substeps * cells; }
  bool is_missing() const { return !previous.complete && !outcome; }
};

/// The outcome of a run whose process died.
Outcome crashed(const TaskResult& ending, double t_reached, std::int64_t steps);

/// What rank 0 announces to the other processes of a run before all set it up for checking, and before they compute it.
constexpr const char *run_is_checked = "check", *run_is_computed = "compute";
/// Sets up the run and discards it, as Preparation does on rank 0.
void check_with_rank_0(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
                       const std::shared_ptr<const Ranks>& ranks);

/// Reads what an earlier start left, loads the meshes and sets up and discards every missing run. Nothing is written.
class Preparation {
 public:
  /// Throws like execute(). `catalog` and `options` must outlive this.
  Preparation(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options);
  /// Looks at the results again, which another program may have resumed meanwhile.
  void look_again();

  std::vector<Work> works;
  Surfaces surfaces;
  std::optional<PreviousResults> previous;

 private:
  void look();

  const Catalog& catalog_;
  const ExecutionOptions& options_;
  std::vector<PlannedRun> plan_;
};

}  // namespace shoal
