// Angular momentum and absolute potential vorticity, if surface or frame move.
#include "experiments/harness/diagnostics/diagnostic.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

/// velocity += scale · tangential part of `vectors` [3, nV], also in schemes on surfaces that cannot move.
void add_vectors(const Discretization& scheme, const Points& vectors, double scale, State& state,
                 Scratch& scratch) {
  if (const auto* moving = offered<MovesWithSurface>(scheme))
    return moving->add_surface_velocity(vectors, scale, state, scratch);
  const Mesh& triangles = scheme.triangles();
  Points of_faces(3, triangles.face_count());
  for (Index k = 0; k < triangles.face_count(); ++k)
    of_faces.col(k) = scale / 3 *
                      (vectors.col(triangles.faces(0, k)) + vectors.col(triangles.faces(1, k)) +
                       vectors.col(triangles.faces(2, k)));
  scheme.add_velocity(of_faces, state);
}

/// ρ ⟨η u, a×x⟩ about the three axes a, in the inner product of the scheme's own kinetic energy K: ½ (K(u + a×x) −
/// K(u − a×x)), where u includes the tangential part of ẋ; plus ρ Σ Aη (ẋ·n) (a×x)·n for the normal part of ẋ.
void angular_momentum(Instant& now, double* result) {
  const Discretization& scheme = now.discretization();
  const Mesh& mesh = now.simulation().surface().mesh;
  const Geometry& geometry = now.water().geometry();
  const Points& surface_velocity = now.water().surface_velocity();
  State in_space;
  if (surface_velocity.size()) {
    in_space = now.water().state();
    offered<MovesWithSurface>(scheme)->add_surface_velocity(surface_velocity, 1, in_space,
                                                            now.water().scratch());
  }
  const State& flow = surface_velocity.size() ? in_space : now.water().state();
  State turned;
  Vector3 momentum;
  for (int axis = 0; axis < 3; ++axis) {
    Points turning(3, geometry.x.cols());
    for (Eigen::Index i = 0; i < turning.cols(); ++i)
      turning.col(i) = Vector3::Unit(axis).cross(Vector3(geometry.x.col(i)));
    const auto energy_turned = [&](double scale) {
      turned = flow;
      add_vectors(scheme, turning, scale, turned, now.water().scratch());
      return scheme.kinetic_energy(turned, now.water().scratch());
    };
    const double with = energy_turned(1), against = energy_turned(-1);
    momentum[axis] = 0.5 * (with - against);
  }
  if (surface_velocity.size() && !scheme.own_triangulation()) {
    const auto depth = now.output("depth_at_faces").row(0);
    momentum += sum(mesh, Location::face, [&](Index k) -> Vector3 {
      const Vector3 normal = geometry.face_normal.col(k);
      Vector3 velocity = Vector3::Zero();
      for (int c = 0; c < 3; ++c) velocity += surface_velocity.col(mesh.faces(c, k)) / 3;
      const double flux = geometry.face_area[k] * depth[k] * velocity.dot(normal);
      return flux * geometry.centroid(mesh, k).cross(normal);
    });
  }
  Eigen::Map<Vector3>(result, 3) = now.simulation().scene().density * momentum;
}

/// A function of the index of a vertex: value(area, depth, potential vorticity) at wet vertices. At dry vertices, and where the
/// depth is only round-off of other depths, the potential vorticity has no meaning and the function returns `dry_value`.
template <class Value>
auto where_wet(Instant& now, double dry_value, Value value) {
  const Vector& area = now.discretization().find_output("vorticity")->area();
  const auto depth = now.output("depth_at_vertices").row(0);
  const auto q = now.output("potential_vorticity").row(0);
  constexpr double round_off = 1e-14;
  const double dry =
      std::max(now.simulation().scene().wet_depth,
               round_off * max(now.discretization().mesh(), Location::vertex, depth.transpose()));
  return [=, &area](Index i) { return depth[i] > dry ? value(area[i], depth[i], q[i]) : dry_value; };
}

/// ½ Σ A η q²
void potential_enstrophy(Instant& now, double* result) {
  *result =
      0.5 * sum(now.discretization().mesh(), Location::vertex,
                where_wet(now, 0, [](double area, double depth, double q) { return area * depth * q * q; }));
}

/// Σ A (ω + f_c): the circulation that has entered through boundaries; on closed surfaces only that of the frame.
void absolute_circulation(Instant& now, double* result) {
  *result = sum(now.discretization().mesh(), Location::vertex,
                where_wet(now, 0, [](double area, double depth, double q) { return area * depth * q; }));
}

/// The extreme, or NaN if it is infinite because everything is dry.
double or_nothing(double extreme) {
  return std::isinf(extreme) ? std::numeric_limits<double>::quiet_NaN() : extreme + 0.0;
}

void min_vorticity(Instant& now, double* result) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  *result = or_nothing(min(now.discretization().mesh(), Location::vertex,
                           where_wet(now, infinity, [](double, double, double q) { return q; })));
}

void largest_vorticity(Instant& now, double* result) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  *result = or_nothing(max(now.discretization().mesh(), Location::vertex,
                           where_wet(now, -infinity, [](double, double, double q) { return q; })));
}

}  // namespace

DiagnosticEntry rotation_diagnostic() {
  return {
      "rotation", [](const Simulation& simulation) -> std::vector<DiagnosticColumn> {
        const SceneInstance& scene = simulation.scene();
        if (!simulation.water().has_velocity() || !(simulation.moves() || !scene.forcing.rotation.isZero(0)))
          return {};
        return {
            {{"angular_momentum", "kg m^2/s", "ρ Σ Aη x×u about the origin, u = v + ẋ", 3}, angular_momentum},
            {{"absolute_circulation", "m^2/s", "Σ A (ω + f_c) over the vertices"}, absolute_circulation},
            {{"potential_vorticity_min", "1/(m s)",
              "smallest (ω + f_c)/η at the vertices; NaN if all are dry", 1, true},
             min_vorticity},
            {{"potential_vorticity_max", "1/(m s)", "largest (ω + f_c)/η at the vertices; NaN if all are dry",
              1, true},
             largest_vorticity},
            {{"potential_enstrophy", "1/s^2", "½ Σ Aη ((ω + f_c)/η)² over the vertices"},
             potential_enstrophy}};
      }};
}

}  // namespace shoal
