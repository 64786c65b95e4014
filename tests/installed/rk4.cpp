// rk4: the classical Runge–Kutta method (Kutta 1901) of a right side f(q), of order 4:
//
//     k₁ = f(q),    k₂ = f(q + Δt/2 k₁),    k₃ = f(q + Δt/2 k₂),    k₄ = f(q + Δt k₃),
//     qⁿ⁺¹ = qⁿ + Δt/6 (k₁ + 2k₂ + 2k₃ + k₄).
//
// A wave of frequency ω is multiplied by z = 1 + x + x²/2 + x³/6 + x⁴/24, x = iωΔt: stable up to ωΔt = 2√2.
#include "solvers/integrators/integrator.hpp"

#include <complex>
#include <numbers>

namespace shoal {
namespace {

class Rk4 final : public VelocityIntegrator {
 public:
  explicit Rk4(const IntegratorSetting& setting) : VelocityIntegrator(setting) {}

  StepReport step(State& state, const Forces& forces, double dt, StageClock& clock) override {
    const auto stage = clock.measure(Stage::depth);
    for (int substep = 0; substep < substeps_; ++substep) advance(state, forces, dt / substeps_);
    return {};
  }

 private:
  void advance(State& state, const Forces& forces, double dt) {
    constexpr double weight[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}, next_stage[] = {0.5, 0.5, 1, 0};
    sum_ = state;  // no allocation after the first step
    stage_ = state;
    for (int i = 0; i < 4; ++i) {
      rate_.q.setZero(state.q.size());
      discretization_.add_rates(stage_, forces, terms_, dt, rate_);
      sum_.q += weight[i] * rate_.q;
      stage_.q = state.q + next_stage[i] * rate_.q;
    }
    std::swap(state, sum_);
  }

  State stage_, rate_, sum_;
};

}  // namespace

IntegratorEntry rk4() {
  IntegratorEntry entry;
  entry.name = "rk4";
  entry.summary = "the classical Runge–Kutta method, four stages (Kutta 1901)";
  entry.default_substeps = 1;
  entry.explicit_terms = Terms::all();
  entry.claims = {.order = 4, .linear_order = 4, .stable_part = std::numbers::sqrt2};
  entry.amplification = [](const WaveStep& step) {
    const std::complex<double> x(0, step.a() / step.substeps);
    const std::complex<double> z = 1.0 + x * (1.0 + x * (1.0 / 2 + x * (1.0 / 6 + x / 24.0)));
    return Amplification{std::abs(z), std::arg(z)}.repeated(step.substeps);
  };
  entry.incompatibility = [](const DiscretizationEntry& scheme, const Parameters& options) -> std::string {
    // What rules out the split rates rules out every rate of the velocity.
    return scheme.offers_capability<Split>() ? scheme.unavailable<Split>(options) : "";
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<Rk4>(setting);
  };
  return entry;
}

}  // namespace shoal
