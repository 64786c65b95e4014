// newmark: Angst 2008, (10) with β = ¼, γ = ½ (the paper's β = γ = ½), for the depth equation linearised
// about a constant η₀ (5), in the symmetric form that the exact identity for ∇aₙ allows:
//
//     V_tt(V) = η₀ (−K(s)(r h) − D(1) b),
//     (A/r + ¼Δt² η₀ K(s)) z = Δt V_t + ½Δt² V_tt(Vⁿ),    z = r δV/A,
//     V_ttⁿ⁺¹ = V_ttⁿ − η₀ K(s) z,
//     Vⁿ⁺¹ = Vⁿ + Δt V_t + ¼Δt² (V_ttⁿ + V_ttⁿ⁺¹),    V_tⁿ⁺¹ = V_t + ½Δt (V_ttⁿ + V_ttⁿ⁺¹).
//
// V_tt comes from fluxes and sums to zero, so mass is exact; |z| = 1 for every ωΔt.
#include "solvers/integrators/depth_rate.hpp"
#include "solvers/integrators/list.hpp"

namespace shoal {
namespace {

class Newmark final : public DepthRateIntegrator {
 public:
  using DepthRateIntegrator::DepthRateIntegrator;

  void start(State& state, double dt) override {
    DepthRateIntegrator::start(state, dt);
    refresh();
  }

  void refresh() override {
    DepthRateIntegrator::refresh();
    prepared_dt_ = 0;
    acceleration_.resize(0);
  }

  StepReport step(State& state, double dt, StageClock& clock) override {
    if (dt != prepared_dt_) {  // the matrix depends on neither depth nor velocity
      weight_ = reference_depth_ * wave_.site_root_acceleration();
      const Vector mass = discretization_.cells().area.cwiseQuotient(wave_.root_acceleration());
      if (StepReport report = system_.prepare(mass, 0.25 * dt * dt, weight_, clock); !report.ok)
        return report;
      prepared_dt_ = dt;
    }
    if (acceleration_.size() == 0) {
      acceleration_.setZero(state.volume.size());
      add_acceleration(state.volume, reference_depth_, acceleration_);
    }
    right_side_ = dt * state.volume_rate + 0.5 * dt * dt * acceleration_;
    if (StepReport report = system_.solve(right_side_, increment_, clock); !report.ok) return report;

    const auto stage = clock.measure(Stage::depth);
    next_acceleration_ = acceleration_;
    wave_.add_stiffness(increment_, -1, weight_, next_acceleration_);
    acceleration_ += next_acceleration_;
    state.volume += dt * state.volume_rate + 0.25 * dt * dt * acceleration_;
    state.volume_rate += 0.5 * dt * acceleration_;
    acceleration_.swap(next_acceleration_);
    return {};
  }

 private:
  double prepared_dt_ = 0;
  Vector weight_, acceleration_, next_acceleration_, right_side_, increment_;
};

}  // namespace

IntegratorEntry newmark() {
  IntegratorEntry entry;
  entry.name = "newmark";
  entry.summary =
      "implicit Newmark for the linear depth equation (Angst 2008, 10): no damping at any time step";
  entry.parameters = {DepthRateIntegrator::reference_depth_parameter()};
  entry.uses_linear_solver = true;
  entry.claims = {.order = 2, .linear_order = 2, .unconditional = true, .neutral = true};
  entry.obstacle = wave_obstacle;
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<Newmark>(setting);
  };
  return entry;
}

}  // namespace shoal
