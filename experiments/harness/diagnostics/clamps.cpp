// Thresholds, each with the elements at which it takes effect.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <string>

namespace shoal {

DiagnosticEntry clamps_diagnostic() {
  return {
      "clamps", [](const Simulation& simulation) {
        const ShallowWater& water = simulation.water();
        std::vector<DiagnosticColumn> columns;
        for (const ClampCount& clamp : water.discretization().clamp_counts(water.state(), water.forces()))
          columns.push_back({{clamp.name, "1", "elements at which the threshold takes effect"},
                             [name = std::string(clamp.name)](Instant& now, double* value) {
                               for (const ClampCount& one : now.clamp_counts())
                                 if (one.name == name) *value = one.count;
                             }});
        if (simulation.moves())
          columns.push_back({{"limited_inertia", "1", "vertices whose acceleration inertia_limit cut"},
                             [](Instant& now, double* value) { *value = now.water().limited_inertia(); }});
        return columns;
      }};
}

}  // namespace shoal
