// Scene `laeuter-3`: an unsteady flow on a rotating sphere with a bed, of which the exact solution is known.
#include "experiments/scenes/planet.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// In the fixed frame the flow rotates about c without changing; in the frame of the planet its axis φ turns backwards, with n = x/R:
///
///     φ = R_z(−Ωt) c,    v = v₀ φ×n,    g(η + b) = k − ½(v₀ φ·n + Ωx₃)² + ½(Ωx₃)²,    b = (Ωx₃)²/2g.
struct TurningFlow {
  Vector3 axis;                                    // c
  double radius, level, gravity, speed, rotation;  // R, k/g, g, v₀, Ω

  Vector3 axis_at(double time) const { return Eigen::AngleAxisd(-rotation * time, Vector3::UnitZ()) * axis; }
  double bed_at(const Vector3& n) const {
    const double turned = rotation * radius * n.z();
    return 0.5 * turned * turned / gravity;
  }
  double depth_at(const Vector3& x, double time) const {
    const Vector3 n = x.normalized();
    const double total = speed * axis_at(time).dot(n) + rotation * radius * n.z();
    return level - 0.5 * total * total / gravity;
  }
  Vector3 velocity_at(const Vector3& x, double time) const {
    return speed * axis_at(time).cross(x.normalized());
  }
};

struct Laeuter3Options {
  PlanetOptions planet;
  double depth = 133681 / 9.80616;      ///< m
  double period = 12 * day;             ///< s
  double angle = std::numbers::pi / 4;  ///< rad
  static Options<Laeuter3Options> describe() {
    using O = Laeuter3Options;
    return Options<O>()
        .part(&O::planet, PlanetOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited,
                "k₁/g of the source, the depth where the water is at rest in the fixed frame")
        .number("period", "s", &O::period, min_positive, unlimited, "period of one revolution of the fluid")
        .number("angle", "rad", &O::angle, -unlimited, unlimited,
                "angle between the axis of the flow and the z axis, towards −x at t = 0");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const Laeuter3Options& options) {
  const TurningFlow flow{.axis = {-std::sin(options.angle), 0, std::cos(options.angle)},
                         .radius = options.planet.radius,
                         .level = options.depth,
                         .gravity = options.planet.fluid.gravity,
                         .speed = 2 * std::numbers::pi * options.planet.radius / options.period,
                         .rotation = options.planet.coriolis};
  SceneInstance instance = water_on_planet(surface, options.planet, options.depth);
  instance.bed_depth = [flow](const Vector3& x) { return flow.level - flow.bed_at(x.normalized()); };
  instance.initial.depth = [flow](const Vector3& x) { return flow.depth_at(x, 0); };
  instance.initial.velocity = [flow](const Vector3& x) { return flow.velocity_at(x, 0); };
  require_wet_start(instance, surface, "period, radius, gravity and coriolis");
  instance.references = {
      solution_at_points([flow](const Vector3& x, double time) { return flow.depth_at(x, time); },
                         [flow](const Vector3& x, double time) { return flow.velocity_at(x, time); })};
  instance.references.front().advection = true;
  instance.end = 5 * day;
  instance.sample_times = {1 * day, 5 * day};
  return instance;
}

}  // namespace

SceneEntry laeuter_3_scene() {
  return describe_scene(
      {.name = "laeuter-3",
       .summary = "unsteady flow around an axis inclined to that of a rotating sphere, over a bed (exact "
                  "nonlinear solution)",
       .source = "Läuter, Handorf & Dethloff 2005, example 3, doi:10.1016/j.jcp.2005.04.022",
       .default_mesh = "icosphere:4",
       .default_advection = "vector-invariant",
       .needs_edges = false},
      make);
}

}  // namespace shoal
