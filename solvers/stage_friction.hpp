// Friction at the bed in the steps of integrators that are made of Euler steps.
#pragma once

#include "discretizations/bed_friction.hpp"

namespace shoal {

class RightSide;

/// Friction M_t = −c(M) M follows each Euler step implicitly, at the new depth (idea of Chertock, Cui, Kurganov & Wu 2015,
/// doi:10.1137/151005798):
///
///     M* = M + h f(M),    M_new + h c(M_new) M_new = M*.
///
/// Where f = c M, M_new = M: a steady flow is kept at any Δt, and friction does not change the sign of a velocity. A Runge–Kutta
/// method of such steps evaluates friction late by d = Σ bᵢhᵢ, which an end of the step repairs to second order:
///
///     M ← M + E |M|/(|M| + |E|),    E = d (cM − cⁿMⁿ)/(1 + d Δt (c² + cⁿ²)),    per component.
///
/// E is zero in steady flow and at most ½ √(d/Δt) (|M| + |Mⁿ|); it does not change the sign either, nor more than double M.
class StageFriction {
 public:
  /// `work`: the sum to which the work of friction divided by ρ is added, or null.
  void set(const FrictionLaw& law, double* work) {
    law_ = law;
    work_ = work;
    if (!law.acts()) change_.resize(0);
  }

  /// After an Euler step of dt to `state`. Its work is the change of the kinetic energy, which includes the loss of what forces
  /// have added in this step.
  void resist(const RightSide& right_side, double dt, State& state);
  /// The same in a stage that began at `at`. Its work has this weight and is that at the velocity of `at`, like the work of forces
  /// in stages: only then is the sum over the stages of second order.
  void resist(const RightSide& right_side, double dt, State& state, const State& at, double weight);
  /// Call before the first stage of a step of dt and after the last: adds E.
  void begin(const RightSide& right_side, double dt, State& state);
  void end(const RightSide& right_side, double lag, State& state);

  /// The change of the velocity by the last resist() without stages, or empty: in the mean over both ends of a step the velocity on
  /// which forces act is the one before it.
  const Vector& last_change() const { return change_; }

 private:
  void find_rates(const RightSide& right_side, const State& state, Vector& rates) const;

  FrictionLaw law_;
  double* work_ = nullptr;
  double dt_ = 0;
  Vector change_, begin_, begin_rates_, rates_;
  State changed_;
};

}  // namespace shoal
