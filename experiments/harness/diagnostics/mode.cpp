// Amplitude of a standing wave and of all others: c = ⟨h, z⟩/⟨z, z⟩, ⟨a, b⟩ = Σ A a b.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <cmath>

namespace shoal {
namespace {

double amplitude(const Simulation& simulation) {
  const Cells& cells = simulation.discretization().cells();
  const Vector& z = simulation.mode()->elevation;
  const Vector elevation = simulation.water().volume().cwiseQuotient(cells.area) - cells.bed;
  const Vector weight = cells.area.cwiseProduct(z);
  const Mesh& mesh = simulation.discretization().mesh();
  return dot(mesh, cells, weight, elevation) / dot(mesh, cells, weight, z);
}

}  // namespace

DiagnosticEntry mode_diagnostic() {
  return {"mode", [](const Simulation& start) -> std::vector<DiagnosticColumn> {
            if (!start.mode()) return {};
            return {
                {{"mode_amplitude", "m", "c = ⟨h, z⟩/⟨z, z⟩ of the scene's mode z, ⟨a, b⟩ = Σ A a b"},
                 [](Instant& now, double* value) { *value = amplitude(now.simulation()); }},
                {{"mode_residual", "1", "‖h − c z‖/‖c(0) z‖: content of other modes, relative to the start"},
                 [first = amplitude(start)](Instant& now, double* value) {
                   const Cells& cells = now.discretization().cells();
                   const Vector& z = now.simulation().mode()->elevation;
                   const auto rest = now.water().volume().array() / cells.area.array() - cells.bed.array() -
                                     amplitude(now.simulation()) * z.array();
                   const Mesh& mesh = now.discretization().mesh();
                   *value = std::sqrt(sum(mesh, cells, cells.area.array() * rest.square()) /
                                      sum(mesh, cells, cells.area.array() * z.array().square())) /
                            std::abs(first);
                 }}};
          }};
}

}  // namespace shoal
