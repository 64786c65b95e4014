// SIGINT and SIGTERM end a computation at its next step, and the program at once if they come again.
#pragma once

namespace shoal {

/// Acts while it lives. Processes forked meanwhile see the same.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
};

/// SIGINT or SIGTERM if it came, else 0.
int stop_signal();
/// "stopped by SIGINT"
const char* stop_reason();

}  // namespace shoal
