#include "solvers/advection/advection.hpp"

namespace shoal {

Options<AdvectionIntervalOptions> AdvectionIntervalOptions::describe() {
  return Options<AdvectionIntervalOptions>().choice(
      "advection_interval", &AdvectionIntervalOptions::per_substep, {{"frame", false}, {"substep", true}},
      "what the advection precedes: steps or their substeps");
}

}  // namespace shoal
