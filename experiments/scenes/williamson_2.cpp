// Scene `williamson-2`: steady zonal flow in geostrophic balance on a rotating sphere. Any change is an error.
#include "experiments/scenes/planet.hpp"

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// With the common axis a, the speed u₀ of the flow at its equator and the angular velocity Ω of the frame,
///
///     v = u₀ a×x/R,    η = H − (RΩu₀ + ½u₀²) (a·x/R)²/g;
///
/// v·∇v + f n×v + g∇η = 0 with f = 2Ω a·x/R, and η v is divergence-free.
struct ZonalFlow {
  Vector3 axis;
  double radius, depth, gravity, speed, rotation;

  double depth_at(const Vector3& x) const {
    const double sine = axis.dot(x.normalized());
    return depth - (radius * rotation * speed + 0.5 * speed * speed) * sine * sine / gravity;
  }
  Vector3 velocity_at(const Vector3& x) const { return speed * axis.cross(x.normalized()); }
};

struct Williamson2Options {
  PlanetOptions planet;
  double depth = 2.94e4 / 9.80616;  ///< m
  double period = 12 * day;         ///< s
  double angle = 0;                 ///< rad
  static Options<Williamson2Options> describe() {
    using O = Williamson2Options;
    return Options<O>()
        .part(&O::planet, PlanetOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited, "depth at the equator of the flow")
        .number("period", "s", &O::period, min_positive, unlimited, "period of one revolution of the fluid")
        .number("angle", "rad", &O::angle, -unlimited, unlimited,
                "angle between the axis of both rotations and the z axis, towards −x");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const Williamson2Options& options) {
  const ZonalFlow flow{.axis = {-std::sin(options.angle), 0, std::cos(options.angle)},
                       .radius = options.planet.radius,
                       .depth = options.depth,
                       .gravity = options.planet.fluid.gravity,
                       .speed = 2 * std::numbers::pi * options.planet.radius / options.period,
                       .rotation = options.planet.coriolis};
  SceneInstance instance = water_on_planet(surface, options.planet, options.depth, flow.axis);
  require_deep(flow.depth, flow.depth - flow.depth_at(flow.axis), "period, radius, gravity and coriolis");
  instance.initial.depth = [flow](const Vector3& x) { return flow.depth_at(x); };
  instance.initial.velocity = [flow](const Vector3& x) { return flow.velocity_at(x); };
  instance.references = {
      solution_at_points([flow](const Vector3& x, double) { return flow.depth_at(x); },
                         [flow](const Vector3& x, double) { return flow.velocity_at(x); })};
  instance.references.front().advection = true;
  instance.end = 5 * day;
  instance.sample_times = {1 * day, 5 * day};
  return instance;
}

}  // namespace

SceneEntry williamson_2_scene() {
  return describe_scene(
      {.name = "williamson-2",
       .summary =
           "steady zonal flow in geostrophic balance on a rotating sphere, about an axis at any angle to "
           "that of the mesh; requires an advection scheme (--advection)",
       .source = "Williamson et al. 1992, test case 2, doi:10.1016/S0021-9991(05)80016-6",
       .default_mesh = "icosphere:4",
       .default_dt = 300,
       .needs_edges = false},
      make);
}

}  // namespace shoal
