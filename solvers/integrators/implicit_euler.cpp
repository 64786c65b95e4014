// implicit-euler: the second-order depth equation by backward differences (Angst 2007, 5.7–5.8; Kass & Miller
// 1990), depth in front of the divergence frozen per cell at η̃ = ηⁿ (DepthEquation):
//
//     (1 − Δt² ∂V_tt/∂V) δV = (1−s)(Vⁿ − Vⁿ⁻¹) + Δt² V_tt(Vⁿ),    Vⁿ⁺¹ = Vⁿ + δV.
//
// z² − (2−s)/(1+a²) z + (1−s)/(1+a²) = 0: |z|² = (1−s)/(1+a²) while z is complex, a > s/(2√(1−s)). Mass
// drifts at finite amplitude, unless η̃ is constant.
//
// The thesis's term η(∇·v)² (parameter divergence_term), with ∇·v = −η_t/η:
//
//     matrix       (1 − Δt²(∇·v)²) in front of Vⁿ⁺¹: definite only while Δt |∇·v| < 1
//     right-side   + Δt² (∇·v)² Vⁿ on the right
//     layton       − Δt V ∇·v on the right (as the thesis quotes Layton & van de Panne 2002), the motion
//                  that Vⁿ − Vⁿ⁻¹ holds already: with s < 1 it counts twice, |z|² = (2−s)/(1+a²)
#include "solvers/integrators/depth_rate.hpp"
#include "solvers/integrators/list.hpp"

namespace shoal {
namespace {

class ImplicitEuler final : public DepthRateIntegrator {
 public:
  explicit ImplicitEuler(const IntegratorSetting& setting)
      : DepthRateIntegrator(setting), kept_motion_(kept_motion(setting.parameters)) {
    const std::string& term = setting.parameters.text("divergence_term");
    divergence_in_matrix_ = term == "matrix";
    divergence_on_right_ = term == "right-side";
  }

  StepReport step(State& state, double dt, StageClock& clock) override {
    if (StepReport report = prepare(state, dt, clock); !report.ok) return report;
    equation_.acceleration(state.volume, acceleration_);
    // V_t holds (Vⁿ − Vⁿ⁻¹)/Δt.
    right_side_ = kept_motion_ * dt * state.volume_rate + dt * dt * acceleration_;
    if (divergence_in_matrix_ || divergence_on_right_)
      right_side_.array() += squared_divergence_.array() * state.volume.array();
    if (StepReport report = equation_.solve(right_side_, increment_, change_, clock); !report.ok)
      return report;

    const auto stage = clock.measure(Stage::depth);
    state.volume += increment_;
    state.volume_rate = increment_ / dt;
    return {};
  }

  /// What the right side keeps of Vⁿ − Vⁿ⁻¹.
  static double kept_motion(const Parameters& parameters) {
    const double kept = 1 - parameters.number("damping");
    return parameters.text("divergence_term") == "layton" ? 1 + kept : kept;
  }

 private:
  StepReport prepare(const State& state, double dt, StageClock& clock) {
    if (divergence_in_matrix_ || divergence_on_right_)
      squared_divergence_ = (dt * state.volume_rate.cwiseQuotient(state.volume)).cwiseAbs2();
    if (!divergence_in_matrix_) return equation_.prepare(state.volume, 1, dt * dt, clock);
    matrix_factor_ = 1 - squared_divergence_.array();
    return equation_.prepare(state.volume, matrix_factor_, dt * dt, clock);
  }

  double kept_motion_;
  bool divergence_in_matrix_, divergence_on_right_;
  Vector squared_divergence_, matrix_factor_;  // [cells] (Δt ∇·v)² and 1 minus it
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
  entry.parameters.push_back(choice("divergence_term", {"off", "matrix", "right-side", "layton"},
                                    "the term η(∇·v)²: left out, in the matrix (Angst 2007, 5.7), on the "
                                    "right side, or there as Δt η ∇·v"));
  entry.uses_linear_solver = true;
  entry.carries_velocity = false;
  entry.claims = {.order = 1, .conserves_mass = false, .unconditional = true};
  entry.amplification = [](const WaveStep& step) {
    const double kept = ImplicitEuler::kept_motion(step.parameters), q = 1 + step.a() * step.a();
    return dominant_factor((1 + kept) / q, kept / q);
  };
  entry.incompatibility = wave_incompatibility;
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<ImplicitEuler>(setting);
  };
  return entry;
}

}  // namespace shoal
