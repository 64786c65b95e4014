// The work on the fluid of all forces except gravity g, for any scheme.
#pragma once

#include "discretizations/entry.hpp"
#include "solvers/energy_ledger.hpp"
#include "solvers/right_side.hpp"

namespace shoal {

/// Accumulates over steps, divided by ρ, m⁵/s²,
///
///     Δt ⟨v̄, F⟩,   F = [(aₙ+g)∇h + ½η∇aₙ + f/ρ](q̄),   q̄ = ½(qⁿ + qⁿ⁺¹),   ⟨v, F⟩ = ½ (K(v+F) − K(v−F)),
///
/// where K is the scheme's kinetic energy, a quadratic form of the velocity, and F is the difference of two
/// evaluations of its rates: with all `terms`, and with waves under aₙ = −g alone, both without fluxes
/// through open boundaries. If the integrator evaluates forces at volumes other than V̄, as symplectic Euler
/// does, F is evaluated at those: the error is then periodic with each wave, while at V̄ it would accumulate,
/// by ½Δt² |aₙ+g| Σ (V_t)²/A per step. For integrators that carry a velocity.
class ForceWork {
 public:
  /// `terms`: the terms included in the integrator's steps.
  ForceWork(const DiscretizationEntry& scheme, const RightSide& right_side, Terms terms, double gravity);

  /// Call after a change of the geometry.
  void refresh() { under_gravity_.derive(gravity_); }
  void begin_step(const State& state) { before_ = state; }
  /// `place`: the volumes used, 0 for those at the beginning and 1 for those at the end of the step.
  void end_step(const State& state, double dt, double place, WorkSums& sums);
  /// Adds the power at this state times dt.
  void add(const State& state, double dt, WorkSums& sums);

 private:
  /// ⟨v, F⟩ with v in mean_ and F in rates_.
  double power();
  void begin_rates();
  void add_inner_rates(const RightSide& right_side, Terms terms, double scale);

  const RightSide& right_side_;
  Terms terms_, waves_, advection_;
  Forcing gravity_;
  RightSide under_gravity_;
  RightSide of_motion_;  // gravity and the motion of the mesh
  State before_, mean_, rates_;
  double through_openings_ = 0;  // m⁵/s³, the power of rates_ at openings
  Vector velocity_, volume_;
};

}  // namespace shoal
