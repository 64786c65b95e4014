// newmark-analytic: the Newmark scheme of Angst 2007, 5.3.1 (5.9): β = ¼, γ = ½ for the depth, whose rate is
// not integrated but taken from the velocity, v by implicit Euler or by the implicit midpoint rule:
//
//     V_t = −D(η̄) uⁿ,    (1 − ¼Δt² ∂V_tt/∂V) δV = Δt V_t + ½Δt² V_tt(Vⁿ),    Vⁿ⁺¹ = Vⁿ + δV,
//     uⁿ⁺¹ = uⁿ + Δt u_t(Vⁿ⁺¹)    or    uⁿ + ½Δt (u_t(Vⁿ) + u_t(Vⁿ⁺¹)).
//
// With b = a²/4, implicit Euler: |z|² = (1−b)/(1+b) for a ≤ 4/√5, where the roots of z² − (2−4b)/(1+b) z +
// (1−b)/(1+b) become real; the larger reaches −1 at a = 2, and beyond the scheme is unstable. The midpoint
// rule makes it z² − (2−2b)/(1+b) z + 1: |z| = 1 at any Δt.
#include "solvers/integrators/depth_equation.hpp"
#include "solvers/integrators/list.hpp"

namespace shoal {
namespace {

class NewmarkAnalytic final : public Integrator {
 public:
  explicit NewmarkAnalytic(const IntegratorSetting& setting)
      : discretization_(setting.discretization),
        split_(*offered<Split>(setting.discretization)),
        equation_(setting, Use::adjoint_operators),
        midpoint_(setting.parameters.text("velocity_rule") == "midpoint") {}

  void start(State& state, double /*dt*/) override { equation_.start(state.volume); }
  void refresh() override { equation_.refresh(); }

  StepReport step(State& state, double dt, StageClock& clock) override {
    if (StepReport report = equation_.prepare(state.volume, 1, 0.25 * dt * dt, clock); !report.ok)
      return report;
    equation_.acceleration(state.volume, acceleration_);
    right_side_ = 0.5 * dt * dt * acceleration_;
    split_.add_depth_rate(state, dt, right_side_);
    if (StepReport report = equation_.solve(right_side_, increment_, change_, clock); !report.ok)
      return report;

    const auto stage = clock.measure(Stage::velocity);
    if (midpoint_) split_.add_velocity_rate(state, 0.5 * dt, state.flow);
    state.volume += increment_;
    split_.add_velocity_rate(state, midpoint_ ? 0.5 * dt : dt, state.flow);
    return {};
  }

  double kinetic_energy(const State& state) const override { return discretization_.kinetic_energy(state); }

 private:
  const Discretization& discretization_;
  const Split& split_;
  DepthEquation equation_;
  bool midpoint_;
  Vector acceleration_, right_side_, increment_, change_;
};

Amplification amplification(const WaveStep& step) {
  const double b = step.a() * step.a() / 4;
  if (step.parameters.text("velocity_rule") == "midpoint") return dominant_factor((2 - 2 * b) / (1 + b), 1);
  return dominant_factor((2 - 4 * b) / (1 + b), (1 - b) / (1 + b));
}

}  // namespace

IntegratorEntry newmark_analytic() {
  IntegratorEntry entry;
  entry.name = "newmark-analytic";
  entry.summary =
      "Newmark with the depth rate taken from the velocity (Angst 2007, 5.9): damped, stable to ωΔt = 2";
  entry.parameters = DepthEquation::parameters("local");
  entry.parameters.push_back(choice("velocity_rule", {"implicit-euler", "midpoint"},
                                    "how the velocity follows the new depth; midpoint: |z| = 1"));
  entry.uses_linear_solver = true;
  entry.claims = {.order = 1, .linear_order = 1, .conserves_mass = false};
  entry.amplification = amplification;
  entry.incompatibility = [](const DiscretizationEntry& scheme) -> std::string {
    if (!scheme.offers_capability(Capability::split)) return "needs split rates";
    return wave_incompatibility(scheme);
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<NewmarkAnalytic>(setting);
  };
  return entry;
}

}  // namespace shoal
