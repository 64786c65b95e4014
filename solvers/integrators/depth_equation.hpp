// The second-order equation of the depth that implicit-euler, newmark and newmark-analytic linearise.
#pragma once

#include "solvers/integrators/wave_system.hpp"

#include <optional>

namespace shoal {

/// η_tt = −∇·(η v_t) with the depth in front of the divergence frozen at η̃ (Angst 2007, 5.6; Angst 2008, 5;
/// in both the terms with a product of velocities are left out):
///
///     V_tt(V) = η̃ (−K(s)(r h) − D(1) b),        ∂V_tt/∂V = −η̃ K(s) diag(r/A).
///
/// η̃ per cell is the parameter reference_depth: a constant sums V_tt to zero, so that mass is exact; a depth
/// that varies from cell to cell does not.
class DepthEquation {
 public:
  /// Throws Refusal where the scheme has no wave operators for this use.
  DepthEquation(const IntegratorSetting& setting, Use use);

  /// reference_depth, with `fallback` as its default.
  static ParameterInfos parameters(const std::string& fallback);

  const Wave& wave() const { return wave_; }

  /// Fixes η̃ for good, except where it is local.
  void start(const Vector& volume);
  /// The geometry or the forcing has changed.
  void refresh() { prepared_ = false; }
  /// The mean of the state that the run started from, or the depth given: m.
  double mean_reference_depth() const { return mean_reference_depth_; }

  /// Freezes η̃ at this state where it is local, then assembles and factorizes μ − c·∂V_tt/∂V unless that is
  /// what was prepared last.
  StepReport prepare(const Vector& volume, double mu, double c, StageClock& clock);
  /// out = V_tt(volume)
  void acceleration(const Vector& volume, Vector& out) const;
  /// Solves (μ − c·∂V_tt/∂V) δV = right_side. `change` becomes ∂V_tt/∂V δV. δV is built from the fluxes
  /// behind `change`, not from the solver's answer, so that mass is exact whatever the solver leaves.
  StepReport solve(const Vector& right_side, Vector& increment, Vector& change, StageClock& clock);

 private:
  enum class Reference { constant, initial, local };

  void set_reference(const Vector& volume);

  const Discretization& discretization_;
  const Wave& wave_;
  WaveSystem system_;
  Reference reference_ = Reference::constant;
  std::optional<double> given_depth_;
  double mean_reference_depth_ = 0;
  bool prepared_ = false;
  double mu_ = 0, c_ = 0;   // what is prepared
  Vector reference_depth_;  // [cells] η̃
  Vector ones_;             // [sites]
  Vector diagonal_, scaled_, solution_;
  mutable Vector pressure_;
};

}  // namespace shoal
