// Scene `williamson-2`: steady zonal flow in geostrophic balance on a rotating sphere. Any change is an error.
#include "experiments/scenes/common.hpp"

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

constexpr double day = 86400;

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
  double radius = 6.37122e6;  ///< m
  FluidOptions fluid{.gravity = 9.80616};
  double depth = 2.94e4 / 9.80616;  ///< m
  double period = 12 * day;         ///< s
  double coriolis = 7.292e-5;       ///< Ω, rad/s
  double angle = 0;                 ///< rad
  static Options<Williamson2Options> describe() {
    using O = Williamson2Options;
    return Options<O>()
        .number("radius", "m", &O::radius, min_positive, unlimited, "radius of the sphere")
        .part(&O::fluid, FluidOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited, "depth at the equator of the flow")
        .number("period", "s", &O::period, min_positive, unlimited, "period of one revolution of the fluid")
        .number("coriolis", "rad/s", &O::coriolis, -unlimited, unlimited, "angular velocity Ω of the frame")
        .number("angle", "rad", &O::angle, -unlimited, unlimited,
                "angle between the axis of both rotations and the z axis, towards −x");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const Williamson2Options& options) {
  const double radius = options.radius, angle = options.angle;
  require_sphere(surface, radius);
  const ZonalFlow flow{.axis = {-std::sin(angle), 0, std::cos(angle)},
                       .radius = radius,
                       .depth = options.depth,
                       .gravity = options.fluid.gravity,
                       .speed = 2 * std::numbers::pi * radius / options.period,
                       .rotation = options.coriolis};
  require_wet(flow.depth_at(flow.axis) - flow.depth, flow.depth, "period");
  SceneInstance instance = still_water(surface, options.fluid, flow.depth);
  instance.initial.depth = [flow](const Vector3& x) { return flow.depth_at(x); };
  instance.initial.velocity = [flow](const Vector3& x) { return flow.velocity_at(x); };
  instance.forcing.rotation = flow.rotation * flow.axis;
  instance.references = {{"",
                          [flow](const Points& points, double /*time*/, Vector& depth) {
                            depth.resize(points.cols());
                            for (Eigen::Index i = 0; i < points.cols(); ++i)
                              depth[i] = flow.depth_at(points.col(i));
                          },
                          [flow](const Vector3& x, double) { return flow.velocity_at(x); }, true}};
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
       .default_dt = 300},
      make);
}

}  // namespace shoal
