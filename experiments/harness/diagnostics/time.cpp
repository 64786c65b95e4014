// The time of a row.
#include "experiments/harness/diagnostics/diagnostic.hpp"

namespace shoal {

DiagnosticEntry time_diagnostic() {
  return {"time", [](const Simulation&) -> std::vector<DiagnosticColumn> {
            return {{{"time", "s", "time"},
                     [](Instant& now, double* value) { *value = now.simulation().time(); }}};
          }};
}

}  // namespace shoal
