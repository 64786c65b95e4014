// The work on the fluid of all forces but gravity g, for any scheme.
#pragma once

#include "discretizations/entry.hpp"
#include "solvers/energy_ledger.hpp"
#include "solvers/right_side.hpp"

namespace shoal {

/// Accumulates, per density and over steps,
///
///     Δt ⟨v̄, F⟩,   F = [(aₙ+g)∇h + ½η∇aₙ + f/ρ](q̄),   q̄ = ½(qⁿ + qⁿ⁺¹),   ⟨v, F⟩ = ½ (K(v+F) − K(v−F)),
///
/// where the integrator takes forces at other volumes than V̄, as symplectic Euler does, at those: what it lacks then comes
/// back with each wave, while at V̄ it would add up, ½Δt² |aₙ+g| Σ (V_t)²/A a step;
/// with the scheme's own kinetic energy K, a quadratic form of the velocity, and F as the difference of two
/// calls of its rates: with all `terms`, and with waves under aₙ = −g alone, both less what comes through open
/// boundaries. m⁵/s². For integrators that carry a velocity.
class ForceWork {
 public:
  /// `terms`: those that the integrator's steps take.
  ForceWork(const DiscretizationEntry& scheme, const RightSide& right_side, Terms terms, double gravity);

  /// The geometry has changed.
  void refresh() { under_gravity_.derive(gravity_); }
  void begin_step(const State& state) { before_ = state; }
  /// `place`: of the volumes, between those at the beginning (0) and at the end (1).
  void end_step(const State& state, double dt, double place, WorkSums& sums);
  /// The power at one state, over the time dt.
  void add(const State& state, double dt, WorkSums& sums);

 private:
  /// ⟨v, F⟩ at mean_, F in rates_.
  double power();
  void begin_rates();
  void add_inner_rates(const RightSide& right_side, Terms terms, double scale);

  const RightSide& right_side_;
  Terms terms_, waves_, advection_;
  Forcing gravity_;
  RightSide under_gravity_;
  RightSide of_motion_;  // that and the motion of the mesh
  State before_, mean_, rates_;
  double through_openings_ = 0;  // m⁵/s³, the part of rates_ that belongs to openings
  Vector velocity_, volume_;
};

}  // namespace shoal
