// Shared parts of motions: common options, and the entry made from options and a formula.
#pragma once

#include "experiments/motions/motion.hpp"
#include "experiments/motions/moving_options.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace shoal {

namespace motion {

constexpr double two_pi = 2 * std::numbers::pi;
constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double min_positive = 1e-12;  ///< smallest value accepted where it must be positive

inline double swing(double time, double period) {
  return std::sin(two_pi * time / period);
}

struct Axis {
  Vector3 direction = Vector3::UnitZ();
  static Options<Axis> describe() {
    return Options<Axis>().direction("motion_axis", "1", &Axis::direction, "direction x,y,z of the axis");
  }
};

struct Swing {
  double period = 2;  ///< s
  static Options<Swing> describe() {
    return Options<Swing>().number("motion_period", "s", &Swing::period, min_positive, unlimited,
                                   "period of the oscillation");
  }
};

}  // namespace motion

/// The entry of a motion with these options and MovingOptions.
template <class MotionOptions>
MotionEntry describe_motion(MotionEntry entry,
                            Motion (*make)(const Surface&, const MotionOptions&, std::uint64_t seed)) {
  entry.parameters = describe_options<MotionOptions>();
  for (ParameterInfo& info : describe_options<MovingOptions>()) entry.parameters.push_back(std::move(info));
  entry.make = [make](const Surface& surface, const Parameters& parameters, std::uint64_t seed) {
    return make(surface, read_options<MotionOptions>(parameters), seed);
  };
  return entry;
}

}  // namespace shoal
