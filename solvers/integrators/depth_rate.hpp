// What the integrators share that carry (η, η_t) instead of (η, v): implicit-euler and newmark.
#pragma once

#include "solvers/integrators/wave_system.hpp"

#include <optional>

namespace shoal {

/// Kinetic energy of a depth rate: that of the potential flow v = −∇φ with −∇·(η₀∇φ) = −η_t, per density
/// ½η₀∫|∇φ|² = ½ φᵀV_t. A mean rate (drifting mass) has no such flow and is left out, per connected
/// component.
class DepthRateEnergy {
 public:
  DepthRateEnergy(const IntegratorSetting& setting, const Wave& wave);
  double operator()(const Vector& volume_rate, double reference_depth);
  /// The geometry has changed: the next call factorizes anew.
  void refresh() { factorized_ = false; }

 private:
  bool factorize();

  const Discretization& discretization_;
  const Wave& wave_;
  std::unique_ptr<LinearSolver> solver_;
  SymmetricMatrix matrix_;
  std::vector<Index>
      component_;  // [cells] the first cell of the connected component, where φ is held at zero
  bool factorized_ = false;
  Vector right_side_, potential_;
};

class DepthRateIntegrator : public Integrator {
 public:
  /// Replaces the velocity by V_t = −D(η̄) u.
  void start(State& state, double dt) override;
  void refresh() override { energy_.refresh(); }
  double kinetic_energy(const State& state) const override;

  explicit DepthRateIntegrator(const IntegratorSetting& setting);

  /// "mean" (of the initial state) or a depth in metres.
  static ParameterInfo reference_depth_parameter();

 protected:
  /// out += scale · q, q = −K(s)(r h) − D(1) b: V_tt per unit of depth in front of the divergence.
  void add_acceleration(const Vector& volume, double scale, Vector& out) const;

  const Discretization& discretization_;
  const Wave& wave_;
  WaveSystem system_;
  double reference_depth_ = 0;  ///< η₀, m
  Vector ones_;                 ///< [sites]

 private:
  std::optional<double> given_reference_depth_;
  mutable DepthRateEnergy energy_;
  mutable Vector pressure_;
};

}  // namespace shoal
