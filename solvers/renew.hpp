// Renews what other processes own, and books the time.
#pragma once

#include "discretizations/common/ranks.hpp"
#include "discretizations/state.hpp"
#include "solvers/stage_clock.hpp"

namespace shoal {

/// Copies the owners' entries to the ghosts of a state on a part of a surface. Nothing without a renewal: the state is that of the whole.
/// Collective.
inline void renew(const Renewal* renewal, State& state, StageClock& clock) {
  if (!renewal) return;
  const auto stage = clock.measure(Stage::exchange);
  (*renewal)(state.q.data());
}

}  // namespace shoal
