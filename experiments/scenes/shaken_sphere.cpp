// Scene `shaken-sphere`: water on a sphere shaken along a line. Only the lowest wave is forced, and its motion is
// known.
#include "experiments/motions/moving_options.hpp"
#include "experiments/scenes/common.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

struct ShakenSphereOptions {
  StillWaterOptions water;
  MovingOptions moving{.surface = {CarriedVelocity::barycentric}, .inertia = {.inertia = true}};
  double radius = 1;        ///< m
  double amplitude = 1e-4;  ///< X, m
  Vector3 axis{0.3, -0.5, 1};
  std::string angular_frequency = "auto";  ///< Ω, rad/s
  bool starts_forced = true;
  static Options<ShakenSphereOptions> describe() {
    using O = ShakenSphereOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .part(&O::moving, MovingOptions::describe())
        .number("radius", "m", &O::radius, min_positive, unlimited, "radius of the sphere")
        .number("amplitude", "m", &O::amplitude, 0, unlimited, "X, small compared with the depth")
        .direction("axis", "1", &O::axis, "ê, direction of the motion")
        .text("angular_frequency", "rad/s", &O::angular_frequency, "Ω ≤ 0.7 ω₁; auto: 0.6 ω₁, ω₁ = √(2gH)/R")
        .choice("start", &O::starts_forced, {{"forced", true}, {"rest", false}},
                "initial velocity: that of the forced wave, or zero");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const ShakenSphereOptions& options) {
  const double depth = options.water.depth, radius = options.radius, displacement = options.amplitude;
  require_sphere(surface, radius);
  const Vector3 axis = options.axis;
  SceneInstance instance = still_water(surface, options.water);
  const double own = std::sqrt(2 * instance.gravity * depth) / radius;  // ω₁
  const std::string& given = options.angular_frequency;
  const double forced =
      given == "auto" ? 0.6 * own : parse_parameter(given, "angular_frequency", "a number or auto");
  if (!(forced > 0 && forced <= 0.7 * own))
    throw parameter_error("angular_frequency",
                          fmt::format("{} is not in (0, {:.6g}], 0.7 times the lowest frequency of the water",
                                      given, 0.7 * own));
  // h = c(t) ê·(x−X)/R. The surface's acceleration a = −XΩ² sin Ωt ê drives c_tt = −ω₁² c − (2H/R)(1+H/2R)
  // ê·a.
  const double response = 2 * depth / radius * (1 + 0.5 * depth / radius) * displacement * forced * forced /
                          (own * own - forced * forced);
  const bool starts_forced = options.starts_forced;
  // The deficit of c_t(0) relative to the forced wave, / response: all of it for a start at rest; and a surface that starts suddenly
  // with the speed XΩ gives the water an impulse, (2H/R)(1+H/2R) XΩ.
  double lacking = starts_forced ? 0 : forced;
  if (!options.moving.inertia.continued) lacking += (own * own - forced * forced) / forced;
  const auto amplitude = [=](double time) {
    return response * (std::sin(forced * time) - lacking / own * std::sin(own * time));
  };
  const double period = 2 * std::numbers::pi / forced;
  instance.end = 2 * period;
  // Where the elevation is largest.
  instance.sample_times = {0.25 * period, 0.75 * period, 1.25 * period, 1.75 * period};
  instance.motion = shake(surface.x, displacement * axis, period);
  if (starts_forced)  // −H∇·v = h_t
    instance.initial.velocity = [=](const Vector3&) -> Vector3 {
      return response * forced * radius / (2 * depth) * axis;
    };
  instance.references = {{"", [=](const Points& points, double time, Vector& values) {
                            const Vector3 middle = displacement * std::sin(forced * time) * axis;
                            values.resize(points.cols());
                            for (Eigen::Index i = 0; i < points.cols(); ++i)
                              values[i] =
                                  depth + amplitude(time) * axis.dot((points.col(i) - middle).normalized());
                          }}};
  if (!options.moving.inertia.inertia)
    instance.drop_references("it requires the inertia of the surface, inertia = on");
  return instance;
}

}  // namespace

SceneEntry shaken_sphere_scene() {
  return describe_scene(
      {.name = "shaken-sphere",
       .summary = "a sphere shaken along a line, x = X sin Ωt ê, with the inertia of the water: only Y₁ is "
                  "forced, h_tt = −(2gH/R²) h − (2H/R²)(1+H/2R) a·x",
       .source = "linear theory: the tangential part of −a and ½η∇aₙ are gradients of a·x",
       .default_mesh = "icosphere:4",
       .default_dt = 1.0 / 240},
      make);
}

}  // namespace shoal
