// Time integrators, in terms of the capabilities of a discretization.
#pragma once

#include "discretizations/entry.hpp"
#include "solvers/archive.hpp"
#include "solvers/integrators/amplification.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/renew.hpp"
#include "solvers/right_side.hpp"
#include "solvers/stage_clock.hpp"
#include "solvers/step_report.hpp"

namespace shoal {

/// The arguments of an integrator. `linear_solver` is null for explicit integrators.
struct IntegratorSetting {
  const RightSide& right_side;
  const Parameters& parameters;
  const LinearSolverEntry* linear_solver = nullptr;
  /// the terms of f(q) in its steps, a subset of those of its entry
  Terms terms = Term::gravity | Term::force;
};

/// Advances a sum of terms. Δt may change from step to step.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Layout of its states: the discretization's, or one with a depth rate instead of the velocity.
  virtual const Layout& layout() const = 0;
  /// Converts a projected state to an initial state of the integrator. Called once, before all other
  /// functions.
  virtual State start(State projected) { return projected; }
  virtual StepReport step(State& state, double dt, StageClock& clock) = 0;

  /// Call after a change of the forces or the geometry of the right-hand side.
  virtual void refresh() {}

  /// Kinetic energy divided by ρ, m⁵/s²: the discretization's own, or that of the potential flow whose
  /// divergence is the depth rate.
  virtual double kinetic_energy(const State& state) = 0;

  /// For integrators that carry a depth rate: the power at this state of all forces except gravity g, and of
  /// the integrator's own drag, divided by ρ, m⁵/s³.
  virtual double force_power(const State& /*state*/, double /*gravity*/) { return 0; }
  virtual bool has_drag() const { return false; }
  /// The volumes at which a step evaluates the forces on the velocity, for the energy budget: 0 for those at
  /// the beginning of the step, 1 for those at its end.
  virtual double place_of_forces() const { return 0.5; }

  /// Converts a state to the unknowns of the discretization.
  virtual State finish(const State& state) { return state; }
  /// Reports that scale · volume [cells], m³, has been added between two steps.
  virtual void volume_added(VectorIn /*volume*/, double /*scale*/) {}
  /// After every `per_renewal` substeps within a step, `renewal` updates the unknowns that other processes own; null: there are none.
  void set_substeps(int substeps, int per_renewal = 1, const Renewal* renewal = nullptr) {
    substeps_ = substeps;
    substeps_per_renewal_ = per_renewal;
    renewal_of_substeps_ = renewal;
  }

  /// Saves everything on which later steps depend besides state, geometry and forces.
  virtual void save(Archive& /*archive*/) const {}
  virtual void restore(const Archive& /*archive*/) {}

 protected:
  /// Call before each substep, from 0 on.
  void begin_substep(int substep, State& state, StageClock& clock) const {
    if (substep > 0 && substep % substeps_per_renewal_ == 0) renew(renewal_of_substeps_, state, clock);
  }
  int substeps_ = 1;

 private:
  int substeps_per_renewal_ = 1;
  const Renewal* renewal_of_substeps_ = nullptr;
};

/// An integrator for the unknowns of the discretization.
class VelocityIntegrator : public Integrator {
 public:
  explicit VelocityIntegrator(const IntegratorSetting& setting)
      : right_side_(setting.right_side), terms_(setting.terms) {}
  const Layout& layout() const override { return right_side_.layout(); }
  double kinetic_energy(const State& state) override { return right_side_.kinetic_energy(state); }

 protected:
  const Field& volume() const { return right_side_.volume(); }
  const Field& velocity() const { return right_side_.velocity(); }

  const RightSide& right_side_;
  const Terms terms_;
};

/// The theoretical properties of an integrator. The conformance tests check claims_of() for every pair.
struct Claims {
  int order = 1;               ///< in Δt, at fixed mesh and finite amplitude
  int linear_order = 1;        ///< the same for waves of vanishing amplitude
  bool conserves_mass = true;  ///< to round-off
  bool positive = true;        ///< depths stay nonnegative if they do under Euler steps of the same length
  bool unconditional = false;  ///< stable at any Δt
  /// otherwise: stability limit for undamped waves, relative to substeps × stable_dt
  double stable_part = 1;
  bool neutral = false;       ///< |z| = 1: the energy of linear waves is conserved to round-off
  bool keeps_energy = false;  ///< conserves energy at any amplitude, because its equations are linear
};

/// One row of the list of integrators.
struct IntegratorEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  bool uses_linear_solver = false;
  bool carries_velocity = true;  ///< false: it carries a depth rate, "volume_rate", instead
  bool stages_in_time = false;   ///< whether it calls RightSide::enter() for each stage
  int default_substeps = 0;      ///< 0: no substeps
  /// The number of consecutive evaluations of f per step, for a number of substeps.
  std::function<int(int substeps)> evaluations = [](int substeps) { return substeps; };
  /// Whether its steps are made of Euler steps with friction at the bed (StageFriction), which otherwise acts half before and half
  /// after the steps.
  bool resists = false;
  double euler_part = 1;  ///< length of its longest Euler step, relative to a substep
  Terms implicit_terms;   ///< terms of f(q) treated implicitly
  Terms explicit_terms;   ///< terms treated explicitly; all others require a splitting
  Claims claims;          ///< for the default parameters
  /// The effect of a step on a wave of a scheme with wave operators, by linear theory, for any parameters.
  std::function<Amplification(const WaveStep&)> amplification;
  /// Whether it calls the scheme's own step (OwnStep) and no rates.
  bool calls_own_step = false;
  /// "" if the integrator supports schemes with rates under these options of both, else the reason why not.
  std::function<std::string(const DiscretizationEntry&, const Parameters&)> unsupported =
      [](const DiscretizationEntry&, const Parameters&) { return std::string(); };
  /// "" if these options conserve mass to round-off, else the reason why not; such an integrator accepts no
  /// sources.
  std::function<std::string(const Parameters&)> mass_drift = [](const Parameters&) { return std::string(); };
  std::function<std::unique_ptr<Integrator>(const IntegratorSetting&)> make;

  Terms terms() const { return implicit_terms | explicit_terms; }
  /// "" if the integrator supports the scheme under these options of both, else the reason why not.
  std::string incompatibility(const DiscretizationEntry& scheme, const Parameters& options) const;
};

/// The claims of the pair: those of the integrator, with orders limited by the scheme's right-hand side.
Claims claims_of(const DiscretizationEntry& scheme, const IntegratorEntry& integrator);

/// "" if the pair is suitable for dry cells with default options, else the reason why not.
std::string unfit_for_dry_land(const DiscretizationEntry& scheme, const IntegratorEntry& integrator);

/// Constructs an integrator. Throws Refusal with the reason if the scheme lacks a capability that it
/// requires.
std::unique_ptr<Integrator> make_integrator(const IntegratorEntry& integrator,
                                            const DiscretizationEntry& scheme,
                                            const IntegratorSetting& setting);

}  // namespace shoal
