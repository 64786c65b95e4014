// A small pool of forked processes, each with a pipe for its result.
#include "experiments/harness/system/processes.hpp"

#include "discretizations/common/thrown.hpp"
#include "experiments/harness/system/terminal.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace shoal {
namespace {

constexpr int watch_interval = 100;  // ms

struct Process {
  pid_t pid;
  int pipe;
  std::size_t task, slot;
  std::string reply;  ///< a letter for the kind of ending, then the text
};

constexpr char letters[] = {'r', 'e', 'f', 'm', 'd'};  // in the order of TaskResult::Kind

std::string reply_of(const Tasks& tasks, std::size_t task, std::size_t slot) {
  try {
    return 'r' + tasks.work(task, slot);
  } catch (const Refusal& refusal) {
    return std::string("f") + refusal.what();
  } catch (const Error& error) {
    return std::string("e") + error.what();
  } catch (const MachineError& error) {
    return std::string("m") + error.what();
  } catch (const std::bad_alloc&) {
    return "mthere is not enough memory";
  } catch (...) {
    return "d" + thrown();
  }
}

void send_to(int pipe, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = write(pipe, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
}

/// Executed by the forked process.
[[noreturn]] void work(const Tasks& tasks, std::size_t task, std::size_t slot, int pipe, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(0);  // the parent ended before the line above
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
  send_to(pipe, reply_of(tasks, task, slot));
  _exit(0);
}

/// Bytes of address space in use.
std::uint64_t memory_in_use() {
  std::ifstream pages("/proc/self/statm");
  std::uint64_t count = 0;
  pages >> count;
  return count * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

void set_limit(__rlimit_resource resource, std::uint64_t value) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0) return;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, value);
  setrlimit(resource, &limit);
}

void limit_this_process(const Limits& limits) {
  if (limits.seconds == 0 && limits.memory == 0) return;
  set_limit(RLIMIT_CORE, 0);
  if (limits.seconds > 0) {
    std::signal(SIGXCPU, SIG_DFL);
    const rlimit seconds{limits.seconds, limits.seconds + 1};  // then by SIGKILL
    setrlimit(RLIMIT_CPU, &seconds);
  }
#ifndef __SANITIZE_ADDRESS__  // the sanitizer reserves more memory than any limit, and its reports must be visible
  if (limits.memory > 0) set_limit(RLIMIT_AS, memory_in_use() + limits.memory);
  if (const int null = open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0) dup2(null, STDERR_FILENO);
#endif
}

/// A line on a terminal if a process takes long, removed at its end.
class Patience {
 public:
  explicit Patience(const std::string& subject) : subject_(subject) {}
  ~Patience() {
    if (said_) say_raw("\r\x1b[K");
  }
  Patience(const Patience&) = delete;
  Patience& operator=(const Patience&) = delete;
  void wait() {
    if (said_ || std::chrono::steady_clock::now() - begin_ < std::chrono::seconds(1) ||
        isatty(STDERR_FILENO) == 0)
      return;
    say(fmt::format("reading {} …", subject_));
    said_ = true;
  }

 private:
  const std::string& subject_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  bool said_ = false;
};

/// The running pool.
class Pool {
 public:
  explicit Pool(const Tasks& tasks) : tasks_(tasks) {
    for (int slot = tasks.jobs - 1; slot >= 0; --slot) free_slots_.push_back(static_cast<std::size_t>(slot));
  }
  ~Pool() {
    kill_all();
    for (Process& process : running_) reap(process);
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  void run() {
    while (true) {
      const PoolCommand pace = tasks_.watch ? tasks_.watch() : PoolCommand::proceed;
      if (pace == PoolCommand::kill) kill_all();
      while (pace == PoolCommand::proceed && next_ < tasks_.count && !free_slots_.empty()) begin();
      if (running_.empty()) return;
      listen();
    }
  }

 private:
  void begin() {
    int ends[2];
    if (pipe(ends) != 0) fail("pipe");
    const std::size_t slot = free_slots_.back();
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
      close(ends[0]);
      work(tasks_, next_, slot, ends[1], parent);
    }
    const int reason = errno;
    close(ends[1]);
    if (pid < 0) {
      close(ends[0]);
      errno = reason;
      fail("process");
    }
    free_slots_.pop_back();
    running_.push_back({pid, ends[0], next_, slot, ""});
    const std::size_t task = next_++;
    if (tasks_.begun) tasks_.begun(task, slot);
  }

  [[noreturn]] static void fail(const char* what) {
    throw MachineError(fmt::format("cannot create another {} ({})", what, std::strerror(errno)));
  }

  /// Waits for an event and handles it.
  void listen() {
    std::vector<pollfd> waiting;
    for (const Process& process : running_) waiting.push_back({process.pipe, POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), watch_interval) <= 0) return;
    for (std::size_t i = waiting.size(); i-- > 0;) {
      if (waiting[i].revents == 0) continue;
      char buffer[4096];
      const ssize_t count = read(running_[i].pipe, buffer, sizeof buffer);
      if (count > 0) running_[i].reply.append(buffer, static_cast<std::size_t>(count));
      if (count == 0) end(i);
    }
  }

  void end(std::size_t i) {
    Process process = std::move(running_[i]);
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    const TaskResult ending = reap(process);
    free_slots_.push_back(process.slot);
    tasks_.ended(process.task, process.slot, ending);
  }

  static TaskResult reap(Process& process) {
    close(process.pipe);
    int status = 0;
    while (waitpid(process.pid, &status, 0) < 0 && errno == EINTR) {
    }
    TaskResult ending;
    if (WIFSIGNALED(status)) ending.signal = WTERMSIG(status);
    const auto* letter = process.reply.empty()
                             ? std::end(letters)
                             : std::find(std::begin(letters), std::end(letters), process.reply[0]);
    if (ending.signal != 0 || letter == std::end(letters)) return ending;
    ending.kind = static_cast<TaskResult::Kind>(letter - std::begin(letters));
    ending.text = process.reply.substr(1);
    return ending;
  }

  void kill_all() {
    for (const Process& process : running_) kill(process.pid, SIGKILL);
  }

  const Tasks& tasks_;
  std::vector<Process> running_;
  std::vector<std::size_t> free_slots_;
  std::size_t next_ = 0;
};

}  // namespace

std::string describe_death(const TaskResult& ending) {
  if (ending.signal == 0)
    return ending.text.empty() ? "the process of this run ended without a message" : ending.text;
  return fmt::format("the process of this run ended by signal {} ({})", ending.signal,
                     strsignal(ending.signal));
}

bool was_killed(const TaskResult& ending) {
  return ending.kind == TaskResult::Kind::died && (ending.signal == SIGKILL || ending.signal == SIGTERM);
}

void run_in_processes(const Tasks& tasks) {
  Pool(tasks).run();
}

std::string in_a_process(const std::function<std::string()>& work, const std::string& subject,
                         const Limits& limits) {
  TaskResult result;
  Tasks tasks;
  tasks.count = 1;
  tasks.work = [&](std::size_t, std::size_t) {
    limit_this_process(limits);
    return work();
  };
  tasks.ended = [&](std::size_t, std::size_t, const TaskResult& ending) { result = ending; };
  {
    Patience patience(subject);
    tasks.watch = [&] {
      patience.wait();
      return PoolCommand::proceed;
    };
    run_in_processes(tasks);
  }
  using Kind = TaskResult::Kind;
  if (result.kind == Kind::returned) return result.text;
  if (result.kind == Kind::error) throw Error(result.text);
  if (result.kind == Kind::refusal) throw Refusal(result.text);
  if (result.kind == Kind::machine_error) throw MachineError(result.text);
  if (was_killed(result))
    throw MachineError(fmt::format("{}: the process reading it ended by signal {} ({})", subject,
                                   result.signal, strsignal(result.signal)));
  throw MachineError(fmt::format("{}: the file is damaged (reading {})", subject,
                                 result.signal == SIGXCPU ? "does not terminate" : "crashes"));
}

void throw_unreadable() {
  throw MachineError("a child process returned an invalid message");
}

std::string packed(const std::vector<std::string>& texts) {
  std::string result;
  for (const std::string& text : texts) result += fmt::format("{} {}", text.size(), text);
  return result;
}

std::vector<std::string> unpacked(const std::string& text) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t space = text.find(' ', at);
    std::size_t size = 0;
    const auto [end, failure] =
        std::from_chars(text.data() + at, text.data() + std::min(space, text.size()), size);
    if (failure != std::errc() || space == std::string::npos || size > text.size() - space - 1)
      throw_unreadable();
    texts.push_back(text.substr(space + 1, size));
    at = space + 1 + size;
  }
  return texts;
}

void* allocate_shared(std::size_t bytes) {
  void* data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw MachineError("not enough memory");
  return data;
}

void release_shared(void* data, std::size_t bytes) {
  munmap(data, bytes);
}

}  // namespace shoal
