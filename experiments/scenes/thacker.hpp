// Oscillations in a parabolic bowl or canal, with and without friction: exact solutions with a moving shoreline.
#pragma once

#include "discretizations/common/types.hpp"

#include <cmath>

namespace shoal {

/// A bed at the depth H = h₀(1 − r²/a²) below the rest level, axisymmetric about the vertical axis; a canal extends along y, with
/// x² for r².
struct ParabolicBowl {
  double depth = 0.1;  ///< h₀, m
  double radius = 1;   ///< a, m, of the shoreline at rest
  double gravity = 9.81;
  bool canal = false;
  double bed_depth(double x, double y) const {
    return depth * (1 - (x * x + (canal ? 0 : y * y)) / (radius * radius));
  }
  /// ω = √(2gh₀)/a, of a plane surface without friction, 1/s.
  double planar_frequency() const { return std::sqrt(2 * gravity * depth) / radius; }
};

/// Elevation (meaningless where h < −H) and velocity at a point.
struct BowlFlow {
  double elevation;          ///< h, m
  Eigen::Vector2d velocity;  ///< m/s
};

/// A plane surface (Thacker 1981, section 4, without rotation of the frame; in a canal with linear friction v_t = −c v Sampson,
/// Easton & Singh 2006):
///
///     h = (h₀/a²)(2X·x − |X|²),    v = X',    X'' + c X' + ω² X = 0.
///
/// The water, η = h₀(1 − |x − X|²/a²), moves as a rigid body: its shoreline is a circle of radius a about X. Substituted in
/// η_t + v·∇η = 0 and v_t = −g∇h − c v, this h satisfies both for every such X. Here X = σ(1, 0) and X' = σω(0, 1) at t = 0; in
/// a canal X and X' have no component along y. Without friction X = σ(cos ωt, sin ωt).
class PlanarBowl {
 public:
  /// Requires c < 2ω.
  PlanarBowl(const ParabolicBowl& bowl, double offset, double friction = 0);
  /// Between two maxima of the displacement: 2π/s, s = √(ω² − c²/4).
  double period() const;
  BowlFlow at(double x, double y, double time) const;

 private:
  ParabolicBowl bowl_;
  double offset_, friction_, frequency_, damped_frequency_;
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
