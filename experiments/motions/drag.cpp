// Motion `drag`: x = X + d s(t/T), s = 6τ⁵ − 15τ⁴ + 10τ³, from rest to rest with continuous acceleration.
#include "experiments/motions/common.hpp"

#include <algorithm>

namespace shoal {
namespace {

struct DragOptions {
  Vector3 displacement = Vector3(1, 0, 0);  ///< m
  double duration = 3;                      ///< s
  static Options<DragOptions> describe() {
    using O = DragOptions;
    return Options<O>()
        .vector("drag_displacement", "m", &O::displacement, "d, displacement of the surface, x,y,z")
        .number("drag_duration", "s", &O::duration, motion::min_positive, motion::unlimited,
                "T, duration of the motion");
  }
};

Motion make(const Surface& surface, const DragOptions& options, std::uint64_t) {
  return drag(surface.x, options.displacement, options.duration);
}

}  // namespace

Motion drag(const Points& rest, const Vector3& displacement, double duration) {
  return Motion([=](double time, Points& x) {
           const double tau = std::clamp(time / duration, 0.0, 1.0);
           x = rest.colwise() + displacement * (tau * tau * tau * (10 + tau * (6 * tau - 15)));
         })
      .with_period(duration)
      .with_corners({0, duration});
}

MotionEntry drag_motion() {
  return describe_motion(
      {.name = "drag", .summary = "the whole surface is dragged to another place, from rest to rest"}, make);
}

}  // namespace shoal
