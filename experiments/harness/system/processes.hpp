// Tasks in processes of their own: a crash ends only its own task, and libraries that cannot be used by
// several threads (HDF5, PETSc) are used by one thread per process.
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

/// How a task ended.
struct TaskResult {
  enum class Kind { returned, error, refusal, machine_error, died };
  Kind kind = Kind::died;
  std::string text;  ///< what the task returned, or the message of what it threw
  int signal = 0;    ///< that killed the process; 0 if it exited without a message
};

/// "the process of this run ended by signal 11 (Segmentation fault)"
std::string describe_death(const TaskResult& ending);

/// Whether a process that died was killed from outside, often for want of memory: it may go well the next
/// time.
bool was_killed(const TaskResult& ending);

enum class PoolCommand {
  proceed,
  drain,  ///< begin no more tasks
  kill    ///< and kill those that run
};

struct Tasks {
  std::size_t count = 0;
  int jobs = 1;  ///< tasks at once
  std::function<std::string(std::size_t task, std::size_t slot)>
      work;                                                       ///< in the task's process; slot < jobs
  std::function<void(std::size_t task, std::size_t slot)> begun;  ///< here; may be empty
  std::function<void(std::size_t task, std::size_t slot, const TaskResult&)> ended;  ///< here
  std::function<PoolCommand()> watch;  ///< here, a few times a second and whenever something happened
};

/// Forks a process for each task, at most `jobs` at once, in order. The processes ignore SIGINT and SIGTERM,
/// which are this process's to act on, and die with it. They leave without destructors of static objects.
/// Throws MachineError where no process can be made, and whatever `begun`, `ended` and `watch` throw, when
/// all processes are gone.
void run_in_processes(const Tasks& tasks);

/// Of a process that reads what may be damaged; 0: none.
struct Limits {
  unsigned seconds = 0;      ///< of computing
  std::uint64_t memory = 0;  ///< bytes beyond what this process has
};

/// What `work` returns in a process of its own, or throws; if the process dies, throws MachineError: `subject` is
/// damaged. For libraries that crash on damaged files, or never come to an end with them: a limited process says
/// nothing to standard error and leaves no core. On a terminal it is said what is read where that takes long.
std::string in_a_process(const std::function<std::string()>& work, const std::string& subject,
                         const Limits& limits = {});

/// Texts as one text, and back: for what a process returns. unpacked() throws MachineError on any other.
std::string packed(const std::vector<std::string>& texts);
std::vector<std::string> unpacked(const std::string& text);
[[noreturn]] void throw_unreadable();
/// The same of numbers, or structs of them, which come back with the same bits.
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

/// Zeroed memory that is shared with processes forked later. Throws MachineError.
void* allocate_shared(std::size_t bytes);
void release_shared(void* data, std::size_t bytes);

/// An array that processes forked later share with this one.
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
