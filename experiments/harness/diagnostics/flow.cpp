// momentum = ρ Σ Aₖ η̄ₖ vₖ, enstrophy = ½ Σ Aᵢ ωᵢ², divergence, largest speed, recorded if the integrator carries a velocity.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <cmath>

namespace shoal {
namespace {

/// [3, nF] with a compile-time number of rows.
Eigen::Map<const Points> velocities(Instant& now) {
  const Values& values = now.output("velocity");
  return {values.data(), 3, values.cols()};
}

void momentum(Instant& now, double* result) {
  const Vector& area = now.discretization().find_output("velocity")->area();
  const auto velocity = velocities(now);
  const auto depth = now.output("depth_at_faces").row(0);
  Eigen::Map<Vector3>(result, 3) = now.simulation().scene().density *
                                   sum(now.discretization().mesh(), Location::face, [&](Index k) -> Vector3 {
                                     return area[k] * depth[k] * velocity.col(k);
                                   });
}

void enstrophy(Instant& now, double* result) {
  const Vector& area = now.discretization().find_output("vorticity")->area();
  *result = 0.5 * dot(now.discretization().mesh(), Location::vertex, area,
                      now.output("vorticity").row(0).transpose().cwiseAbs2());
}

void rms_divergence(Instant& now, double* result) {
  const Vector& area = now.water().geometry().vertex_area;
  const Mesh& mesh = now.discretization().mesh();
  *result =
      std::sqrt(dot(mesh, Location::vertex, area, now.output("divergence").row(0).transpose().cwiseAbs2()) /
                sum(mesh, Location::vertex, area));
}

void max_speed(Instant& now, double* result) {
  *result = std::sqrt(max(now.discretization().mesh(), Location::face,
                          [velocity = velocities(now)](Index k) { return velocity.col(k).squaredNorm(); }));
}

}  // namespace

DiagnosticEntry flow_diagnostic() {
  return {"flow", [](const Simulation& simulation) -> std::vector<DiagnosticColumn> {
            if (!simulation.water().has_velocity()) return {};
            return {
                {{"momentum", "kg m/s", "ρ Σ Aₖ η̄ₖ vₖ over the triangles", 3}, momentum},
                {{"enstrophy", "m^2/s^2", "½ Σ Aᵢ ωᵢ² over the vertices"}, enstrophy},
                {{"rms_divergence", "1/s", "√(Σ Aᵢ δᵢ² / Σ Aᵢ) over the vertices, δ = ∇·v"}, rms_divergence},
                {{"max_speed", "m/s", "largest speed on a triangle"}, max_speed}};
          }};
}

}  // namespace shoal
