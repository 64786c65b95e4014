// The work of the linear solver since the previous row.
#include "experiments/harness/diagnostics/diagnostic.hpp"

namespace shoal {

DiagnosticEntry solver_diagnostic() {
  return {
      "solver", [](const Simulation& simulation) -> std::vector<DiagnosticColumn> {
        if (!simulation.solves_linear_systems()) return {};
        std::vector<DiagnosticColumn> columns = {
            {{"solver_iterations", "1", "iterations of the linear solver since the previous row"},
             [](Instant& now, double* value) { *value = now.solver_work().iterations; }},
            {{"solver_residual", "1", "largest ‖b−Ax‖/‖b‖ since the previous row; NaN if not measured", 1,
              true},
             [](Instant& now, double* value) { *value = now.solver_work().residual; }},
            {{"factorizations", "1", "factorizations and preconditioners computed since the previous row"},
             [](Instant& now, double* value) { *value = now.solver_work().factorizations; }}};
        if (simulation.moves())
          columns.push_back({{"analyses", "1", "matrix patterns analysed since the previous row"},
                             [](Instant& now, double* value) { *value = now.solver_work().analyses; }});
        return columns;
      }};
}

}  // namespace shoal
