// Scene `breathing-sphere`: still water on a sphere whose radius oscillates. Only the depth changes.
#include "experiments/motions/moving_options.hpp"
#include "experiments/scenes/common.hpp"

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

struct BreathingSphereOptions {
  StillWaterOptions water;
  MovingOptions moving;
  double amplitude = 0.3;
  double period = 1;  ///< s
  static Options<BreathingSphereOptions> describe() {
    using O = BreathingSphereOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .part(&O::moving, MovingOptions::describe())
        .number("amplitude", "1", &O::amplitude, 0, 0.9, "amplitude of the radius / R₀")
        .number("period", "s", &O::period, min_positive, unlimited, "period of the oscillation");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const BreathingSphereOptions& options) {
  const double depth = options.water.depth, amplitude = options.amplitude, period = options.period;
  const auto growth = [=](double time) {  // R(t)/R(0)
    return 1 + amplitude * std::sin(2 * std::numbers::pi * time / period);
  };
  SceneInstance instance = still_water(surface, options.water);
  instance.end = 2 * period;
  instance.sample_times = {0.25 * period, 0.75 * period, 2 * period};
  instance.motion = breathing(surface.x, amplitude, period);
  instance.references = {{"", [growth, depth](const Points& points, double time, Vector& exact) {
                            exact.setConstant(points.cols(), depth / (growth(time) * growth(time)));
                          }}};
  instance.references.front().still = true;
  return instance;
}

}  // namespace

SceneEntry breathing_sphere_scene() {
  return describe_scene(
      {.name = "breathing-sphere",
       .summary =
           "still water on a sphere that expands and contracts about the origin: η = η₀ (R₀/R)²; on other "
           "surfaces the water stays at rest only with carried_velocity = barycentric",
       .source = "conservation of mass",
       .default_mesh = "icosphere:4",
       .default_dt = 1.0 / 60},
      make);
}

}  // namespace shoal
