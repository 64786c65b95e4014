// Motion `breathing`: x = (1 + a s) X, s = sin 2πt/T.
#include "experiments/motions/common.hpp"

namespace shoal {
namespace {

struct BreathingOptions {
  double amplitude = 0.3;
  motion::Swing swing;
  static Options<BreathingOptions> describe() {
    using O = BreathingOptions;
    return Options<O>()
        .number("motion_amplitude", "1", &O::amplitude, -0.95, 0.95, "largest relative change")
        .part(&O::swing, motion::Swing::describe());
  }
};

Motion make(const Surface& surface, const BreathingOptions& options, std::uint64_t) {
  return breathing(surface.x, options.amplitude, options.swing.period);
}

}  // namespace

Motion breathing(const Points& rest, double amplitude, double period) {
  return Motion([=](double time, Points& x) { x = (1 + amplitude * motion::swing(time, period)) * rest; })
      .with_period(period);
}

MotionEntry breathing_motion() {
  return describe_motion({.name = "breathing", .summary = "all lengths about the origin oscillate"}, make);
}

}  // namespace shoal
