// Motion `turning`: X rotated about an axis through the origin by α(t), α' = Ω(t).
#include "experiments/motions/common.hpp"

#include <Eigen/Geometry>

#include <algorithm>

namespace shoal {
namespace {

enum class Course { swing, steady, pulse, ramp };

struct TurningOptions {
  double rate = 1;  ///< rad/s
  Course course = Course::swing;
  motion::Axis axis{Vector3(0.3, -0.5, 1).normalized()};
  motion::Swing swing;
  static Options<TurningOptions> describe() {
    using O = TurningOptions;
    return Options<O>()
        .number("motion_rate", "rad/s", &O::rate, -motion::unlimited, motion::unlimited,
                "Ω₁, largest angular velocity of the surface")
        .choice(
            "motion_course", &O::course,
            {{"swing", Course::swing},
             {"steady", Course::steady},
             {"pulse", Course::pulse},
             {"ramp", Course::ramp}},
            "Ω(t). swing: Ω₁ sin 2πt/T; steady: Ω₁; pulse: Ω₁ sin² πt/T until T, then 0; ramp: smoothly from "
            "0 at t = 0 to Ω₁ at T, then constant")
        .part(&O::axis, motion::Axis::describe())
        .part(&O::swing, motion::Swing::describe());
  }
};

/// α(t)
double angle(const TurningOptions& o, double t) {
  const double period = o.swing.period, phase = motion::two_pi * t / period,
               within = std::clamp(t, 0.0, period);
  switch (o.course) {
    case Course::swing:
      return o.rate * period / motion::two_pi * (1 - std::cos(phase));
    case Course::steady:
      return o.rate * t;
    case Course::pulse:
      return 0.5 * o.rate * (within - period / motion::two_pi * std::sin(motion::two_pi * within / period));
    case Course::ramp:  // Ω = ½Ω₁ (1 − cos πt/T)
      return 0.5 * o.rate *
                 (within - period / std::numbers::pi * std::sin(std::numbers::pi * within / period)) +
             o.rate * std::max(0.0, t - period);
  }
  return 0;
}

Motion make(const Surface& surface, const TurningOptions& options, std::uint64_t) {
  Motion motion = [=, rest = surface.x](double time, Points& x) {
    x = Eigen::AngleAxisd(angle(options, time), options.axis.direction).toRotationMatrix() * rest;
  };
  if (options.course != Course::steady) motion.shortest_period = options.swing.period;
  if (options.course == Course::pulse || options.course == Course::ramp)
    motion.corners = {0, options.swing.period};
  return motion;
}

}  // namespace

MotionEntry turning_motion() {
  return describe_motion(
      {.name = "turning",
       .summary =
           "the surface rotates about an axis through the origin at a variable rate; its effect on water "
           "requires an advection scheme (--advection)",
       .stays_on_sphere = true},
      make);
}

}  // namespace shoal
