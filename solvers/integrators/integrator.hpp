// Time integrators, written against what a discretization offers.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/integrators/amplification.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/stage_clock.hpp"

namespace shoal {

/// What became of one step. A failed solve is data: the run ends as solver-failed.
struct StepReport {
  bool ok = true;
  std::string reason;
};

/// What an integrator is made from. `linear_solver` is null for the explicit ones.
struct IntegratorSetting {
  const Discretization& discretization;
  const Parameters& parameters;
  int substeps = 1;
  const LinearSolverEntry* linear_solver = nullptr;
};

/// Steps of everything but Coriolis's force; make_integrator adds it.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Takes over a projected state: sets up history, and replaces the velocity by a volume rate where the
  /// integrator carries none.
  virtual void start(State& /*state*/, double /*dt*/) {}
  virtual StepReport step(State& state, double dt, StageClock& clock) = 0;

  /// The forcing or the geometry behind the discretization has changed.
  virtual void refresh() {}

  /// Per density, m⁵/s². The discretization's own, or that of the potential flow whose divergence is the
  /// depth rate.
  virtual double kinetic_energy(const State& state) const = 0;

  /// For integrators that carry a depth rate: the power that all forces but gravity g, and a drag of the
  /// integrator's own, have at a state, per density, m⁵/s³.
  virtual double force_power(const State& /*state*/, double /*gravity*/) const { return 0; }
  virtual bool has_drag() const { return false; }
};

/// What theory promises of an integrator. The conformance tests hold every pair to it.
struct Claims {
  int order = 1;               ///< in Δt, at fixed mesh and finite amplitude
  int linear_order = 1;        ///< the same for waves of vanishing amplitude
  bool conserves_mass = true;  ///< to round-off
  bool unconditional = false;  ///< stable at any Δt
  double stable_part = 1;  ///< otherwise stable up to this part of substeps × stable_dt on undamped waves
  bool neutral = false;    ///< |z| = 1: linear waves keep their energy to round-off
};

/// One row of the list of integrators.
struct IntegratorEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  bool uses_linear_solver = false;
  bool carries_velocity = true;  ///< State::flow; otherwise volume_rate in its place
  int default_substeps = 0;      ///< 0: the integrator makes no substeps
  Claims claims;                 ///< with the parameters' defaults
  /// What linear theory says that a step does to a wave of a scheme with wave operators, for any parameters.
  std::function<Amplification(const WaveStep&)> amplification;
  /// Empty if the integrator works with such a scheme, else the reason why it does not.
  std::function<std::string(const DiscretizationEntry&)> incompatibility;
  std::function<std::unique_ptr<Integrator>(const IntegratorSetting&)> make;
};

}  // namespace shoal
