// Formula (6.2) of Angst 2007 at vertices.
#include "solvers/coupling/artificial_acceleration.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

/// "x,y,z;x,y,z;…", or nothing.
std::vector<Vector3> parse_points(const std::string& text) {
  std::vector<Vector3> points;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(';', begin), text.size());
    try {
      points.push_back(parse_vector(text.substr(begin, end - begin), "artificial_points"));
    } catch (const Error& error) {
      throw SettingError("artificial_points", std::string(error.what()) + "; write several as x,y,z;x,y,z");
    }
    begin = end + 1;
    if (begin == text.size()) throw parameter_error("artificial_points", "'" + text + "' ends with ';'");
  }
  return points;
}

}  // namespace

Options<ArtificialAccelerationOptions> ArtificialAccelerationOptions::describe() {
  using O = ArtificialAccelerationOptions;
  constexpr double unlimited = std::numeric_limits<double>::infinity();
  return Options<O>()
      .choice("artificial_acceleration", &O::depth_dependent, {{"depth", true}, {"constant", false}},
              "strength that collects the water. depth: s (exp(−(h−α)/σ) − 1), zero at the level α; "
              "constant: s everywhere")
      .direction("artificial_direction", "1", &O::direction, "direction of the acceleration, x,y,z")
      .parsed("artificial_points", "m", &O::points, "", parse_points,
              "x,y,z;x,y,z;…: points towards the nearest of these points, instead of artificial_direction")
      .number("artificial_strength", "m/s^2", &O::strength, 0, unlimited, "s")
      .number("artificial_level", "m", &O::level, -unlimited, unlimited,
              "α, elevation at which the collected water is at rest")
      .number("artificial_width", "m", &O::width, 1e-6, unlimited,
              "σ, width of the front; smaller values give a sharper front")
      .number("artificial_limit", "m/s^2", &O::limit, 0, unlimited, "largest magnitude");
}

double ArtificialAcceleration::magnitude(double elevation) const {
  const ArtificialAccelerationOptions& o = options_;
  if (!o.depth_dependent) return std::fmin(o.strength, o.limit);
  return std::fmin(o.strength * std::expm1(-(elevation - o.level) / o.width), o.limit);
}

Vector3 ArtificialAcceleration::direction(const Vector3& x) const {
  if (options_.points.empty()) return options_.direction;
  Vector3 nearest = options_.points.front() - x;
  for (const Vector3& point : options_.points)
    if ((point - x).stableNorm() < nearest.stableNorm()) nearest = point - x;
  return nearest.stableNormalized();
}

Index ArtificialAcceleration::add(const Vector& elevation, const Points& x, Points& acceleration) const {
  Index limited = 0;
  for (Index i = 0; i < elevation.size(); ++i) {
    const double size = magnitude(elevation[i]);
    limited += size == options_.limit;
    acceleration.col(i) += size * direction(x.col(i));
  }
  return limited;
}

}  // namespace shoal
