// An exactly known flow on an ellipsoid whose axes oscillate.
#pragma once

#include "discretizations/common/types.hpp"

namespace shoal {

/// On x = F(t) X, with X on the unit sphere and F = diag(1+s, 1−s/2, 1+s/4), s = ε sin 2πt/T, the volume μ per area
/// of the sphere and its flux Q,
///
///     μ = H + a p sin wt,   Q = α ∇p + β X×∇q,   α = a w/6 cos wt,   β = a w cos wt,   p = xy,  q = xz,
///
/// satisfy μ_t + ∇·Q = 0 on the sphere (Δp = −6p). The depth is μ divided by the change of area, det F |F⁻ᵀX|; the velocity is
/// v = F V with V = Q/μ relative to the surface, and u = ḞX + FV in space. With aₙ = −g, the tangential part of the force that
/// maintains the flow is
///
///     f/ρ = F̈X + 2ḞV + F (V_t + DV[V]) + g ∇h        in_space: Newton's law, du/dt of water at the moving point
///     f/ρ =            F (V_t + DV[V]) + g ∇h        full: barycentric rates carried (Angst 2007, §6.4)
///
/// Only these two include DV[V]; in the linear equations, μ_tt = −∇·(H V_t), V = Q/H. V_t is at fixed X. The first agrees with
/// discretizations/surface_motion.md, where it is expressed by the circulation. Positions X have length 1; velocities are in
/// m/s.
struct EllipsoidFlow {
  enum class Equations { linear, without_advection, full, in_space };

  double rest_depth = 1, gravity = 9.81, epsilon = 0.3, period = 2, amplitude = 0.1, wave_frequency = 5;
  Equations equations = Equations::in_space;

  Vector3 position(const Vector3& material, double time) const;
  Vector3 material(const Vector3& point, double time) const;  ///< X on the ray through `point`
  double depth(const Vector3& material, double time) const;
  Vector3 material_velocity(const Vector3& material, double time) const;  ///< V
  Vector3 velocity(const Vector3& material, double time) const;           ///< F V
  Vector3 absolute_velocity(const Vector3& material, double time) const;  ///< ḞX + F V
  Vector3 force(const Vector3& material, double time) const;              ///< f/ρ, m/s²

 private:
  struct FrameSnapshot;
  FrameSnapshot at(double time) const;
};

}  // namespace shoal
