// Tasks in separate processes: a crash ends only its own task, and libraries that do not support several threads (HDF5, PETSc) are
// used by one thread per process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

namespace shoal {

/// The end of a task.
struct TaskResult {
  enum class Kind { returned, error, refusal, machine_error, died };
  Kind kind = Kind::died;
  std::string text;  ///< the result of the task, or the message of its exception
  int signal = 0;    ///< the signal that killed the process; 0 if it exited without a message
};

/// "the process of this run ended by signal 11 (Segmentation fault)"
std::string describe_death(const TaskResult& ending);

/// Whether a dead process was killed from outside, often for lack of memory, so that a further attempt may succeed.
bool was_killed(const TaskResult& ending);

enum class PoolCommand {
  proceed,
  drain,  ///< start no more tasks
  kill    ///< and kill those that run
};

struct Tasks {
  std::size_t count = 0;
  int jobs = 1;  ///< simultaneous tasks
  std::function<std::string(std::size_t task, std::size_t slot)>
      work;                                                       ///< in the task's process; slot < jobs
  std::function<void(std::size_t task, std::size_t slot)> begun;  ///< here; may be empty
  std::function<void(std::size_t task, std::size_t slot, const TaskResult&)> ended;  ///< here
  std::function<PoolCommand()> watch;  ///< here, a few times a second and after every event
};

/// Forks a process for each task, in order, at most `jobs` at once. The processes ignore SIGINT and SIGTERM, which this process
/// handles, and die with it. They end without running destructors of static objects. Throws MachineError if a process cannot be
/// created, and anything that `begun`, `ended` and `watch` throw, after all processes have ended.
void run_in_processes(const Tasks& tasks);

/// Limits of a process that reads files which may be damaged; 0: none.
struct Limits {
  unsigned seconds = 0;      ///< CPU time
  std::uint64_t memory = 0;  ///< bytes, in addition to those of this process
};

/// Calls `work` in a separate process and returns its result or throws its exception; if the process dies, throws MachineError that
/// `subject` is damaged. For libraries that crash or do not terminate on damaged files. A limited process writes nothing to
/// standard error and leaves no core file. On a terminal, a message names the file if reading takes long.
std::string in_a_process(const std::function<std::string()>& work, const std::string& subject,
                         const Limits& limits = {});

/// Packs texts into one text, for the result of a process, and back. unpacked() throws MachineError on invalid text.
std::string packed(const std::vector<std::string>& texts);
std::vector<std::string> unpacked(const std::string& text);
[[noreturn]] void throw_unreadable();
/// Packs numbers, or structs of numbers, and restores the same bits.
template <class T>
std::string packed_row(const std::vector<T>& row) {
  static_assert(std::is_trivially_copyable_v<T>);
  return {reinterpret_cast<const char*>(row.data()), row.size() * sizeof(T)};
}
template <class T>
std::vector<T> unpacked_row(const std::string& text) {
  if (text.size() % sizeof(T) != 0) throw_unreadable();
  std::vector<T> row(text.size() / sizeof(T));
  if (!row.empty()) std::memcpy(row.data(), text.data(), text.size());
  return row;
}

/// Zeroed memory shared with processes forked later. Throws MachineError.
void* allocate_shared(std::size_t bytes);
void release_shared(void* data, std::size_t bytes);

/// An array shared with processes forked later.
template <class T>
class Shared {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  explicit Shared(std::size_t count)
      : data_(static_cast<T*>(allocate_shared(count * sizeof(T)))), count_(count) {
    for (std::size_t i = 0; i < count; ++i) new (data_ + i) T{};
  }
  ~Shared() { release_shared(data_, count_ * sizeof(T)); }
  Shared(const Shared&) = delete;
  Shared& operator=(const Shared&) = delete;
  T& operator[](std::size_t i) const { return data_[i]; }
  std::size_t size() const { return count_; }

 private:
  T* data_;
  std::size_t count_;
};

}  // namespace shoal
