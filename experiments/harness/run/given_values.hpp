// How fast given forces, rain and boundary values vary in time, for the choice of steps.
#pragma once

#include "discretizations/common/types.hpp"

#include <functional>
#include <vector>

namespace shoal {

class GivenValues {
 public:
  using Sample = std::function<Vector(double time)>;  ///< at a few points
  /// `end`, s, of the run, over which the largest value is estimated. Variations below `negligible` do not matter.
  void add(Sample sample, double end, double negligible);
  /// The longest of dt, dt/2, dt/4, … within which, after `time`, no value departs from its linear interpolation by more than
  /// `tolerance` times its largest value, or the last one above `shortest`, which then steps over a jump. Looks at a few instants, so
  /// that it may miss a short pulse. The sine of a period T departs by up to (2πdt/T)²/8.
  double resolved(double time, double dt, double tolerance, double shortest) const;
  /// Whether all values are so resolved by this step.
  bool are_resolved(double time, double dt, double tolerance) const;

 private:
  struct Series {
    Sample sample;
    double largest, negligible;
  };
  static bool is_resolved(const Series& series, double time, double dt, double tolerance);
  std::vector<Series> all_;
};

}  // namespace shoal
