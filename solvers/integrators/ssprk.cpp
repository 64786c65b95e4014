// ssprk2: the two-stage strong-stability-preserving Runge–Kutta method (Shu & Osher 1988,
// doi:10.1016/0021-9991(88)90177-5), a convex combination of forward Euler steps:
//
//     q¹ = qⁿ + Δt f(qⁿ),    qⁿ⁺¹ = ½ qⁿ + ½ (q¹ + Δt f(q¹))
//
// Second order; positive where forward Euler is. On the imaginary axis |z|² = 1 + a⁴/4, so it asks for a flux
// that damps.
#include "solvers/integrators/list.hpp"

namespace shoal {
namespace {

class SspRk2 final : public Integrator {
 public:
  explicit SspRk2(const IntegratorSetting& setting)
      : discretization_(setting.discretization), substeps_(setting.substeps) {}

  StepReport step(State& state, double dt, StageClock& clock) override {
    const auto stage = clock.measure(Stage::depth);
    for (int substep = 0; substep < substeps_; ++substep) advance(state, dt / substeps_);
    return {};
  }

  double kinetic_energy(const State& state) const override { return discretization_.kinetic_energy(state); }

 private:
  void advance(State& state, double dt) {
    first_ = state;
    discretization_.add_rates(state, dt, first_);
    second_ = first_;
    discretization_.add_rates(first_, dt, second_);
    state.volume = 0.5 * (state.volume + second_.volume);
    state.flow = 0.5 * (state.flow + second_.flow);
  }

  const Discretization& discretization_;
  int substeps_;
  State first_, second_;
};

}  // namespace

IntegratorEntry ssprk2() {
  IntegratorEntry entry;
  entry.name = "ssprk2";
  entry.summary =
      "strong-stability-preserving Runge–Kutta, two stages, for flux-form schemes (Shu & Osher 1988)";
  entry.default_substeps = 1;
  entry.claims = {.order = 2, .linear_order = 2};
  entry.obstacle = [](const DiscretizationEntry& scheme) -> std::string {
    if (scheme.offers_capability(Capability::dissipative)) return "";
    return "needs a dissipative flux: it amplifies undamped waves, |z|² = 1 + (ωΔt)⁴/4";
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<SspRk2>(setting);
  };
  return entry;
}

}  // namespace shoal
