// A flow on an ellipsoid whose axes change, known exactly.
#pragma once

#include "discretizations/common/types.hpp"

namespace shoal {

/// On x = F(t) X, X on the unit sphere and F = diag(1+s, 1−s/2, 1+s/4), s = ε sin 2πt/T, the volume per area
/// of the sphere μ and its flux Q,
///
///     μ = H + a p sin wt,   Q = α ∇p + β X×∇q,   α = a w/6 cos wt,   β = a w cos wt,   p = xy,  q = xz,
///
/// satisfy μ_t + ∇·Q = 0 on the sphere (Δp = −6p). The depth is μ over the change of area, det F |F⁻ᵀX|, the
/// velocity relative to the surface v = F V with V = Q/μ, that in space u = ḞX + FV. With aₙ = −g the force that
/// maintains the flow is, tangentially,
///
///     f/ρ = F̈X + 2ḞV + F (V_t + DV[V]) + g ∇h        in_space: Newton's law, du/dt of water at the moving place
///     f/ρ =            F (V_t + DV[V]) + g ∇h        full: barycentric rates carried (Angst 2007, §6.4)
///
/// DV[V] only in these two; in the linear equations, μ_tt = −∇·(H V_t), V = Q/H. V_t is that at fixed X. The first is
/// that of discretizations/surface_motion.md, where it is written with the circulation. Positions X have length 1;
/// velocities in m/s.
struct EllipsoidFlow {
  enum class Equations { linear, without_advection, full, in_space };

  double rest_depth = 1, gravity = 9.81, epsilon = 0.3, period = 2, amplitude = 0.1, wave_frequency = 5;
  Equations equations = Equations::in_space;

  Vector3 position(const Vector3& material, double time) const;
  Vector3 material(const Vector3& point, double time) const;  ///< X whose place is nearest along the ray
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
