// One flag in memory that forked processes share.
#include "experiments/harness/run/stop_signals.hpp"

#include "experiments/harness/sweep/processes.hpp"

#include <csignal>

namespace shoal {
namespace {

volatile std::sig_atomic_t* received = nullptr;

void stop(int signal) {
  *received = signal;
}

}  // namespace

StopSignals::StopSignals() {
  if (!received)
    received = static_cast<std::sig_atomic_t*>(allocate_shared(sizeof(std::sig_atomic_t)));  // never freed
  *received = 0;
  struct sigaction action {};
  action.sa_handler = stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is reported like a full disk
}

StopSignals::~StopSignals() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

int stop_signal() {
  return received ? *received : 0;
}

const char* stop_reason() {
  return stop_signal() == SIGINT ? "stopped by SIGINT" : "stopped by SIGTERM";
}

}  // namespace shoal
