// The number of threads.
#include "discretizations/common/parallel.hpp"

namespace shoal {
namespace {

int count_of_threads = 1;

}  // namespace

void set_thread_count(int count) {
  count_of_threads = count;
}

int thread_count() {
  return count_of_threads;
}

}  // namespace shoal
