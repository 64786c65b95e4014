// A surface whose positions are a known function of time.
#pragma once

#include "discretizations/common/types.hpp"

#include <concepts>
#include <functional>
#include <limits>
#include <vector>

namespace shoal {

/// The positions x [3, nV], m, at a time in s; at t < 0 the positions before the start.
class Motion {
 public:
  Motion() = default;
  template <std::invocable<double, Points&> Positions>
  Motion(Positions positions) : positions_(std::move(positions)) {}
  void operator()(double time, Points& x) const { positions_(time, x); }
  explicit operator bool() const { return static_cast<bool>(positions_); }

  Motion with_period(double period) && {
    shortest_period = period;
    return std::move(*this);
  }
  Motion with_corners(std::vector<double> times) && {
    corners = std::move(times);
    return std::move(*this);
  }

  double shortest_period = std::numeric_limits<double>::infinity();  ///< s, or duration
  std::vector<double>
      corners;  ///< s, times at which a derivative with respect to time may jump, in any order

 private:
  std::function<void(double, Points&)> positions_;
};

/// ẋ by the fourth-order central difference over ±2δ, m/s. `work` is overwritten.
inline void surface_velocity(const Motion& motion, double time, double delta, Points& work,
                             Points& velocity) {
  motion(time + delta, velocity);
  motion(time - delta, work);
  velocity = (velocity - work) * 8;
  motion(time + 2 * delta, work);
  velocity -= work;
  motion(time - 2 * delta, work);
  velocity = (velocity + work) / (12 * delta);
}

/// ẍ by the fourth-order central difference over ±2δ, m/s². `work` is overwritten.
inline void surface_acceleration(const Motion& motion, double time, double delta, Points& work,
                                 Points& acceleration) {
  motion(time, work);
  acceleration = -30 * work;
  for (const int sign : {-1, 1}) {
    motion(time + sign * delta, work);
    acceleration += 16 * work;
    motion(time + 2 * sign * delta, work);
    acceleration -= work;
  }
  acceleration /= 12 * delta * delta;
}

/// First or second derivative (`order`) by one-sided differences over 4δ after `time` (δ < 0: before it), of fourth and third
/// order; for a motion that is not smooth at `time`. Exactly zero if the surface is at rest.
inline void one_sided_derivative(const Motion& motion, double time, double delta, int order, Points& work,
                                 Points& derivative) {
  constexpr double weights[2][4] = {{48, -36, 16, -3}, {-104, 114, -56, 11}};
  Points here;
  motion(time, here);
  derivative.setZero(3, here.cols());
  for (int i = 0; i < 4; ++i) {
    motion(time + (i + 1) * delta, work);
    derivative += weights[order - 1][i] * (work - here);
  }
  derivative /= 12 * (order == 1 ? delta : delta * delta);
}

}  // namespace shoal
