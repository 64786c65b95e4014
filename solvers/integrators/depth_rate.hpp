// Base of the integrators that carry (η, η_t) instead of (η, v): implicit-euler and newmark.
#pragma once

#include "solvers/integrators/depth_equation.hpp"
#include "solvers/linear/gathered_matrix.hpp"

namespace shoal {

/// Kinetic energy of a depth rate: that of the potential flow v = −∇φ with −∇·(η̃∇φ) = −η_t, divided by ρ:
/// ½∫η̃|∇φ|² = ½ φᵀV_t with V_t = K(η̃) φ and the η̃ of the equation (DepthEquation::flow_depth). A mean rate
/// (drifting mass) corresponds to no such flow and is removed per set of cells connected by η̃ > 0. As a
/// diagnostic, it always uses a direct solver, independent of that of the run; rank 0 solves for all processes.
class DepthRateEnergy {
 public:
  explicit DepthRateEnergy(const WaveSide& wave);
  double operator()(VectorIn volume_rate, const FlowDepth& depth);
  /// The rate of change of that energy for a second derivative `acceleration` [cells], m³/s²: φᵀ
  /// acceleration.
  double power(VectorIn volume_rate, const Vector& acceleration, const FlowDepth& depth);
  /// velocity += the potential flow −∇φ of this rate; zero if the solve fails.
  void add_flow(VectorIn volume_rate, const FlowDepth& depth, VectorOut velocity);
  /// Call after a change of the geometry: the next call factorizes anew.
  void refresh() { factorized_ = false; }

 private:
  void analyze();
  void find_components(const SymmetricMatrix& matrix);
  bool factorize();
  bool solve(VectorIn volume_rate, const Vector& weight);

  const WaveSide wave_;
  GatheredMatrix gathered_;
  std::unique_ptr<LinearSolver> solver_;
  SymmetricMatrix matrix_, of_whole_;  // of the part of this process; on rank 0 that of the whole
  Vector no_mass_, ones_;              // [cells], [sites]
  Vector weight_;                      // [sites] weight of the factorized matrix
  Array<Index> component_;  // [cells] the first cell of the connected component, where φ is fixed at zero
  Index pattern_version_ = 0;
  // was_dry_: a weight was zero, so that components may have changed
  bool factorized_ = false, was_dry_ = false;
  Vector rate_, area_, rate_sum_, area_sum_, right_side_, potential_;
};

class DepthRateIntegrator : public Integrator {
 public:
  DepthRateIntegrator(const IntegratorSetting& setting, const DepthEquationOptions& options);

  /// Replaces the velocity by V_t = −D(η̄) u.
  State start(State projected) override;
  /// Replaces the rate by the velocity of its potential flow; the rotational part is unknown.
  State finish(const State& state) override;
  const Layout& layout() const override { return layout_; }
  void refresh() override;
  /// With the η̃ of the equation; a local η̃ is that of this state.
  double kinetic_energy(const State& state) override;
  double force_power(const State& state, double gravity) override;
  void save(Archive& archive) const override { equation_.save(archive); }
  void restore(const Archive& archive) override { equation_.restore(archive); }

 protected:
  /// acceleration −= the integrator's own drag.
  virtual void add_drag(const State& /*state*/, Vector& /*acceleration*/) const {}
  const RightSide& right_side_;
  DepthEquation equation_;
  Layout layout_;
  Field volume_, volume_rate_;

 private:
  DepthRateEnergy energy_;
  Vector force_;
};

}  // namespace shoal
