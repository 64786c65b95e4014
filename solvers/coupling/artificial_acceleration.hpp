// The acceleration that makes water gather in one part of a surface, up to a level (Angst 2007, 6.3).
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

/// In space, toward the nearest of `points` or, without any, along `direction`, at vertices with the elevation h:
///
///     a = s (exp(−(h − α)/σ) − 1), at most `limit`     (6.2), zero where h = α
///     a = s                                            constant
///
/// (6.2) has no factor s, which is 1 m/s² there. h is the elevation: the depth is α + H where the water is at rest.
class ArtificialAcceleration {
 public:
  explicit ArtificialAcceleration(const ArtificialAccelerationOptions& options) : options_(options) {}

  bool depends_on_depth() const { return options_.depth_dependent; }
  double magnitude(double elevation) const;
  /// A unit vector; zero at one of the points.
  Vector3 direction(const Vector3& x) const;
  /// acceleration [3, nV] += that of elevations [nV] at the places x [3, nV]; returns how many were cut to the limit.
  Index add(const Vector& elevation, const Points& x, Points& acceleration) const;

 private:
  ArtificialAccelerationOptions options_;
};

}  // namespace shoal
