// SIGINT, SIGTERM and SIGHUP end a computation at its next step, and if they come again without waiting for the
// step. Where that takes too long, or at the third, the program ends at once.
#pragma once

#include <filesystem>

namespace shoal {

/// Acts while it lives. Processes forked meanwhile see the same. A signal that is ignored (nohup) stays so.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
};

/// The signal if one came, else 0. Who asks has heard it and ends in good order, however long that takes; if
/// nobody asks within 1.5 s the program ends at once.
int stop_signal();
/// Whether it came again: what runs is not worth waiting for.
bool stop_is_urgent();
/// "stopped by SIGINT"
const char* stop_reason();

/// A file, or a folder if it is empty by then, that goes when the program ends at once by a signal.
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
