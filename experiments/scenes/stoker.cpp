// The dam break on a wet or dry bed.
#include "experiments/scenes/stoker.hpp"

#include <cmath>

namespace shoal {

StokerDamBreak::StokerDamBreak(double left, double right, double gravity)
    : left_(left), right_(right), gravity_(gravity), left_celerity_(std::sqrt(gravity * left)) {
  if (right == 0) {
    middle_ = 0;
    velocity_ = shock_ = 2 * left_celerity_;
    return;
  }
  const auto through_fan = [&](double depth) { return 2 * (left_celerity_ - std::sqrt(gravity * depth)); };
  const auto through_shock = [&](double depth) {
    return (depth - right) * std::sqrt(gravity * (depth + right) / (2 * depth * right));
  };
  double low = right, high = left;  // through_fan decreases, through_shock increases with the depth
  for (int i = 0; i < 200 && low < high; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle == low || middle == high) break;
    (through_fan(middle) > through_shock(middle) ? low : high) = middle;
  }
  middle_ = 0.5 * (low + high);
  velocity_ = through_fan(middle_);
  shock_ = velocity_ * middle_ / (middle_ - right);
}

double StokerDamBreak::fan_end() const {
  return velocity_ - std::sqrt(gravity_ * middle_);
}

double StokerDamBreak::depth(double speed) const {
  if (speed <= fan_begin()) return left_;
  if (speed < fan_end()) return std::pow(2 * left_celerity_ - speed, 2) / (9 * gravity_);
  return speed <= shock_ ? middle_ : right_;
}

double StokerDamBreak::velocity(double speed) const {
  if (speed <= fan_begin()) return 0;
  if (speed < fan_end()) return 2 * (left_celerity_ + speed) / 3;
  return speed <= shock_ ? velocity_ : 0;
}

}  // namespace shoal
