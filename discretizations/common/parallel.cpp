// The number of threads.
#include "discretizations/common/parallel.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace shoal {
namespace {

int count_of_threads = 1;

/// OpenMP terminates the program if the system grants too few threads; therefore all of them are requested
/// once here.
void require_threads(int count) {
  std::mutex mutex;
  std::condition_variable all_began;
  bool go = false;
  std::vector<std::thread> threads;
  const auto release = [&] {
    {
      const std::lock_guard lock(mutex);
      go = true;
    }
    all_began.notify_all();
    for (std::thread& thread : threads) thread.join();
  };
  try {
    for (int i = 1; i < count; ++i)
      threads.emplace_back([&] {
        std::unique_lock lock(mutex);
        all_began.wait(lock, [&] { return go; });
      });
  } catch (const std::system_error& failure) {
    release();
    throw MachineError(fmt::format("cannot start {} threads ({}); try threads = {}", count,
                                   failure.code().message(), threads.size() + 1));
  }
  release();
}

}  // namespace

void set_thread_count(int count) {
  if (count > count_of_threads) require_threads(count);
  count_of_threads = count;
}

int thread_count() {
  return count_of_threads;
}

}  // namespace shoal
