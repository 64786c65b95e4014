// A parabolic drop on a plane slope.
#include "experiments/scenes/sliding_drop.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

double SlidingDrop::spread(double time) const {
  return std::sqrt(1 + rate() * time * time);
}

double SlidingDrop::depth_at(double x, double y, double time) const {
  const double width = spread(time) * radius, off = x - centre(time);
  const double part = 1 - (off * off + y * y) / (width * width);
  return part > 0 ? depth * part * (radius / width) * (radius / width) : 0;
}

SlidingDrop::Velocity SlidingDrop::velocity_at(double x, double y, double time) const {
  if (depth_at(x, y, time) <= 0) return {0, 0};
  const double lambda = spread(time), stretching = rate() * time / (lambda * lambda);
  return {gravity * slope * time + stretching * (x - centre(time)), stretching * y};
}

double SlidingDrop::least_x(double time) const {
  // The uphill edge turns where gSt = a λ' = a k t/λ, at λ = ak/(gS).
  const double turn = radius * rate() / (gravity * slope), since = (turn * turn - 1) / rate();
  const double earliest = turn > 1 ? std::min(time, std::sqrt(since)) : 0;
  return centre(earliest) - radius * spread(earliest);
}

}  // namespace shoal
