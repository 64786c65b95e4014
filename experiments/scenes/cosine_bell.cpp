// Scene `cosine-bell`: solid-body rotation carries a bell of water around a sphere. The velocity is prescribed; after a turn the bell
// must be what it was.
#include "experiments/scenes/planet.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// With the axis a and the period T, at the angle r from the centre c of the bell,
///
///     v = 2π/T a×x,    h = ½h₀ (1 + cos(πr/r₀)) where r < r₀,    c(t) = R_a(2πt/T) c,    r₀ = 1/3.
struct TurningBell {
  Vector3 axis, centre;
  double height, rate;  // h₀, 2π/T

  double elevation_at(const Vector3& x, double time) const {
    constexpr double width = 1.0 / 3;
    const double r = angle_between(Eigen::AngleAxisd(rate * time, axis) * centre, x);
    return r < width ? 0.5 * height * (1 + std::cos(std::numbers::pi * r / width)) : 0;
  }
};

/// The velocity is held, so that gravity acts only through the wave speed in the fluxes of finite volumes. The default makes it
/// negligible (1 mm/s): these fluxes are then those of the upstream side.
struct CosineBellOptions {
  double radius = 6.37122e6;  ///< R, m
  FluidOptions fluid{.gravity = 1e-9};
  double height = 1000;      ///< h₀, m
  double background = 0;     ///< m
  double period = 12 * day;  ///< s
  double angle = 0;          ///< rad
  static Options<CosineBellOptions> describe() {
    using O = CosineBellOptions;
    return Options<O>()
        .number("radius", "m", &O::radius, min_positive, unlimited, "radius of the sphere")
        .part(&O::fluid, FluidOptions::describe())
        .number("height", "m", &O::height, min_positive, unlimited, "height of the bell")
        .number("background", "m", &O::background, 0, unlimited,
                "depth around the bell, for schemes without an upstream flux; elevations are relative to it")
        .number("period", "s", &O::period, min_positive, unlimited, "period of one revolution of the fluid")
        .number("angle", "rad", &O::angle, -unlimited, unlimited,
                "angle between the axis of the flow and the z axis, towards −x");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const CosineBellOptions& options) {
  require_sphere(surface, options.radius);
  const TurningBell bell{.axis = {-std::sin(options.angle), 0, std::cos(options.angle)},
                         .centre = -Vector3::UnitY(),
                         .height = options.height,
                         .rate = 2 * std::numbers::pi / options.period};
  const double background = options.background;
  SceneInstance instance = still_water(surface, options.fluid, background);
  instance.depth = background + options.height;
  instance.holds_velocity = true;
  instance.initial.velocity = [bell](const Vector3& x) -> Vector3 { return bell.rate * bell.axis.cross(x); };
  const auto depth_at = [bell, background](const Vector3& x, double time) {
    return background + bell.elevation_at(x, time);
  };
  instance.initial.depth = [depth_at](const Vector3& x) { return depth_at(x, 0); };
  instance.references = {solution_at_points(depth_at, {})};
  instance.end = options.period;
  instance.sample_times = {0.5 * instance.end, instance.end};
  return instance;
}

}  // namespace

SceneEntry cosine_bell_scene() {
  return describe_scene(
      {.name = "cosine-bell",
       .summary =
           "a bell of water is carried once around a sphere by a prescribed solid-body rotation, by the "
           "mass flux of the scheme alone; fefv and dec require a Runge-Kutta method of order 3 or more "
           "and a background depth",
       .source = "Williamson et al. 1992, test case 1, doi:10.1016/S0021-9991(05)80016-6",
       .default_mesh = "icosphere:4",
       .needs_edges = false},
      make);
}

}  // namespace shoal
