// Thacker's oscillations in a parabolic bowl: exact solutions with a moving shoreline.
#pragma once

#include "discretizations/common/types.hpp"

namespace shoal {

/// A bed at the depth H = h₀(1 − r²/a²) below the rest level, axisymmetric about the vertical axis.
struct ParabolicBowl {
  double depth = 0.1;  ///< h₀, m
  double radius = 1;   ///< a, m, of the shoreline at rest
  double gravity = 9.81;
  double bed_depth(double x, double y) const { return depth * (1 - (x * x + y * y) / (radius * radius)); }
};

/// Elevation (meaningless where h < −H) and velocity at a point.
struct BowlFlow {
  double elevation;          ///< h, m
  Eigen::Vector2d velocity;  ///< m/s
};

/// A rotating plane surface (Thacker 1981, section 4, without rotation of the frame), ω = √(2gh₀)/a:
///
///     h = (σh₀/a²)(2x cos ωt + 2y sin ωt − σ),    v = σω (−sin ωt, cos ωt).
///
/// The shoreline is a circle of radius a about σ(cos ωt, sin ωt).
class PlanarBowl {
 public:
  PlanarBowl(const ParabolicBowl& bowl, double offset);
  double period() const;
  BowlFlow at(double x, double y, double time) const;

 private:
  ParabolicBowl bowl_;
  double offset_, frequency_;
};

/// An oscillating paraboloid (Thacker 1981, section 5), ω = √(8gh₀)/a, A = (a⁴ − r₀⁴)/(a⁴ + r₀⁴), with the radius r₀ < a of the
/// shoreline at t = 0:
///
///     h = h₀ (√(1−A²)/(1−A cos ωt) − 1 − (r²/a²)((1−A²)/(1−A cos ωt)² − 1)),    v = ½ ωA sin ωt/(1−A cos ωt) (x, y).
///
/// The shoreline reaches a²/r₀.
class RadialBowl {
 public:
  RadialBowl(const ParabolicBowl& bowl, double initial_radius);
  double period() const;
  double largest_radius() const;  ///< m
  BowlFlow at(double x, double y, double time) const;

 private:
  ParabolicBowl bowl_;
  double initial_radius_, frequency_, amplitude_;
};

}  // namespace shoal
