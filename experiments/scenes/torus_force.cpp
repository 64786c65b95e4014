// Scene `torus-force`: still water on a torus, pushed from one side (Angst 2007, fig. 6.1).
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/entries.hpp"

#include <cmath>

namespace shoal {
namespace {

/// −strength·g·ê·exp(−(|x−p|/width)²), p the point of the surface furthest along ê: a push from that side,
/// as long as it lasts.
class SidePush {
 public:
  SidePush(const Surface& surface, const Parameters& parameters)
      : duration_(parameters.number("push_duration")), field_(3, surface.x.cols()) {
    const Vector3 from = parameters.direction("from");
    Eigen::Index furthest = 0;
    (from.transpose() * surface.x).maxCoeff(&furthest);
    const Vector3 point = surface.x.col(furthest);
    const double width = parameters.number("width"),
                 strength = parameters.number("push") * parameters.number("gravity");
    for (Eigen::Index i = 0; i < surface.x.cols(); ++i)
      field_.col(i) =
          -strength * std::exp(-(surface.x.col(i) - point).squaredNorm() / (width * width)) * from;
  }

  bool operator()(double time, Forcing& forcing) {
    const bool on = time < duration_;
    if (on == on_) return false;
    on_ = on;
    if (on) {
      without_ = forcing.body_acceleration;
      forcing.body_acceleration = without_.size() ? without_ + field_ : field_;
    } else {
      forcing.body_acceleration = without_;
    }
    return true;
  }

 private:
  double duration_;
  Points field_, without_;
  bool on_ = false;
};

SceneInstance make(const Surface& surface, const Geometry&, const Parameters& parameters) {
  SceneInstance instance = still_water(surface, parameters, parameters.number("depth"));
  instance.end = 3;
  instance.sample_times = {0.5, 1, 2, 3};
  instance.change_forcing = SidePush(surface, parameters);
  return instance;
}

}  // namespace

SceneEntry torus_force_scene() {
  SceneEntry entry;
  entry.name = "torus-force";
  entry.summary =
      "still water on a torus, or any other surface, pushed from one side by a force in space, whose normal "
      "part presses and whose tangential part drives";
  entry.source = "Angst 2007, fig. 6.1";
  entry.default_mesh = "torus:32x24";
  entry.default_dt = 1.0 / 60;
  entry.parameters =
      still_water_parameters(0.2) + body_acceleration_parameters() +
      ParameterInfos{text("from", "1", "1,0,0", "the side that the push comes from"),
                     number("push", "1", 0.5, 0, unlimited, "largest acceleration, over g"),
                     number("width", "m", 0.5, min_positive, unlimited, "of the push, from its middle"),
                     number("push_duration", "s", 0.5, 0, unlimited, "how long it lasts, from t = 0")};
  entry.make = make;
  return entry;
}

}  // namespace shoal
