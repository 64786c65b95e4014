// Descriptors, signals, stack, exit.
#include "experiments/harness/program/process_limits.hpp"

#include "experiments/harness/system/terminal.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace shoal {
namespace {

constexpr int machines_failure = 3;
constexpr std::size_t min_stack = 1 << 20, usual_stack = 8 << 20;

void open_closed_descriptors() {
  for (int descriptor = 0; descriptor <= STDERR_FILENO; ++descriptor)
    if (fcntl(descriptor, F_GETFD) == -1 && open("/dev/null", O_RDWR) != descriptor) _exit(machines_failure);
}

bool has_small_stack() {
  rlimit limit{};
  return getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < min_stack;
}

/// OpenBLAS starts threads when it is loaded. If these get no memory, every fork and the exit wait for them forever. Shoal uses
/// at most one thread of it, so if memory is limited, the program restarts without them.
void begin_without_blas_threads(char** arguments) {
  const auto is_limited = [](__rlimit_resource resource) {
    rlimit limit{};
    return getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  };
  constexpr const char* name = "OPENBLAS_NUM_THREADS";
  const char* threads = std::getenv(name);
  if ((!is_limited(RLIMIT_AS) && !is_limited(RLIMIT_DATA)) || (threads && std::string_view(threads) == "1"))
    return;
  setenv(name, "1", 1);
  execv("/proc/self/exe", arguments);  // on failure, continue
}

/// Runs the program in a thread with a chosen stack size, which OpenMP threads get as well.
int run_with_stack(const std::function<int()>& program) {
  struct Call {
    const std::function<int()>& program;
    int result = machines_failure;
  } call{program};
  const auto begin = [](void* data) -> void* {
    auto& self = *static_cast<Call*>(data);
    self.result = self.program();
    return nullptr;
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, usual_stack);
  pthread_setattr_default_np(&attributes);
  pthread_t thread;
  if (pthread_create(&thread, &attributes, begin, &call) != 0) {
    say("shoal: not enough memory for a stack\n");
    return machines_failure;
  }
  pthread_join(thread, nullptr);
  return call.result;
}

/// Some libraries call exit(1) if the system grants no threads; this exit code would mean an unstable run.
void library_ends_program() {
  say("shoal: a library ended the program\n");
  _exit(machines_failure);
}

}  // namespace

void run_in_process_limits(char** arguments, const std::function<int()>& program) {
  begin_without_blas_threads(arguments);
  open_closed_descriptors();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::atexit(library_ends_program);
  const int code = has_small_stack() ? run_with_stack(program) : program();
  std::fflush(stdout);
  _exit(code);
}

}  // namespace shoal
