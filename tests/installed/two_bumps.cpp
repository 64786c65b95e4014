// Scene `two-bumps`: two Gaussian humps released at rest on any surface, h = Σ a exp(−(|x − xᵢ|/w)²).
#include "experiments/scenes/common.hpp"

#include <cmath>

namespace shoal {
namespace {

struct TwoBumpsOptions {
  StillWaterOptions water;
  double amplitude = 0.1, width = 0.3;  ///< a, w, m
  Vector3 first = Vector3::UnitZ(), second = Vector3::UnitY();
  static Options<TwoBumpsOptions> describe() {
    using O = TwoBumpsOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("amplitude", "m", &O::amplitude, -unlimited, unlimited,
                "elevation at the centers; more than -depth")
        .number("width", "m", &O::width, min_positive, unlimited,
                "distance at which the elevation has fallen to 1/e")
        .vector("first", "m", &O::first, "position x,y,z of one center")
        .vector("second", "m", &O::second, "position x,y,z of the other");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const TwoBumpsOptions& options) {
  require_wet(options.amplitude, options.water.depth);
  SceneInstance instance = still_water(surface, options.water);
  instance.end = 1;
  instance.sample_times = {0.5, 1};
  instance.initial.depth = [options](const Vector3& x) {
    const auto hump = [&](const Vector3& center) {
      return options.amplitude * std::exp(-(x - center).squaredNorm() / (options.width * options.width));
    };
    return options.water.depth + hump(options.first) + hump(options.second);
  };
  return instance;
}

}  // namespace

SceneEntry two_bumps_scene() {
  return describe_scene(
      {.name = "two-bumps",
       .summary = "two humps amplitude·exp(−(|x−xᵢ|/width)²) released at rest on any surface",
       .source = "an example; no solution is known",
       .default_mesh = "icosphere:3"},
      make);
}

}  // namespace shoal
