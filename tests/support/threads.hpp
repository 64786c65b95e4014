// Whether the number of threads changes a simulation.
#pragma once

#include "discretizations/common/parallel.hpp"
#include "tests/support/trial.hpp"

namespace shoal::test {

/// The state after three steps on this number of threads; one is left set.
inline Vector state_on_threads(int threads, const Configuration& setup) {
  set_thread_count(threads);
  Trial trial(setup);
  trial.prepare(0.5 * trial.stable_dt());
  trial.run(3);
  set_thread_count(1);
  return trial.state.q;
}

}  // namespace shoal::test
