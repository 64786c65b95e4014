// SIGINT, SIGTERM and SIGHUP end a computation after its current step, and a second signal ends it without waiting for the
// step. If that takes too long, or at a third signal, the program ends immediately.
#pragma once

#include <csignal>
#include <filesystem>
#include <map>

namespace shoal {

/// Handles the signals during its lifetime, also in processes forked meanwhile; afterwards the previous handlers act again. An
/// ignored signal (nohup) remains ignored.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

 private:
  std::map<int, struct sigaction> before_;
};

/// The signal received, or 0. Code that calls this must end in good order and may take any time for it; if nothing calls it
/// within 1.5 s of the signal, the program ends immediately.
int stop_signal();
/// Whether a second signal was received, so that running work is abandoned.
bool stop_is_urgent();
/// "stopped by SIGINT"
const char* stop_reason();

/// Removes a file, or a folder if it is then empty, when a signal ends the program immediately.
class RemoveOnSignal {
 public:
  explicit RemoveOnSignal(const std::filesystem::path& path);
  ~RemoveOnSignal();
  RemoveOnSignal(const RemoveOnSignal&) = delete;
  RemoveOnSignal& operator=(const RemoveOnSignal&) = delete;

 private:
  int slot_;
};

}  // namespace shoal
