#include "experiments/motions/drag_path.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

Vector3 DragPath::Leg::place(double time) const {
  const double tau = time - begin;
  return target - (a + b * tau) * std::exp(-rate * tau);
}

Vector3 DragPath::Leg::velocity(double time) const {
  const double tau = time - begin;
  return (rate * (a + b * tau) - b) * std::exp(-rate * tau);
}

void DragPath::go_to(const Vector3& target, double time) {
  Vector3 place = Vector3::Zero(), velocity = Vector3::Zero();
  if (!legs_.empty()) {
    place = legs_.back().place(time);
    velocity = legs_.back().velocity(time);
  }
  const Vector3 a = target - place;
  legs_.push_back({time, target, a, rate * a - velocity});
}

Vector3 DragPath::at(double time) const {
  const auto next = std::upper_bound(legs_.begin(), legs_.end(), time,
                                     [](double t, const Leg& leg) { return t < leg.begin; });
  return next == legs_.begin() ? Vector3::Zero() : std::prev(next)->place(time);
}

}  // namespace shoal
