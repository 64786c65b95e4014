// Scene `williamson-5`: zonal flow meets a mountain and sheds a train of Rossby waves.
#include "experiments/scenes/planet.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// Before it meets the mountain, the flow is that of williamson-2; the bed is a cone,
///
///     v = u₀ e₃×x/R,    η + b = H − (RΩu₀ + ½u₀²) sin²θ/g,    b = b₀ (1 − r/r₀) where r < r₀,
///
/// with r² = (λ − λ₀)² + (θ − θ₀)². The cone has no continuous slope at its top and its foot; to show what that costs, b = b₀ exp(−4r²/r₀²)
/// is a smooth mountain of nearly the same volume (π/4 r₀² b₀ instead of π/3 r₀² b₀).
struct FlowOverMountain {
  double radius, depth, gravity, speed, rotation;  // R, H, g, u₀, Ω
  double height;                                   // b₀
  bool smooth;

  double bed_at(const Vector3& x) const {
    constexpr double middle = -std::numbers::pi / 2, latitude_of_top = std::numbers::pi / 6,
                     extent = std::numbers::pi / 9;
    const double east = std::remainder(longitude(x) - middle, 2 * std::numbers::pi),
                 north = latitude(x) - latitude_of_top;
    const double r = std::hypot(east, north) / extent;  // r/r₀
    return height * (smooth ? std::exp(-4 * r * r) : std::max(0.0, 1 - r));
  }
  double depth_at(const Vector3& x) const {
    const double sine = x.normalized().z();
    return depth - (radius * rotation * speed + 0.5 * speed * speed) * sine * sine / gravity - bed_at(x);
  }
};

struct Williamson5Options {
  PlanetOptions planet;
  double depth = 5960;     ///< m
  double speed = 20;       ///< m/s
  double mountain = 2000;  ///< m
  bool smooth = false;
  static Options<Williamson5Options> describe() {
    using O = Williamson5Options;
    return Options<O>()
        .part(&O::planet, PlanetOptions::describe())
        .number("depth", "m", &O::depth, min_positive, unlimited, "H, depth at the equator")
        .number("speed", "m/s", &O::speed, -unlimited, unlimited, "u₀, speed of the flow at the equator")
        .number("mountain", "m", &O::mountain, -unlimited, unlimited,
                "height of the mountain at 90° west, 30° north; 0: the steady flow of williamson-2")
        .choice("mountain_shape", &O::smooth, {{"cone", false}, {"smooth", true}},
                "cone: of Williamson et al.; smooth: b₀ exp(−4r²/r₀²)");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const Williamson5Options& options) {
  const FlowOverMountain flow{.radius = options.planet.radius,
                              .depth = options.depth,
                              .gravity = options.planet.fluid.gravity,
                              .speed = options.speed,
                              .rotation = options.planet.coriolis,
                              .height = options.mountain,
                              .smooth = options.smooth};
  SceneInstance instance = water_on_planet(surface, options.planet, options.depth);
  instance.bed_depth = [flow](const Vector3& x) { return flow.depth - flow.bed_at(x); };
  instance.initial.depth = [flow](const Vector3& x) { return flow.depth_at(x); };
  instance.initial.velocity = [flow](const Vector3& x) -> Vector3 {
    return flow.speed * Vector3::UnitZ().cross(x.normalized());
  };
  require_wet_start(instance, surface, "speed, mountain, radius, gravity and coriolis");
  instance.end = 15 * day;
  instance.sample_times = {5 * day, 10 * day, 15 * day};
  return instance;
}

}  // namespace

SceneEntry williamson_5_scene() {
  return describe_scene({.name = "williamson-5",
                         .summary = "zonal flow on a rotating sphere meets a mountain",
                         .source = "Williamson et al. 1992, test case 5, doi:10.1016/S0021-9991(05)80016-6",
                         .default_mesh = "icosphere:5",
                         .default_advection = "vector-invariant",
                         .needs_edges = false},
                        make);
}

}  // namespace shoal
