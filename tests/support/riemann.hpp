// The exact solution of the shallow water equations between two uniform states, which may be dry: depth and velocity
// as functions of x/t (Toro 2001, Shock-Capturing Methods for Free-Surface Shallow Flows, chapters 5 and 6).
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal::test {

class RiemannSolution {
 public:
  struct Water {
    double depth, velocity;
  };

  RiemannSolution(Water left, Water right, double g) : left_(left), right_(right), gravity_(g) {
    dry_ = left.depth == 0 || right.depth == 0 ||
           right.velocity - left.velocity >= 2 * (celerity(left.depth) + celerity(right.depth));
    if (dry_) return;
    const auto gap = [&](double depth) {
      return loss(depth, left.depth) + loss(depth, right.depth) + right.velocity - left.velocity;
    };
    double low = 0, high = std::max(left.depth, right.depth);
    while (gap(high) < 0) high *= 2;
    constexpr int halvings = 200;
    for (int i = 0; i < halvings; ++i) {
      const double middle = 0.5 * (low + high);
      (gap(middle) < 0 ? low : high) = middle;
    }
    const double depth = 0.5 * (low + high);
    middle_ = {depth,
               0.5 * (left.velocity + right.velocity + loss(depth, right.depth) - loss(depth, left.depth))};
  }

  Water at(double x_over_t) const {
    if (x_over_t <= parting()) return beside(left_, middle_, x_over_t);
    const Water water = beside(mirrored(right_), mirrored(middle_), -x_over_t);
    return mirrored(water);
  }

  /// Largest |velocity|; at a front on dry land, the velocity of the front.
  double largest_speed() const {
    double speed = std::max(wet_speed(left_), wet_speed(right_));
    if (!dry_) return std::max(speed, std::abs(middle_.velocity));
    if (left_.depth > 0) speed = std::max(speed, std::abs(left_.velocity + 2 * celerity(left_.depth)));
    if (right_.depth > 0) speed = std::max(speed, std::abs(right_.velocity - 2 * celerity(right_.depth)));
    return speed;
  }

 private:
  static Water mirrored(Water water) { return {water.depth, -water.velocity}; }
  static double wet_speed(Water water) { return water.depth > 0 ? std::abs(water.velocity) : 0; }
  double celerity(double depth) const { return std::sqrt(gravity_ * depth); }

  /// The decrease of the velocity across a wave from the depth `from` to the depth `depth`.
  double loss(double depth, double from) const {
    if (depth <= from) return 2 * (celerity(depth) - celerity(from));
    return (depth - from) * std::sqrt(0.5 * gravity_ * (depth + from) / (depth * from));
  }
  /// The value of x/t that separates the left wave or fan from the right one.
  double parting() const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (!dry_) return middle_.velocity;
    if (left_.depth == 0) return -infinity;
    return right_.depth == 0 ? infinity : left_.velocity + 2 * celerity(left_.depth);
  }
  /// The state at x/t in the wave to the left.
  Water beside(Water from, Water middle, double x_over_t) const {
    if (from.depth == 0) return {0, 0};
    const double c = celerity(from.depth);
    if (!dry_ && middle.depth > from.depth) {
      const double ratio = middle.depth / from.depth,
                   shock = from.velocity - c * std::sqrt(0.5 * ratio * (1 + ratio));
      return x_over_t < shock ? from : middle;
    }
    if (x_over_t < from.velocity - c) return from;
    const double end = dry_ ? from.velocity + 2 * c : middle.velocity - celerity(middle.depth);
    if (x_over_t > end) return dry_ ? Water{0, 0} : middle;
    const double inside = (from.velocity + 2 * c - x_over_t) / 3;
    return {inside * inside / gravity_, (from.velocity + 2 * c + 2 * x_over_t) / 3};
  }

  Water left_, right_, middle_{0, 0};
  double gravity_;
  bool dry_;
};

}  // namespace shoal::test
