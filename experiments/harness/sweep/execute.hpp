// Computes an experiment into one results file, continuing where an earlier start stopped.
#pragma once

#include "experiments/harness/run/recorder.hpp"

namespace shoal {

struct ExecutionOptions {
  std::filesystem::path output;
  bool fresh = false;  ///< replace an existing results file
  bool quiet = false;
  /// A single run: computed in this process, and incompatible parts are a mistake of the user instead of an outcome.
  bool single = false;
  int jobs = 1;               ///< simultaneous runs of a sweep, each in its own process
  double save_interval = 30;  ///< s, minimum time between two checkpoints of a run
  std::string command;        ///< as typed, for the record
  std::shared_ptr<const Ranks> ranks = std::make_shared<Ranks>();  ///< the processes that share a single run
  int ranks_of_run = 1;  ///< processes that share each run of a sweep
  /// This program, with arguments that make several of its processes call execute_part(), before a run's id.
  std::vector<std::string> part_command = {};
};

struct Execution {
  std::filesystem::path output;
  std::vector<Outcome> outcomes;  ///< of the runs that have one, in order
  int signal = 0;                 ///< SIGINT or SIGTERM if it ended the execution
  std::size_t not_begun = 0;      ///< runs left for the next start by the signal
};

/// Throws Error, before anything is computed or written, if the experiment, a mesh, a parameter of an incomplete run, or the
/// output is invalid. Throws MachineError if the file cannot be written; it then contains everything up to the last flush. The
/// crash of a run's process is recorded as its outcome. Of several ranks, all call it, with a single run; rank 0 alone reads and writes
/// files, and the others return its outcome.
Execution execute(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options);

/// Computes one run of a sweep with all ranks into its part of the results, for an execute() with ranks_of_run. Throws like that.
void execute_part(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options,
                  const std::string& id);

}  // namespace shoal
