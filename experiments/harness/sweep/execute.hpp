// Carries out an experiment into one results file, going on where an earlier start stopped.
#pragma once

#include "experiments/harness/run/recorder.hpp"

namespace shoal {

struct ExecutionOptions {
  std::filesystem::path output;
  bool fresh = false;  ///< replace an existing results file
  bool quiet = false;
  /// One run: it is computed in this process, and what cannot go together is the user's mistake, not an
  /// outcome.
  bool single = false;
  int jobs = 1;               ///< runs of a sweep at once, each in a process of its own
  double save_interval = 30;  ///< s at least from one save of a run to the next
  std::string command;        ///< as typed, for the record
};

struct Execution {
  std::filesystem::path output;
  std::vector<Outcome> outcomes;  ///< of the runs that have one, in order
  int signal = 0;                 ///< SIGINT or SIGTERM if that ended it
  std::size_t not_begun = 0;      ///< runs that this left for the next start
};

/// Throws Error before anything is computed or written if the experiment, a mesh, a parameter of any run that
/// is not complete yet, or the output is wrong; MachineError where the file cannot be written, with
/// everything up to the last flush in it. A run whose process crashes has that as its outcome.
Execution execute(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options);

}  // namespace shoal
