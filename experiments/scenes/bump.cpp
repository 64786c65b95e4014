// Scene `bump`: a Gaussian hump released at rest on any surface, which a push may hit while it runs, and
// whose frame may rotate.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/entries.hpp"

#include <cmath>

namespace shoal {
namespace {

/// The position of largest z; of several the one that comes first in the input, whatever our own numbering
/// is.
Vector3 highest_vertex(const Surface& surface) {
  Index best = 0;
  for (Index i = 1; i < surface.x.cols(); ++i) {
    const double z = surface.x(2, i), highest = surface.x(2, best);
    if (z > highest || (z == highest && surface.input_vertex[i] < surface.input_vertex[best])) best = i;
  }
  return surface.x.col(best);
}

/// aₙ = −g(1 + strength·exp(−(|x−center|/width)²)) while |t − time| < duration/2, else −g.
class AccelerationPulse {
 public:
  AccelerationPulse(const Surface& surface, const Parameters& parameters, const Vector3& center, double width)
      : at_rest_(Vector::Constant(surface.mesh.vertex_count, -parameters.number("gravity"))),
        time_(parameters.number("push_time")),
        duration_(parameters.number("push_duration")) {
    pushed_ = at_rest_;
    for (Index i = 0; i < surface.x.cols(); ++i)
      pushed_[i] *= 1 + parameters.number("push") *
                            std::exp(-(surface.x.col(i) - center).squaredNorm() / (width * width));
  }
  bool operator()(double time, Forcing& forcing) {
    const bool on = std::abs(time - time_) < 0.5 * duration_;
    if (on == on_) return false;
    on_ = on;
    forcing.normal_acceleration = on ? pushed_ : at_rest_;
    return true;
  }

 private:
  Vector at_rest_, pushed_;
  double time_, duration_;
  bool on_ = false;
};

SceneInstance make(const Surface& surface, const Geometry&, const Parameters& parameters) {
  const double depth = parameters.number("depth"), amplitude = parameters.number("amplitude");
  const double width = parameters.number("width");
  const Vector3 center =
      parameters.text("center").empty() ? highest_vertex(surface) : parameters.vector("center");
  require_wet(amplitude, depth);

  SceneInstance instance = still_water(surface, parameters, depth);
  instance.end = 1;
  instance.sample_times = {0.25, 0.5, 0.75, 1.0};
  instance.initial.depth = [=](const Vector3& x) {
    return depth + amplitude * std::exp(-(x - center).squaredNorm() / (width * width));
  };
  instance.forcing.rotation = parameters.number("coriolis") * parameters.direction("axis");
  if (parameters.number("push") != 0)
    instance.change_forcing = AccelerationPulse(surface, parameters, center, width);
  return instance;
}

}  // namespace

SceneEntry bump_scene() {
  SceneEntry entry;
  entry.name = "bump";
  entry.summary =
      "a hump amplitude·exp(−(|x−center|/width)²), |·| the straight distance, on any surface; with push, "
      "forced once from above";
  entry.source = "the plain scene for any mesh; no solution is known";
  entry.default_mesh = "icosphere:4";
  entry.default_dt = 1.0 / 60;
  entry.parameters =
      still_water_parameters() + body_acceleration_parameters() +
      ParameterInfos{
          number("amplitude", "m", 0.1, -unlimited, unlimited, "elevation at the center; more than -depth"),
          number("width", "m", 0.5, min_positive, unlimited,
                 "distance at which the elevation has fallen to 1/e"),
          text("center", "m", "",
               "position x,y,z; empty: the vertex of largest z, of several the first in the input"),
          number("push", "1", 0, 0, unlimited,
                 "peak of a normal acceleration push·g·exp(−(|x−center|/width)²) on top of g"),
          number("push_time", "s", 0.5, -unlimited, unlimited, "middle of the time that the push lasts"),
          number("push_duration", "s", 0.1, 0, unlimited, "how long it lasts"),
          number("coriolis", "rad/s", 0, -unlimited, unlimited,
                 "rate Ω at which the surface's frame rotates"),
          text("axis", "1", "0,0,1", "x,y,z, the axis of that rotation"),
      };
  entry.make = make;
  return entry;
}

}  // namespace shoal
