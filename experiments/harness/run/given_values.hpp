// How fast given forces, rain and boundary values vary in time, for the choice of steps.
#pragma once

#include "discretizations/common/types.hpp"

#include <functional>
#include <vector>

namespace shoal {

class GivenValues {
 public:
  using Sample = std::function<Vector(double time)>;  ///< at a few points
  /// `end`, s, of the run, over which the largest value is estimated.
  void add(Sample sample, double end);
  /// The longest of dt, dt/2, …, dt/1024 within which, after `time`, no value departs from its linear interpolation by more than
  /// `tolerance` times its largest value. Looks at a few instants, so that it may miss a short pulse. The sine of a period T
  /// departs by up to (2πdt/T)²/8.
  double resolved(double time, double dt, double tolerance) const;

 private:
  struct Series {
    Sample sample;
    double largest;
  };
  std::vector<Series> all_;
};

}  // namespace shoal
