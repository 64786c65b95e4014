// Loops over elements on several threads, with results bitwise identical to those of one thread.
#pragma once

#include "discretizations/common/types.hpp"

#include <algorithm>
#include <exception>

#include <omp.h>

namespace shoal {

/// Sets the number of threads of all further loops of this process; initially one. Throws MachineError if the
/// system grants fewer.
void set_thread_count(int count);
int thread_count();

/// Processes one chunk. Compiled once per loop.
template <class Body>
[[gnu::noinline, gnu::noclone]] void run_chunk(const Body& body, Index begin, Index end) {
  body(begin, end);
}

/// Calls body(begin, end) for chunks that cover [0, count), one per thread. Elements must be independent of
/// each other; results are then bitwise identical to those of one thread, because chunks begin at multiples
/// of the widest vector register and each element is computed in the same way. Short loops run on the calling
/// thread alone. If chunks throw, rethrows the exception of the first of them after all have ended.
template <class Body>
void parallel_for(Index count, const Body& body) {
  constexpr Index alignment = 64, shortest = 2048;
  const int threads = count < shortest ? 1 : thread_count();
  if (threads == 1) return run_chunk(body, 0, count);
  std::exception_ptr failure;
  int failed = threads;  // thread of the chunk that threw
#pragma omp parallel num_threads(threads)
  {
    const std::int64_t blocks = (count + alignment - 1) / alignment;
    const auto start = [&](std::int64_t thread) {
      return static_cast<Index>(
          std::min<std::int64_t>(count, blocks * thread / omp_get_num_threads() * alignment));
    };
    const int thread = omp_get_thread_num();
    try {
      run_chunk(body, start(thread), start(thread + 1));
    } catch (...) {
#pragma omp critical
      if (thread < failed) {
        failed = thread;
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace shoal
