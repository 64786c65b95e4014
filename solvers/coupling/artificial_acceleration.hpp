// An acceleration that gathers water in one part of a surface, up to a given level (Angst 2007, 6.3).
#pragma once

#include "discretizations/common/options.hpp"

#include <vector>

namespace shoal {

struct ArtificialAccelerationOptions {
  bool depth_dependent = true;
  Vector3 direction = -Vector3::UnitY();
  std::vector<Vector3> points{};  ///< m
  double strength = 1;            ///< m/s²
  double level = 0.2;             ///< α, m
  double width = 0.125;           ///< σ, m
  double limit = 4;               ///< m/s²
  static Options<ArtificialAccelerationOptions> describe();
};

/// The acceleration in space at a vertex with elevation h, toward the nearest of `points` or, if there are none, along
/// `direction`:
///
///     a = s (exp(−(h − α)/σ) − 1), at most `limit`     (6.2), zero where h = α
///     a = s                                            constant
///
/// The source's (6.2) has no factor s; it implies s = 1 m/s². h is the elevation, so the depth at rest is α + H.
class ArtificialAcceleration {
 public:
  explicit ArtificialAcceleration(const ArtificialAccelerationOptions& options) : options_(options) {}

  bool depends_on_depth() const { return options_.depth_dependent; }
  double magnitude(double elevation) const;
  /// Unit vector of the acceleration at x; zero at one of the points.
  Vector3 direction(const Vector3& x) const;
  /// Adds the acceleration for the elevations [nV] at positions x [3, nV] to acceleration [3, nV]; returns the number of
  /// vertices at which it was cut to the limit.
  Index add(const Vector& elevation, const Points& x, Points& acceleration) const;

 private:
  ArtificialAccelerationOptions options_;
};

}  // namespace shoal
