// Motion `shake`: x = X + a s along a direction, s = sin 2πt/T.
#include "experiments/motions/common.hpp"

namespace shoal {
namespace {

struct ShakeOptions {
  double amplitude = 0.1;  ///< m
  motion::Axis axis;
  motion::Swing swing;
  static Options<ShakeOptions> describe() {
    using O = ShakeOptions;
    return Options<O>()
        .number("motion_amplitude", "m", &O::amplitude, 0, motion::unlimited, "largest displacement")
        .part(&O::axis, motion::Axis::describe())
        .part(&O::swing, motion::Swing::describe());
  }
};

Motion make(const Surface& surface, const ShakeOptions& options, std::uint64_t) {
  return shake(surface.x, options.amplitude * options.axis.direction, options.swing.period);
}

}  // namespace

Motion shake(const Points& rest, const Vector3& displacement, double period) {
  return Motion(
             [=](double time, Points& x) { x = rest.colwise() + displacement * motion::swing(time, period); })
      .with_period(period);
}

MotionEntry shake_motion() {
  return describe_motion({.name = "shake", .summary = "the surface oscillates along a line"}, make);
}

}  // namespace shoal
