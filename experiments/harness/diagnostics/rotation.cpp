// Angular momentum, and the absolute potential vorticity that the flow carries; where surface or frame move.
#include "experiments/harness/diagnostics/diagnostic.hpp"

namespace shoal {
namespace {

/// ρ ⟨η u, a×x⟩ about the three axes a, in the inner product of the scheme's own kinetic energy K: ½ (K(u + a×x) −
/// K(u − a×x)), u with the tangential part of ẋ; and ρ Σ Aη (ẋ·n) (a×x)·n of its normal part.
void angular_momentum(Instant& now, double* result) {
  const Discretization& scheme = now.discretization();
  const Mesh& mesh = now.simulation().surface().mesh;
  const Geometry& geometry = now.water().geometry();
  const Points& surface_velocity = now.water().surface_velocity();
  State flow = now.water().state();
  if (surface_velocity.size()) scheme.add_surface_velocity(surface_velocity, 1, flow);
  Vector3 sum;
  for (int axis = 0; axis < 3; ++axis) {
    Points turning(3, geometry.x.cols());
    for (Eigen::Index i = 0; i < turning.cols(); ++i)
      turning.col(i) = Vector3::Unit(axis).cross(Vector3(geometry.x.col(i)));
    State with = flow, against = flow;
    scheme.add_surface_velocity(turning, 1, with);
    scheme.add_surface_velocity(turning, -1, against);
    sum[axis] = 0.5 * (scheme.kinetic_energy(with) - scheme.kinetic_energy(against));
  }
  if (surface_velocity.size() && !scheme.own_triangulation()) {
    const auto depth = now.output("depth_at_faces").row(0);
    for (Index k = 0; k < mesh.face_count(); ++k) {
      const Vector3 normal = geometry.face_normal.col(k);
      Vector3 velocity = Vector3::Zero();
      for (int c = 0; c < 3; ++c) velocity += surface_velocity.col(mesh.faces(c, k)) / 3;
      const double flux = geometry.face_area[k] * depth[k] * velocity.dot(normal);
      sum += flux * geometry.centroid(mesh, k).cross(normal);
    }
  }
  Eigen::Map<Vector3>(result, 3) = now.simulation().scene().density * sum;
}

Eigen::Map<const Vector> potential_vorticity(Instant& now) {
  const Values& values = now.output("potential_vorticity");
  return {values.data(), values.cols()};
}

/// ½ Σ A η q²
void potential_enstrophy(Instant& now, double* result) {
  const Vector& area = now.discretization().find_output("vorticity")->area();
  const auto depth = now.output("depth_at_vertices").row(0);
  const auto q = potential_vorticity(now);
  *result = 0;
  for (Index i = 0; i < area.size(); ++i) *result += 0.5 * area[i] * depth[i] * q[i] * q[i];
}

/// Σ A (ω + f_c): what has come in through boundaries; zero on closed surfaces but for the frame's own.
void absolute_circulation(Instant& now, double* result) {
  const Vector& area = now.discretization().find_output("vorticity")->area();
  const auto depth = now.output("depth_at_vertices").row(0);
  const auto q = potential_vorticity(now);
  *result = 0;
  for (Index i = 0; i < area.size(); ++i) *result += area[i] * depth[i] * q[i];
}

}  // namespace

DiagnosticEntry rotation_diagnostic() {
  return {
      "rotation", [](const Simulation& simulation) -> std::vector<DiagnosticColumn> {
        const SceneInstance& scene = simulation.scene();
        if (!simulation.water().has_velocity() || !(scene.motion || !scene.forcing.rotation.isZero(0)))
          return {};
        return {
            {{"angular_momentum", "kg m^2/s", "ρ Σ Aη x×u about the origin, u = v + ẋ", 3}, angular_momentum},
            {{"absolute_circulation", "m^2/s", "Σ A (ω + f_c) over the vertices"}, absolute_circulation},
            {{"potential_vorticity_min", "1/(m s)", "least (ω + f_c)/η at the vertices"},
             [](Instant& now, double* value) { *value = potential_vorticity(now).minCoeff(); }},
            {{"potential_vorticity_max", "1/(m s)", "largest (ω + f_c)/η at the vertices"},
             [](Instant& now, double* value) { *value = potential_vorticity(now).maxCoeff(); }},
            {{"potential_enstrophy", "1/s^2", "½ Σ Aη ((ω + f_c)/η)² over the vertices"},
             potential_enstrophy}};
      }};
}

}  // namespace shoal
