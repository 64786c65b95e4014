#include "experiments/harness/sweep/launched_run.hpp"

#include "discretizations/common/error.hpp"
#include "experiments/harness/run/run.hpp"
#include "experiments/harness/system/processes.hpp"
#include "experiments/harness/system/stop_signals.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <utility>

namespace shoal {
namespace {

constexpr const char* launcher = "mpirun";
constexpr std::string_view progress_mark = "shoal-progress ";

/// A pipe from another process.
class Pipe {
 public:
  Pipe() {
    if (pipe(ends_.data()) != 0) throw MachineError("cannot create a pipe");
  }
  ~Pipe() {
    close_writing();
    if (ends_[0] >= 0) close(ends_[0]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  int reading() const { return ends_[0]; }
  int writing() const { return ends_[1]; }
  void close_writing() {
    if (ends_[1] >= 0) close(ends_[1]);
    ends_[1] = -1;
  }
  bool ended() const { return ended_; }

  /// Takes what is there, without waiting, and calls take(line) for every complete line.
  template <class Take>
  void read_lines(const Take& take) {
    std::array<char, 4096> bytes{};
    const ssize_t count = read(ends_[0], bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) return;
    if (count <= 0) {
      ended_ = true;
      return;
    }
    text_.append(bytes.data(), static_cast<std::size_t>(count));
    for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n')) {
      take(text_.substr(0, end));
      text_.erase(0, end + 1);
    }
  }

 private:
  std::array<int, 2> ends_{-1, -1};
  std::string text_;
  bool ended_ = false;
};

/// Replaces this process.
[[noreturn]] void become(int ranks, const std::vector<std::string>& command, const Pipe& out,
                         const Pipe& errors) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);  // mpirun passes it on
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  dup2(out.writing(), STDOUT_FILENO);
  dup2(errors.writing(), STDERR_FILENO);
  // Several runs at once would otherwise be bound to the same cores. Open MPI's names; other launchers ignore them.
  setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 0);
  setenv("OMPI_MCA_rmaps_base_oversubscribe", "1", 0);
  std::vector<std::string> words = {launcher, "-n", std::to_string(ranks)};
  words.insert(words.end(), command.begin(), command.end());
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execvp(launcher, arguments.data());
  std::perror(launcher);
  _exit(127);
}

void set_status(const std::string& line, RunStatus& status) {
  if (!line.starts_with(progress_mark)) return;
  std::istringstream numbers(line.substr(progress_mark.size()));
  std::int64_t done = 0, steps = 0;
  double time = 0, end = 0;
  if (!(numbers >> done >> steps >> time >> end)) return;
  status.steps_done = done;
  status.steps = steps;
  status.time = time;
  status.end = end;
}

/// What the program says in this line of its standard error, or "".
std::string complaint_of(const std::string& line) {
  const std::size_t colon = line.find(": ");
  if (!line.starts_with("shoal") || colon == std::string::npos) return "";
  return line.substr(colon + 2);
}

}  // namespace

void require_launcher() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  std::filesystem::path found;
  for (std::string folder; found.empty() && std::getline(folders, folder, ':');)
    if (const auto file = std::filesystem::path(folder) / launcher; access(file.c_str(), X_OK) == 0)
      found = file;
  if (found.empty()) throw Error("--ranks: there is no mpirun; install MPI (on Debian: openmpi-bin)");
  std::error_code unknown;
  const bool is_open_mpi = std::filesystem::canonical(found, unknown).filename() == "orterun";
  if (is_open_mpi && geteuid() == 0 && !std::getenv("OMPI_ALLOW_RUN_AS_ROOT"))
    throw Error(
        "--ranks: as root, Open MPI's mpirun requires the environment variables OMPI_ALLOW_RUN_AS_ROOT=1 and "
        "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1");
}

std::string run_launched(int ranks, const std::vector<std::string>& command, RunStatus& status) {
  Pipe out, errors;
  const pid_t child = fork();
  if (child < 0) throw MachineError("cannot create a process for mpirun");
  if (child == 0) become(ranks, command, out, errors);
  out.close_writing();
  errors.close_writing();
  std::string complaint, last;
  bool told = false;
  while (!out.ended() || !errors.ended()) {
    constexpr int interval = 100;  // ms
    std::array<pollfd, 2> events = {
        {{out.ended() ? -1 : out.reading(), POLLIN, 0}, {errors.ended() ? -1 : errors.reading(), POLLIN, 0}}};
    if (poll(events.data(), events.size(), interval) > 0) {
      if (events[0].revents != 0) out.read_lines([&](const std::string& line) { set_status(line, status); });
      if (events[1].revents != 0)
        errors.read_lines([&](const std::string& line) {
          if (complaint.empty()) complaint = complaint_of(line);
          if (!line.empty()) last = line;
        });
    }
    if (stop_signal() != 0 && !std::exchange(told, true)) kill(child, SIGTERM);
  }
  constexpr int of_signal = 128;  // mpirun's exit code for a process that a signal ended, minus the signal
  int state = 0;
  while (waitpid(child, &state, 0) < 0 && errno == EINTR) continue;
  if (WIFEXITED(state) && WEXITSTATUS(state) == 0) return "";
  if (told) return stop_reason();
  const int code = WIFEXITED(state) ? WEXITSTATUS(state) : of_signal + WTERMSIG(state);
  const TaskResult death{.kind = TaskResult::Kind::died, .text = "", .signal = code - of_signal};
  if (was_killed(death)) return describe_death(death);  // from outside: the run can be computed again
  if (complaint.empty()) complaint = "mpirun: " + last;
  if (code == 2) throw Refusal(complaint);
  if (code == 3) throw MachineError(complaint);
  throw Error(fmt::format("its processes ended with exit code {}: {}", code, complaint));
}

void RankProgress::say(const Run& run) {
  constexpr std::chrono::milliseconds interval{250};
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + interval;
  RunStatus status;
  status.set(run);
  fmt::print("{}{} {} {} {}\n", progress_mark, status.steps_done.load(), status.steps.load(),
             status.time.load(), status.end.load());
  std::fflush(stdout);
}

}  // namespace shoal
