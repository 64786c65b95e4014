// Extremes of the depth, and the step relative to the scheme's limit.
#include "experiments/harness/diagnostics/diagnostic.hpp"

namespace shoal {

DiagnosticEntry depth_diagnostic() {
  return {"depth", [](const Simulation&) -> std::vector<DiagnosticColumn> {
            return {{{"min_depth", "m", "smallest depth of a cell"},
                     [](Instant& now, double* value) {
                       *value =
                           0.0 + min(now.discretization().mesh(), now.discretization().cells(), now.depth());
                     }},
                    {{"max_depth", "m", "largest depth of a cell"},
                     [](Instant& now, double* value) {
                       *value = max(now.discretization().mesh(), now.discretization().cells(), now.depth());
                     }},
                    {{"cfl", "1", "substep / stable step of the scheme"},
                     [](Instant& now, double* value) {
                       *value = now.simulation().dt() / now.simulation().substeps() / now.water().stable_dt();
                     }},
                    {{"time_step", "s", "length of the last step; at the start, of the first"},
                     [](Instant& now, double* value) { *value = now.simulation().dt(); }}};
          }};
}

}  // namespace shoal
