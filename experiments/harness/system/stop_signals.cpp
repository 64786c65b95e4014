// Flags in memory shared with forked processes, and a list of files that a signal handler can remove.
#include "experiments/harness/system/stop_signals.hpp"

#include "experiments/harness/system/pending_signal.hpp"
#include "experiments/harness/system/processes.hpp"

#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <csignal>
#include <cstring>
#include <utility>

namespace shoal {
namespace {

constexpr int stopping[] = {SIGINT, SIGTERM, SIGHUP};
constexpr suseconds_t grace_microseconds = 500'000;  // in addition to one second
constexpr int signal_base = 128;                     // of the exit code, as in shells

struct Received {
  volatile std::sig_atomic_t signal = 0, count = 0;
};
Received* received = nullptr;
volatile std::sig_atomic_t noticed = 0;  // set when this process calls stop_signal()

/// Paths for a signal handler, which may not allocate.
struct Slot {
  volatile std::sig_atomic_t used = 0;
  char path[PATH_MAX] = {};
};
std::array<Slot, 32> slots;

void set_timer(time_t seconds, suseconds_t microseconds) {
  const itimerval timer{{0, 0}, {seconds, microseconds}};
  setitimer(ITIMER_REAL, &timer, nullptr);
}

[[noreturn]] void end_at_once() {
  for (std::size_t i = slots.size(); i-- > 0;)  // folders were listed before their contents
    if (slots[i].used && unlink(slots[i].path) != 0) rmdir(slots[i].path);
  _exit(signal_base + received->signal);
}

void receive(int signal) {
  const int before = received->count;
  if (signal == SIGALRM) {
    if (before > 0 && !noticed) end_at_once();
    return;
  }
  received->signal = signal;
  received->count = before + 1;
  if (before > 1) end_at_once();
  if (before == 0) set_timer(1, grace_microseconds);
}

PendingSignal& pending_signal() {
  static PendingSignal pending;
  return pending;
}

}  // namespace

PendingSignal ask_for_signals(PendingSignal pending) {
  return std::exchange(pending_signal(), std::move(pending));
}

StopSignals::StopSignals() {
  if (!received) received = new (allocate_shared(sizeof(Received))) Received;  // never freed
  received->signal = 0;
  received->count = 0;
  noticed = 0;
  struct sigaction action {};
  action.sa_handler = receive;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, &before_[SIGALRM]);
  for (const int signal : stopping) {
    struct sigaction present {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler == SIG_IGN) continue;
    before_[signal] = present;
    sigaction(signal, &action, nullptr);
  }
  if (const PendingSignal& pending = pending_signal())
    if (const int signal = pending()) receive(signal);
}

StopSignals::~StopSignals() {
  set_timer(0, 0);
  for (const auto& [signal, action] : before_) {
    struct sigaction present {};
    sigaction(signal, nullptr, &present);
    if (present.sa_handler == receive) sigaction(signal, &action, nullptr);
  }
}

int stop_signal() {
  if (!received || received->signal == 0) return 0;
  noticed = 1;
  return received->signal;
}

bool stop_is_urgent() {
  return received && received->count > 1;
}

const char* stop_reason() {
  switch (stop_signal()) {
    case SIGINT:
      return "stopped by SIGINT";
    case SIGHUP:
      return "stopped by SIGHUP";
    default:
      return "stopped by SIGTERM";
  }
}

RemoveOnSignal::RemoveOnSignal(const std::filesystem::path& path) : slot_(-1) {
  const std::string name = path.string();
  if (name.size() >= PATH_MAX) return;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (slots[i].used) continue;
    std::memcpy(slots[i].path, name.c_str(), name.size() + 1);
    slots[i].used = 1;
    slot_ = static_cast<int>(i);
    return;
  }
}

RemoveOnSignal::~RemoveOnSignal() {
  if (slot_ >= 0) slots[static_cast<std::size_t>(slot_)].used = 0;
}

}  // namespace shoal
