// implicit-euler-velocity: backward Euler of the depth equation with a velocity unknown (Angst 2007, §5.3.1),
// which a splitting transports before the step; V_tt and its η̃ from DepthEquation:
//
//     (1 − Δt² ∂V_tt/∂V) δV = Δt V_t(Vⁿ, uⁿ) + Δt² V_tt(Vⁿ),    Vⁿ⁺¹ = Vⁿ + δV,    uⁿ⁺¹ = uⁿ + Δt u_t(Vⁿ⁺¹).
//
// z = 1/(1 − ia), |z|² = 1/(1+a²); first order. Derivation, and the options that give the schemes of Layton &
// van de Panne 2002, Wang et al. 2007 and Kass & Miller 1990: solvers/integrators/implicit_euler.md.
#include "solvers/integrators/integrator.hpp"
#include "solvers/integrators/velocity_depth.hpp"

namespace shoal {
namespace {

struct ImplicitEulerVelocityOptions {
  DepthEquationOptions equation = {.reference_depth = {DepthEquationOptions::Reference::local}};
  bool linearized_rate = false;
  static Options<ImplicitEulerVelocityOptions> describe() {
    using O = ImplicitEulerVelocityOptions;
    return Options<O>()
        .part(&O::equation, DepthEquationOptions::describe("local"))
        .choice("depth_rate", &O::linearized_rate, {{"exact", false}, {"linearized", true}},
                "rate of the depth from the velocity: by the scheme's own continuity equation, or −η̃ ∇·v "
                "with the reference depth (Wang et al. 2007)");
  }
};

class ImplicitEulerVelocity final : public VelocityDepthIntegrator {
 public:
  explicit ImplicitEulerVelocity(const IntegratorSetting& setting)
      : ImplicitEulerVelocity(setting, read_options<ImplicitEulerVelocityOptions>(setting.parameters)) {}
  ImplicitEulerVelocity(const IntegratorSetting& setting, const ImplicitEulerVelocityOptions& options)
      : VelocityDepthIntegrator(setting, options.equation), linearized_rate_(options.linearized_rate) {}

  StepReport step(State& state, double dt, StageClock& clock) override {
    Block volumes = state[volume()], flow = state[velocity()];
    if (StepReport report = equation_.prepare(volumes, 1, dt * dt, clock); !report.ok) return report;
    equation_.acceleration(volumes, acceleration_);
    load_.q.resize(layout().size());
    load_[volume()] = dt * dt * acceleration_;
    if (linearized_rate_)
      equation_.add_rate(flow, dt, load_[volume()]);
    else
      right_side_.add_depth_rate(state, terms_, dt, load_);
    if (StepReport report = equation_.solve(load_[volume()], increment_, change_, clock); !report.ok)
      return report;

    const auto stage = clock.measure(Stage::velocity);
    volumes += increment_;
    right_side_.add_velocity_rate(state, terms_, dt, flow);
    return {};
  }

 private:
  bool linearized_rate_;
};

}  // namespace

IntegratorEntry implicit_euler_velocity() {
  IntegratorEntry entry;
  entry.name = "implicit-euler-velocity";
  entry.summary =
      "implicit-euler with a velocity unknown, which determines the depth rate (Angst 2007, 5.3.1); strongly "
      "damped";
  entry.parameters = describe_options<ImplicitEulerVelocityOptions>();
  entry.implicit_terms = Term::gravity;
  entry.explicit_terms = Term::force;
  entry.uses_linear_solver = true;
  entry.claims = {.order = 1, .conserves_mass = false, .unconditional = true};
  entry.amplification = [](const WaveStep& step) {
    const double q = 1 + step.a() * step.a();
    return dominant_factor(2 / q, 1 / q);
  };
  entry.mass_drift = [](const Parameters& options) {
    return read_options<ImplicitEulerVelocityOptions>(options).equation.mass_drift();
  };
  entry.unsupported = [](const DiscretizationEntry& scheme, const Parameters& options) {
    return VelocityDepthIntegrator::incompatibility(
        scheme, options, read_options<ImplicitEulerVelocityOptions>(options).equation);
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<ImplicitEulerVelocity>(setting);
  };
  return entry;
}

}  // namespace shoal
