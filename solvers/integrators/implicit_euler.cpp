// implicit-euler: the second-order depth equation by backward differences (Angst 2007, 5.7–5.8; Kass & Miller
// 1990), with s the damping of Kass & Miller and the depth in front of the divergence frozen at η̃
// (DepthEquation):
//
//     (1 − Δt² ∂V_tt/∂V) δV = (1−s)(Vⁿ − Vⁿ⁻¹) + Δt² V_tt(Vⁿ),    Vⁿ⁺¹ = Vⁿ + δV.
//
// |z|² = (1−s)/(1+a²) while z is complex, a > s/(2√(1−s)). Mass drifts at finite amplitude unless η̃ is
// constant. Derivation, and the term η(∇·v)²: solvers/integrators/implicit_euler.md.
#include "solvers/integrators/depth_rate.hpp"
#include "solvers/integrators/integrator.hpp"

namespace shoal {
namespace {

struct ImplicitEulerOptions {
  enum class DivergenceTerm { off, matrix, right_side, layton };

  DepthEquationOptions equation = {.reference_depth = {DepthEquationOptions::Reference::local}};
  double damping = 0;
  DivergenceTerm divergence_term = DivergenceTerm::off;

  static Options<ImplicitEulerOptions> describe() {
    using O = ImplicitEulerOptions;
    return Options<O>()
        .part(&O::equation, DepthEquationOptions::describe("local"))
        .number("damping", "1", &O::damping, 0, 1,
                "damping s of Kass and Miller, from 0 (none beyond that of the scheme) to 1")
        .choice("divergence_term", &O::divergence_term,
                {{"off", DivergenceTerm::off},
                 {"matrix", DivergenceTerm::matrix},
                 {"right-side", DivergenceTerm::right_side},
                 {"layton", DivergenceTerm::layton}},
                "the term η(∇·v)². off: omitted; matrix: in the matrix (Angst 2007, 5.7); right-side: on the "
                "right-hand side; layton: −Δt η ∇·v on the right-hand side (Layton & van de Panne 2002)");
  }

  /// The factor of Vⁿ − Vⁿ⁻¹ on the right-hand side.
  double kept_motion() const {
    return divergence_term == DivergenceTerm::layton ? 1 + (1 - damping) : 1 - damping;
  }
};

class ImplicitEuler final : public DepthRateIntegrator {
 public:
  explicit ImplicitEuler(const IntegratorSetting& setting)
      : ImplicitEuler(setting, read_options<ImplicitEulerOptions>(setting.parameters)) {}
  ImplicitEuler(const IntegratorSetting& setting, const ImplicitEulerOptions& options)
      : DepthRateIntegrator(setting, options.equation),
        kept_motion_(options.kept_motion()),
        divergence_in_matrix_(options.divergence_term == ImplicitEulerOptions::DivergenceTerm::matrix),
        divergence_on_right_(options.divergence_term == ImplicitEulerOptions::DivergenceTerm::right_side) {}

  StepReport step(State& state, double dt, StageClock& clock) override {
    Block volume = state[volume_], volume_rate = state[volume_rate_];
    if (StepReport report = prepare(state, dt, clock); !report.ok) return report;
    equation_.acceleration(volume, acceleration_);
    // V_t stores (Vⁿ − Vⁿ⁻¹)/Δt.
    load_ = kept_motion_ * dt * volume_rate + dt * dt * acceleration_;
    if (divergence_in_matrix_ || divergence_on_right_)
      load_.array() += squared_divergence_.array() * volume.array();
    if (StepReport report = equation_.solve(load_, increment_, change_, clock); !report.ok) return report;

    const auto stage = clock.measure(Stage::depth);
    volume += increment_;
    volume_rate = increment_ / dt;
    return {};
  }

 private:
  StepReport prepare(const State& state, double dt, StageClock& clock) {
    const ConstBlock volume = state[volume_];
    if (divergence_in_matrix_ || divergence_on_right_)
      squared_divergence_ = (dt * state[volume_rate_].cwiseQuotient(volume)).cwiseAbs2();
    if (!divergence_in_matrix_) return equation_.prepare(volume, 1, dt * dt, clock);
    matrix_factor_ = 1 - squared_divergence_.array();
    return equation_.prepare(volume, matrix_factor_, dt * dt, clock);
  }

  double kept_motion_;
  bool divergence_in_matrix_, divergence_on_right_;
  Vector squared_divergence_, matrix_factor_;  // [cells] (Δt ∇·v)²; 1 − (Δt ∇·v)²
  Vector acceleration_, load_, increment_, change_;
};

}  // namespace

IntegratorEntry implicit_euler() {
  IntegratorEntry entry;
  entry.name = "implicit-euler";
  entry.summary =
      "backward Euler for the depth's wave equation (Angst 2007, 5.8); strongly damped, mass drifts";
  entry.parameters = describe_options<ImplicitEulerOptions>();
  entry.implicit_terms = Term::gravity;
  entry.explicit_terms = Term::force;
  entry.uses_linear_solver = true;
  entry.carries_velocity = false;
  entry.claims = {.order = 1, .conserves_mass = false, .unconditional = true};
  entry.amplification = [](const WaveStep& step) {
    const double kept = read_options<ImplicitEulerOptions>(step.parameters).kept_motion(),
                 q = 1 + step.a() * step.a();
    return dominant_factor((1 + kept) / q, kept / q);
  };
  entry.mass_drift = [](const Parameters& options) {
    return read_options<ImplicitEulerOptions>(options).equation.mass_drift();
  };
  entry.unsupported = [](const DiscretizationEntry& scheme, const Parameters& options) {
    const std::string reason = flux_incompatibility(scheme, options);
    return reason.empty() ? read_options<ImplicitEulerOptions>(options).equation.contradiction() : reason;
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<ImplicitEuler>(setting);
  };
  return entry;
}

}  // namespace shoal
