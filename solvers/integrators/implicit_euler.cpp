// implicit-euler: the second-order depth equation by backward differences (Angst 2007, 5.7–5.8; Kass & Miller
// 1990), depth in front of the divergence frozen per cell at η̃ = ηⁿ (DepthEquation):
//
//     (1 − Δt² ∂V_tt/∂V) δV = (1−s)(Vⁿ − Vⁿ⁻¹) + Δt² V_tt(Vⁿ),    Vⁿ⁺¹ = Vⁿ + δV.
//
// z² − (2−s)/(1+a²) z + (1−s)/(1+a²) = 0: |z|² = (1−s)/(1+a²) while z is complex, a > s/(2√(1−s)). Mass
// drifts at finite amplitude.
#include "solvers/integrators/depth_rate.hpp"
#include "solvers/integrators/list.hpp"

namespace shoal {
namespace {

class ImplicitEuler final : public DepthRateIntegrator {
 public:
  explicit ImplicitEuler(const IntegratorSetting& setting)
      : DepthRateIntegrator(setting), damping_(setting.parameters.number("damping")) {}

  StepReport step(State& state, double dt, StageClock& clock) override {
    if (StepReport report = equation_.prepare(state.volume, 1, dt * dt, clock); !report.ok) return report;
    equation_.acceleration(state.volume, acceleration_);
    // V_t holds (Vⁿ − Vⁿ⁻¹)/Δt.
    right_side_ = (1 - damping_) * dt * state.volume_rate + dt * dt * acceleration_;
    if (StepReport report = equation_.solve(right_side_, increment_, change_, clock); !report.ok)
      return report;

    const auto stage = clock.measure(Stage::depth);
    state.volume += increment_;
    state.volume_rate = increment_ / dt;
    return {};
  }

 private:
  double damping_;
  Vector acceleration_, right_side_, increment_, change_;
};

}  // namespace

IntegratorEntry implicit_euler() {
  IntegratorEntry entry;
  entry.name = "implicit-euler";
  entry.summary =
      "backward Euler for the depth's wave equation (Angst 2007, 5.8); strongly damped, mass drifts";
  entry.parameters = DepthEquation::parameters("local");
  entry.parameters.push_back(
      number("damping", "1", 0, 0, 1, "Kass and Miller's s: 0 none beside the scheme's own, 1 most"));
  entry.uses_linear_solver = true;
  entry.claims = {.order = 1, .conserves_mass = false, .unconditional = true};
  entry.amplification = [](const WaveStep& step) {
    const double s = step.parameters.number("damping"), q = 1 + step.a() * step.a();
    return dominant_factor((2 - s) / q, (1 - s) / q);
  };
  entry.obstacle = wave_obstacle;
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<ImplicitEuler>(setting);
  };
  return entry;
}

}  // namespace shoal
