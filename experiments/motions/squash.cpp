// Motion `squash`: the component of X along an axis, times 1 + a s, s = sin 2πt/T.
#include "experiments/motions/common.hpp"

namespace shoal {
namespace {

struct SquashOptions {
  double amplitude = 0.8;
  motion::Axis axis;
  motion::Swing swing;
  static Options<SquashOptions> describe() {
    using O = SquashOptions;
    return Options<O>()
        .number("motion_amplitude", "1", &O::amplitude, -0.95, 0.95, "largest relative change")
        .part(&O::axis, motion::Axis::describe())
        .part(&O::swing, motion::Swing::describe());
  }
};

Motion make(const Surface& surface, const SquashOptions& options, std::uint64_t) {
  return squash(surface.x, options.axis.direction, options.amplitude, options.swing.period);
}

}  // namespace

Motion squash(const Points& rest, const Vector3& axis, double amplitude, double period) {
  const Points along = axis * (axis.transpose() * rest);
  return Motion([=](double time, Points& x) { x = rest + amplitude * motion::swing(time, period) * along; })
      .with_period(period);
}

MotionEntry squash_motion() {
  return describe_motion(
      {.name = "squash", .summary = "the surface is stretched and compressed along one axis"}, make);
}

}  // namespace shoal
