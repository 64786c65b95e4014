// Real spherical harmonics.
#pragma once

#include "discretizations/common/types.hpp"

namespace shoal {

/// Y_lm(d) ∝ P_l^|m|(cos θ) · (cos mφ for m ≥ 0, sin |m|φ for m < 0), scaled so that max |Y| = 1 over the
/// sphere. Satisfies ∇²Y = −l(l+1) Y on the unit sphere.
class SphericalHarmonic {
 public:
  /// l ≥ 0, |m| ≤ l; exact to round-off for l ≤ 30, the largest for which it is tested.
  SphericalHarmonic(int l, int m);
  /// At a unit vector.
  double operator()(const Vector3& direction) const;

 private:
  double legendre(double z) const;  // P_l^|m|(z)/(1 − z²)^{|m|/2} up to a factor
  double largest() const;           // max over θ of |P_l^|m||, in the units of legendre()

  int l_, m_;
  double scale_;
};

}  // namespace shoal
