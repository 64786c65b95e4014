// momentum = ρ Σ Aₖ η̄ₖ vₖ, enstrophy = ½ Σ Aᵢ ωᵢ², largest speed; where the integrator carries a velocity.
#include "experiments/harness/diagnostics/diagnostic.hpp"

namespace shoal {

DiagnosticEntry flow_diagnostic() {
  return {"flow", [](const Simulation& simulation) -> std::vector<DiagnosticColumn> {
            if (!simulation.water().has_velocity()) return {};
            return {{{"momentum", "kg m/s", "ρ Σ Aₖ η̄ₖ vₖ over the triangles", 3},
                     [](Instant& now, double* values) {
                       const Vector& area = now.discretization().find_output("velocity")->area();
                       const Values& velocity = now.output("velocity");
                       const Vector depth = now.output("depth_at_faces").row(0);
                       const Vector3 momentum =
                           now.simulation().scene().density * (velocity * area.cwiseProduct(depth));
                       std::copy(momentum.begin(), momentum.end(), values);
                     }},
                    {{"enstrophy", "m^2/s^2", "½ Σ Aᵢ ωᵢ² over the vertices"},
                     [](Instant& now, double* value) {
                       const Vector& area = now.discretization().find_output("vorticity")->area();
                       const Vector vorticity = now.output("vorticity").row(0);
                       *value = 0.5 * area.dot(vorticity.cwiseAbs2());
                     }},
                    {{"max_speed", "m/s", "largest speed on a triangle"}, [](Instant& now, double* value) {
                       *value = now.output("velocity").colwise().norm().maxCoeff();
                     }}};
          }};
}

}  // namespace shoal
