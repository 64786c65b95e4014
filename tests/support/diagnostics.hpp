// Values of diagnostics along a run in memory.
#pragma once

#include "experiments/harness/diagnostics/diagnostics.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace shoal::test {

/// A scalar diagnostic after each step of the run; empty if the run has no such diagnostic.
inline std::vector<double> series(Simulation& simulation, const std::string& name) {
  Diagnostics diagnostics(simulation);
  std::size_t place = 0, found = 0;
  bool is_there = false;
  for (const Quantity& quantity : diagnostics.quantities()) {
    if (quantity.name == name) {
      found = place;
      is_there = true;
    }
    place += static_cast<std::size_t>(quantity.components);
  }
  std::vector<double> values;
  StageClock clock;
  while (is_there && simulation.steps_done() < simulation.steps()) {
    EXPECT_TRUE(simulation.step(clock).ok);
    values.push_back(diagnostics.evaluate(diagnostics.energy(), {})[found]);
  }
  return values;
}

}  // namespace shoal::test
