// Formula (6.2) of Angst 2007 at vertices.
#include "solvers/coupling/artificial_acceleration.hpp"

#include <cmath>
#include <limits>

namespace shoal {

Options<ArtificialAccelerationOptions> ArtificialAccelerationOptions::describe() {
  using O = ArtificialAccelerationOptions;
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  return Options<O>()
      .choice("artificial_acceleration", &O::depth_dependent, {{"depth", true}, {"constant", false}},
              "what gathers the water: depth, s (exp(−(h−α)/σ) − 1), which vanishes at the level α; or s "
              "everywhere")
      .direction("artificial_direction", "1", &O::direction, "where it points, x,y,z")
      .number("artificial_strength", "m/s^2", &O::strength, 0, unlimited, "s")
      .number("artificial_level", "m", &O::level, -unlimited, unlimited,
              "α, the elevation at which water that has gathered is at rest")
      .number("artificial_width", "m", &O::width, 1e-6, unlimited, "σ: the smaller, the sharper the front")
      .number("artificial_limit", "m/s^2", &O::limit, 0, unlimited, "largest magnitude");
}

double ArtificialAcceleration::magnitude(double elevation) const {
  const ArtificialAccelerationOptions& o = options_;
  if (!o.depth_dependent) return std::fmin(o.strength, o.limit);
  return std::fmin(o.strength * std::expm1(-(elevation - o.level) / o.width), o.limit);
}

Index ArtificialAcceleration::add(const Vector& elevation, Points& acceleration) const {
  Index limited = 0;
  for (Index i = 0; i < elevation.size(); ++i) {
    const double size = magnitude(elevation[i]);
    limited += size == options_.limit;
    acceleration.col(i) += size * options_.direction;
  }
  return limited;
}

}  // namespace shoal
