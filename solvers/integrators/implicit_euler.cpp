// implicit-euler: the second-order depth equation by backward differences (Angst 2007, 5.8; Kass & Miller
// 1990), depth in front of the divergence frozen per cell at η̃ = ηⁿ, (∇·v)² left out:
//
//     δV − Δt² η̃ V̂_tt(Vⁿ + δV) = (1−s)(Vⁿ − Vⁿ⁻¹),    V̂_tt = −K(s_k)(r h) − D(1) b,
//
// solved for the increment z = r δV/A in the symmetric form (A/(r η̃) + Δt² K) z = (1−s)(Vⁿ−Vⁿ⁻¹)/η̃ + Δt²
// V̂_tt(Vⁿ). The matrix is positive definite while η̃ > 0. s = 0: |z|² = 1/(1+a²). Mass drifts at finite
// amplitude.
#include "solvers/integrators/depth_rate.hpp"
#include "solvers/integrators/list.hpp"

namespace shoal {
namespace {

class ImplicitEuler final : public DepthRateIntegrator {
 public:
  explicit ImplicitEuler(const IntegratorSetting& setting)
      : DepthRateIntegrator(setting), damping_(setting.parameters.number("damping")) {}

  StepReport step(State& state, double dt, StageClock& clock) override {
    const Vector& area = discretization_.cells().area;
    const Vector& r = wave_.root_acceleration();
    depth_ = state.volume.cwiseQuotient(area);
    diagonal_ = area.array() / (r.array() * depth_.array());
    if (StepReport report = system_.prepare(diagonal_, dt * dt, wave_.site_root_acceleration(), clock);
        !report.ok)
      return report;
    // V_t holds (Vⁿ − Vⁿ⁻¹)/Δt.
    right_side_ = (1 - damping_) * dt * state.volume_rate.cwiseQuotient(depth_);
    add_acceleration(state.volume, dt * dt, right_side_);
    if (StepReport report = system_.solve(right_side_, increment_, clock); !report.ok) return report;

    const auto stage = clock.measure(Stage::depth);
    increment_.array() *= area.array() / r.array();
    state.volume += increment_;
    state.volume_rate = increment_ / dt;
    return {};
  }

 private:
  double damping_;
  Vector depth_, diagonal_, right_side_, increment_;
};

}  // namespace

IntegratorEntry implicit_euler() {
  IntegratorEntry entry;
  entry.name = "implicit-euler";
  entry.summary =
      "backward Euler for the depth's wave equation (Angst 2007, 5.8); strongly damped, mass drifts";
  entry.parameters = {
      number("damping", "1", 0, 0, 1, "Kass and Miller's s: 0 none beside the scheme's own, 1 most"),
      DepthRateIntegrator::reference_depth_parameter()};
  entry.uses_linear_solver = true;
  entry.claims = {.order = 1, .conserves_mass = false, .unconditional = true};
  entry.obstacle = wave_obstacle;
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<ImplicitEuler>(setting);
  };
  return entry;
}

}  // namespace shoal
