// Axisymmetric linear waves on a sphere, expanded in Legendre polynomials.
#pragma once

#include "discretizations/common/types.hpp"

#include <functional>

namespace shoal {

/// Nodes and weights of the Gauss–Legendre rule on [−1, 1], exact for polynomials of degree 2n − 1.
struct GaussLegendre {
  Vector node, weight;
};
GaussLegendre gauss_legendre(Index n);

/// η = H + Σ c_l P_l(cos θ) cos ω_l t with ω_l = √(gH l(l+1))/R: the solution of η_t = −H∇·v, v_t = −g∇η that
/// starts at rest from η = H + Σ c_l P_l(cos θ).
class LegendreWave {
 public:
  /// Expands the elevation h(θ), where θ is the angle from the axis in rad, up to `degree`:
  /// c_l = (2l+1)/2 ∫ h P_l(cos θ) d(cos θ), by a Gauss–Legendre rule with 2·degree + 2 nodes.
  LegendreWave(const std::function<double(double)>& elevation, Index degree, double radius, double depth,
               double gravity);

  const Vector& coefficients() const { return coefficient_; }  ///< [degree+1] c_l, m
  double angular_frequency(Index l) const;                     ///< ω_l, 1/s
  /// η [n] at cos θ [n].
  void evaluate(const Vector& cosine, double time, Vector& depth) const;

 private:
  Vector coefficient_;
  double radius_, depth_, gravity_;
};

}  // namespace shoal
