// The Jacobian of a finite-volume scheme of first order with Rusanov's dissipation, for any flux and reconstruction.
//
// The flux across an edge is replaced by the mean of the linearised fluxes of both sides and the dissipation ½s(q_L − q_R)
// with the scheme's own bound s of the wave speeds. With δη = δV/A, δm = δM/A, and u, w, (δm_u, δm_w) along n and n⊥:
//
//     F_η = ½(δm_u + δm_u') + ½s(δη − δη'),
//     F_u = ½[2u δm_u − u² δη + 2u' δm_u' − u'² δη'] + ½s(δm_u − δm_u') + ½gη(δη + δη'),
//     F_w = ½[u δm_w + w δm_u − uw δη + the same with primes] + ½s(δm_w − δm_w').
//
// The pressure uses the depth η of the cell that it acts on, as the force gη∇h does over any bed: a uniform change of the
// depth exerts no force. Since Σ l n = 0, the diagonal of the inner edges is −½ Σ l s/A. Implicit steps with such a matrix
// instead of ∂f/∂q go back to Jameson & Turkel 1981 (doi:10.1090/S0025-5718-1981-0628702-9).
#pragma once

#include "discretizations/finite_volume.hpp"

namespace shoal {

class UpwindJacobian final : public Jacobian {
 public:
  explicit UpwindJacobian(const FiniteVolume& scheme);
  void set(const State& state, const Forces& forces, Terms terms) override;
  void add_product(const State& direction, double scale, State& out) override;

 private:
  /// The water on one side of each edge, in the frame of the edge.
  struct Side {
    Vector normal, tangential;  ///< [edges] m/s
    Vector half_pressed;        ///< [edges] ½gη, m²/s²
  };

  const FiniteVolume& scheme_;
  const Forces* forces_ = nullptr;
  Terms terms_;
  FaceWater water_;
  Side left_, right_;
  Vector half_speed_;  // [edges] ½s, m/s
  EdgeLosses losses_;
};

}  // namespace shoal
