// Time integrators, written in terms of the capabilities of a discretization.
#pragma once

#include "discretizations/entry.hpp"
#include "solvers/archive.hpp"
#include "solvers/integrators/amplification.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/right_side.hpp"
#include "solvers/stage_clock.hpp"
#include "solvers/step_report.hpp"

namespace shoal {

/// What an integrator is made from. `linear_solver` is null for the explicit ones.
struct IntegratorSetting {
  const RightSide& right_side;
  const Parameters& parameters;
  const LinearSolverEntry* linear_solver = nullptr;
  Terms terms = Term::gravity | Term::force;  ///< of f(q) that its steps take, among those of its entry
};

/// Steps of a sum of terms. Δt may change from step to step.
class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Of the states that it steps: the discretization's, or one with a depth rate in place of the velocity.
  virtual const Layout& layout() const = 0;
  /// The state to step on from a projected one. Called once, before all else.
  virtual State start(State projected) { return projected; }
  virtual StepReport step(State& state, double dt, StageClock& clock) = 0;

  /// The forces or the geometry behind the right side have changed.
  virtual void refresh() {}

  /// Per density, m⁵/s². The discretization's own, or that of the potential flow whose divergence is the
  /// depth rate.
  virtual double kinetic_energy(const State& state) = 0;

  /// For integrators that carry a depth rate: the power that all forces but gravity g, and a drag of the
  /// integrator's own, have at a state, per density, m⁵/s³.
  virtual double force_power(const State& /*state*/, double /*gravity*/) { return 0; }
  virtual bool has_drag() const { return false; }
  /// Of a step, for the account of work: from the volumes at its beginning (0) to those at its end (1), where on this way
  /// the velocity feels its forces.
  virtual double place_of_forces() const { return 0.5; }

  /// The same state in the discretization's own unknowns.
  virtual State finish(const State& state) { return state; }
  /// scale · volume [cells], m³, of water have been added between two steps.
  virtual void volume_added(VectorIn /*volume*/, double /*scale*/) {}
  void set_substeps(int substeps) { substeps_ = substeps; }

  /// Everything that a later step depends on besides state, geometry and forces.
  virtual void save(Archive& /*archive*/) const {}
  virtual void restore(const Archive& /*archive*/) {}

 protected:
  int substeps_ = 1;
};

/// An integrator of the discretization's own unknowns.
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

/// What theory guarantees of an integrator. The conformance tests check every pair against claims_of() it.
struct Claims {
  int order = 1;               ///< in Δt, at fixed mesh and finite amplitude
  int linear_order = 1;        ///< the same for waves of vanishing amplitude
  bool conserves_mass = true;  ///< to round-off
  bool positive = true;  ///< no depth becomes negative where none does under Euler steps of the same length
  bool unconditional = false;  ///< stable at any Δt
  double stable_part = 1;     ///< otherwise stable up to this part of substeps × stable_dt on undamped waves
  bool neutral = false;       ///< |z| = 1: linear waves keep their energy to round-off
  bool keeps_energy = false;  ///< at any amplitude, because its equations are linear
};

/// One row of the list of integrators.
struct IntegratorEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  bool uses_linear_solver = false;
  bool carries_velocity = true;  ///< otherwise a depth rate, "volume_rate", in its place
  bool stages_in_time = false;   ///< whether its step enters each of its stages, RightSide::enter()
  int default_substeps = 0;      ///< 0: the integrator makes no substeps
  /// By the substeps of a step: how often it evaluates f, each time on what it has made of the rates before.
  std::function<int(int substeps)> evaluations = [](int substeps) { return substeps; };
  double euler_part = 1;  ///< of a substep: the length of the longest Euler step that it is made of
  Terms implicit_terms;   ///< of f(q) that a step takes implicitly
  Terms explicit_terms;   ///< and explicitly; what is in neither is joined by a splitting
  Claims claims;          ///< with the parameters' defaults
  /// What linear theory says that a step does to a wave of a scheme with wave operators, for any parameters.
  std::function<Amplification(const WaveStep&)> amplification;
  /// Empty if the integrator works with such a scheme under these options of both, else the reason why it
  /// does not.
  std::function<std::string(const DiscretizationEntry&, const Parameters&)> incompatibility;
  /// "" where these options keep the mass to round-off, else the reason why not: such an integrator takes no
  /// sources.
  std::function<std::string(const Parameters&)> mass_drift = [](const Parameters&) { return std::string(); };
  std::function<std::unique_ptr<Integrator>(const IntegratorSetting&)> make;

  Terms terms() const { return implicit_terms | explicit_terms; }
};

/// What the two claim together: the integrator's claims, its orders limited by the scheme's right side.
Claims claims_of(const DiscretizationEntry& scheme, const IntegratorEntry& integrator);

/// "" where the pair is for water beside dry land, with the options' defaults; else the reason why it is not.
std::string unfit_for_dry_land(const DiscretizationEntry& scheme, const IntegratorEntry& integrator);

/// Makes every integrator. Throws Refusal with the reason where the scheme does not offer what it needs.
std::unique_ptr<Integrator> make_integrator(const IntegratorEntry& integrator,
                                            const DiscretizationEntry& scheme,
                                            const IntegratorSetting& setting);

}  // namespace shoal
