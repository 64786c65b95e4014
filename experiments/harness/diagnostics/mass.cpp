// mass = ρ Σ V, and what came in from outside.
#include "experiments/harness/diagnostics/diagnostic.hpp"

namespace shoal {

DiagnosticEntry mass_diagnostic() {
  return {"mass", [](const Simulation&) -> std::vector<DiagnosticColumn> {
            return {{{"mass", "kg", "ρ Σ V over the cells"},
                     [](Instant& now, double* value) {
                       *value = now.simulation().scene().density * now.water().volume().sum();
                     }},
                    {{"mass_source", "kg", "mass added by sources since t = 0"},
                     [](Instant& now, double* value) { *value = now.water().ledger().mass_source; }}};
          }};
}

}  // namespace shoal
