// Scene `torus-force`: still water on a torus, pushed from one side (Angst 2007, fig. 6.1).
#include "experiments/scenes/common.hpp"

#include <cmath>

namespace shoal {
namespace {

struct TorusForceOptions {
  StillWaterOptions water{.depth = 0.2};
  Vector3 from = Vector3::UnitX();
  double push = 0.5;           ///< over g
  double width = 0.5;          ///< m
  double push_duration = 0.5;  ///< s
  static Options<TorusForceOptions> describe() {
    using O = TorusForceOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .direction("from", "1", &O::from, "direction from which the push comes")
        .number("push", "1", &O::push, 0, unlimited, "largest acceleration / g")
        .number("width", "m", &O::width, min_positive, unlimited,
                "distance from its centre at which the push has fallen to 1/e")
        .number("push_duration", "s", &O::push_duration, 0, unlimited, "duration of the push, from t = 0");
  }
};

/// −strength·g·ê·exp(−(|x−p|/width)²) during the push, with p the point of the surface furthest along ê.
TimedForce side_push(const Surface& surface, const TorusForceOptions& options) {
  const Vector3 from = options.from;
  Eigen::Index furthest = 0;
  (from.transpose() * surface.x).maxCoeff(&furthest);
  const Vector3 point = surface.x.col(furthest);
  const double width = options.width, strength = options.push * options.water.fluid.gravity;
  return {.add =
              [=](double, const WaterNow& water, double share, ForceSum& sum) {
                Points& acceleration = sum.body_acceleration();
                for (Eigen::Index i = 0; i < acceleration.cols(); ++i)
                  acceleration.col(i) -=
                      share * strength *
                      std::exp(-(water.geometry.x.col(i) - point).squaredNorm() / (width * width)) * from;
              },
          .interval = {0, options.push_duration},
          .varies = false};
}

SceneInstance make(const Surface& surface, const Geometry&, const TorusForceOptions& options) {
  SceneInstance instance = still_water(surface, options.water);
  instance.end = 3;
  instance.sample_times = {0.5, 1, 2, 3};
  instance.forces = {side_push(surface, options)};
  return instance;
}

}  // namespace

SceneEntry torus_force_scene() {
  return describe_scene(
      {.name = "torus-force",
       .summary = "still water on a torus, or any other surface, pushed from one side by a force whose "
                  "normal part changes the pressure and whose tangential part drives the flow",
       .source = "Angst 2007, fig. 6.1",
       .default_mesh = "torus:32x24",
       .default_dt = 1.0 / 60},
      make);
}

}  // namespace shoal
