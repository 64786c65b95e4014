// newmark-analytic: the Newmark scheme of Angst 2007, 5.3.1 (5.9): β = ¼, γ = ½ for the depth. The depth rate
// is not integrated but computed from the velocity, which is advanced by implicit Euler or the implicit
// midpoint rule:
//
//     V_t = −D(η̄) uⁿ,    (1 − ¼Δt² ∂V_tt/∂V) δV = Δt V_t + ½Δt² V_tt(Vⁿ),    Vⁿ⁺¹ = Vⁿ + δV,
//     uⁿ⁺¹ = uⁿ + Δt u_t(Vⁿ⁺¹)    or    uⁿ + ½Δt (u_t(Vⁿ) + u_t(Vⁿ⁺¹)).
//
// Let b = a²/4. Implicit Euler: |z|² = (1−b)/(1+b) for a ≤ 4/√5, where the roots of z² − (2−4b)/(1+b) z +
// (1−b)/(1+b) become real; the larger one reaches −1 at a = 2, beyond which the scheme is unstable. Midpoint
// rule: z² − (2−2b)/(1+b) z + 1, hence |z| = 1 for any Δt.
#include "solvers/integrators/integrator.hpp"
#include "solvers/integrators/velocity_depth.hpp"

namespace shoal {
namespace {

struct NewmarkAnalyticOptions {
  DepthEquationOptions equation = {.reference_depth = {DepthEquationOptions::Reference::local}};
  bool midpoint = false;
  static Options<NewmarkAnalyticOptions> describe() {
    using O = NewmarkAnalyticOptions;
    return Options<O>()
        .part(&O::equation, DepthEquationOptions::describe("local"))
        .choice("velocity_rule", &O::midpoint, {{"implicit-euler", false}, {"midpoint", true}},
                "depth in the update of the velocity; midpoint: |z| = 1");
  }
};

class NewmarkAnalytic final : public VelocityDepthIntegrator {
 public:
  explicit NewmarkAnalytic(const IntegratorSetting& setting)
      : NewmarkAnalytic(setting, read_options<NewmarkAnalyticOptions>(setting.parameters)) {}
  NewmarkAnalytic(const IntegratorSetting& setting, const NewmarkAnalyticOptions& options)
      : VelocityDepthIntegrator(setting, options.equation), midpoint_(options.midpoint) {}

  StepReport step(State& state, double dt, StageClock& clock) override {
    Block volumes = state[volume()], flow = state[velocity()];
    if (StepReport report = equation_.prepare(volumes, 1, 0.25 * dt * dt, clock); !report.ok) return report;
    equation_.acceleration(volumes, acceleration_);
    load_.q.resize(layout().size());
    load_[volume()] = 0.5 * dt * dt * acceleration_;
    right_side_.add_depth_rate(state, terms_, dt, load_);
    if (StepReport report = equation_.solve(load_[volume()], increment_, change_, clock); !report.ok)
      return report;

    const auto stage = clock.measure(Stage::velocity);
    if (midpoint_) right_side_.add_velocity_rate(state, terms_, 0.5 * dt, flow);
    volumes += increment_;
    right_side_.add_velocity_rate(state, terms_, midpoint_ ? 0.5 * dt : dt, flow);
    return {};
  }

 private:
  bool midpoint_;
};

Amplification amplification(const WaveStep& step) {
  const double b = step.a() * step.a() / 4;
  if (read_options<NewmarkAnalyticOptions>(step.parameters).midpoint)
    return dominant_factor((2 - 2 * b) / (1 + b), 1);
  return dominant_factor((2 - 4 * b) / (1 + b), (1 - b) / (1 + b));
}

}  // namespace

IntegratorEntry newmark_analytic() {
  IntegratorEntry entry;
  entry.name = "newmark-analytic";
  entry.summary =
      "Newmark with the depth rate computed from the velocity (Angst 2007, 5.9); damped, stable to ωΔt = 2";
  entry.parameters = describe_options<NewmarkAnalyticOptions>();
  entry.implicit_terms = Term::gravity;
  entry.explicit_terms = Term::force;
  entry.uses_linear_solver = true;
  entry.claims = {.order = 1, .linear_order = 1, .conserves_mass = false};
  entry.amplification = amplification;
  entry.mass_drift = [](const Parameters& options) {
    return read_options<NewmarkAnalyticOptions>(options).equation.mass_drift();
  };
  entry.unsupported = [](const DiscretizationEntry& scheme, const Parameters& options) {
    return VelocityDepthIntegrator::incompatibility(scheme, options,
                                                    read_options<NewmarkAnalyticOptions>(options).equation);
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<NewmarkAnalytic>(setting);
  };
  return entry;
}

}  // namespace shoal
