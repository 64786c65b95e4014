// A run of a sweep that several processes share.
#pragma once

#include "experiments/harness/sweep/progress.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace shoal {

/// Throws Error if mpirun is not installed.
void require_launcher();

/// Starts `ranks` processes of this command with mpirun and waits for them; a stop signal is passed on to them. Takes their
/// progress from the lines of RankProgress. Throws Refusal for exit code 2 and MachineError for 3, with what they said, and Error if they
/// end by themselves with another one. Returns "", or why they ended early: a stop signal, or a process killed from outside.
std::string run_launched(int ranks, const std::vector<std::string>& command, RunStatus& status);

/// Tells the progress of a run to run_launched(), on the standard output, a few times a second.
class RankProgress {
 public:
  void say(const Run& run);

 private:
  std::chrono::steady_clock::time_point next_{};
};

}  // namespace shoal
