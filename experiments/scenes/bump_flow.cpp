// Steady flow over a bump: the roots of a cubic on both sides of a hydraulic jump.
#include "experiments/scenes/bump_flow.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {

double ParabolicBump::bed(double x) const {
  return std::max(0.0, height - slope * (x - crest) * (x - crest));
}

double ParabolicBump::half_width() const {
  return std::sqrt(height / slope);
}

FlowOverBump::FlowOverBump(const ParabolicBump& bump, double discharge, double level, double gravity)
    : bump_(bump),
      discharge_(discharge),
      gravity_(gravity),
      critical_depth_(std::cbrt(discharge * discharge / gravity)) {
  const double velocity = discharge / level, critical_head = bump.height + 1.5 * critical_depth_;
  outer_head_ = level + velocity * velocity / (2 * gravity);
  const bool subcritical_level = level > critical_depth_;
  critical_ = !(subcritical_level && outer_head_ > critical_head);
  inner_head_ = critical_ ? critical_head : outer_head_;
  if (!critical_ || !subcritical_level) return;

  // Momentum flux behind a jump at x less that in front of it: increases towards the foot.
  const auto momentum = [&](double depth) {
    return discharge * discharge / depth + 0.5 * gravity * depth * depth;
  };
  const auto excess = [&](double x) {
    const double bed = bump.bed(x);
    return momentum(subcritical(outer_head_ - bed)) - momentum(supercritical(inner_head_ - bed));
  };
  double low = bump.crest, high = bump.crest + bump.half_width();
  if (excess(high) <= 0) return;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    (excess(middle) < 0 ? low : high) = middle;
  }
  jump_ = 0.5 * (low + high);
}

double FlowOverBump::depth(double x) const {
  const bool behind = jump_ && x > *jump_;
  const double head = (behind ? outer_head_ : inner_head_) - bump_.bed(x);
  return critical_ && x > bump_.crest && !behind ? supercritical(head) : subcritical(head);
}

// With η = (head/3)(1 + 2 cos θ), the cubic η²(head − η) = q²/2g becomes cos 3θ = 1 − (27/4) q²/(g head³): −1 in critical flow,
// below which there is no flow; round-off must not leave [−1, 1].
double FlowOverBump::cosine(double head) const {
  return std::max(-1.0, 1 - 6.75 * std::pow(critical_depth_ / head, 3));
}

double FlowOverBump::subcritical(double head) const {
  if (head <= 1.5 * critical_depth_) return critical_depth_;
  return head / 3 * (1 + 2 * std::cos(std::acos(cosine(head)) / 3));
}

double FlowOverBump::supercritical(double head) const {
  if (head <= 1.5 * critical_depth_) return critical_depth_;
  return head / 3 * (1 + 2 * std::cos((2 * std::numbers::pi - std::acos(cosine(head))) / 3));
}

}  // namespace shoal
