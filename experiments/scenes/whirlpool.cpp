// Scene `whirlpool`: still water in a square basin, driven around its middle for a while (Lee & O'Sullivan 2007, section 5).
#include "experiments/scenes/common.hpp"

#include <cmath>

namespace shoal {
namespace {

struct WhirlpoolOptions {
  StillWaterOptions water;
  double push = 0.25;        ///< m/s²
  double push_radius = 0.2;  ///< of the shorter side
  double push_duration = 2;  ///< s
  static Options<WhirlpoolOptions> describe() {
    using O = WhirlpoolOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("push", "m/s^2", &O::push, -unlimited, unlimited,
                "largest acceleration, at push_radius from the middle; positive: counter-clockwise")
        .number("push_radius", "1", &O::push_radius, min_positive, unlimited,
                "distance of the largest acceleration from the middle, over the shorter side")
        .number("push_duration", "s", &O::push_duration, 0, unlimited, "duration of the push, from t = 0");
  }
};

/// a (r/R) exp(½(1 − (r/R)²)) around the middle, at most a, at r = R.
TimedForce turning_push(const Vector3& middle, double radius, const WhirlpoolOptions& options) {
  const double strength = options.push;
  return {.add =
              [=](double, const WaterNow& water, double share, ForceSum& sum) {
                Points& acceleration = sum.body_acceleration();
                for (Eigen::Index i = 0; i < acceleration.cols(); ++i) {
                  const Vector3 from = (water.geometry.x.col(i) - middle) / radius;
                  acceleration.col(i) += share * strength * std::exp(0.5 * (1 - from.squaredNorm())) *
                                         Vector3(-from.y(), from.x(), 0);
                }
              },
          .interval = {0, options.push_duration},
          .varies = false};
}

SceneInstance make(const Surface& surface, const Geometry&, const WhirlpoolOptions& options) {
  require_flat_basin(surface);
  const Vector3 low = surface.x.rowwise().minCoeff(), size = surface.x.rowwise().maxCoeff() - low;
  SceneInstance instance = still_water(surface, options.water);
  instance.forces = {
      turning_push(low + 0.5 * size, options.push_radius * std::min(size.x(), size.y()), options)};
  instance.end = 10;
  instance.sample_times = {2, 5, 10};
  return instance;
}

}  // namespace

SceneEntry whirlpool_scene() {
  return describe_scene(
      {.name = "whirlpool",
       .summary = "still water in a basin, driven around its middle for a while, then left to itself",
       .source = "Lee & O'Sullivan 2007, section 5",
       .default_mesh = "rectangle:100x100:10x10:structured",
       .default_advection = "vector-invariant"},
      make);
}

}  // namespace shoal
