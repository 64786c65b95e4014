// ssprk2, ssprk3: the two- and three-stage strong-stability-preserving Runge–Kutta methods (Shu & Osher 1988,
// doi:10.1016/0021-9991(88)90177-5), convex combinations of forward Euler steps E(q) = q + Δt f(q):
//
//     ssprk2    qⁿ⁺¹ = ½ qⁿ + ½ E(E(qⁿ))
//     ssprk3    q² = ¾ qⁿ + ¼ E(E(qⁿ)),    qⁿ⁺¹ = ⅓ qⁿ + ⅔ E(q²)
//
// Of order 2 and 3; positive where forward Euler is. On undamped waves |z|² = 1 + a⁴/4 for ssprk2, so it asks
// for a flux that damps; for ssprk3 |z|² = 1 − a⁴/12 + a⁶/36, stable up to a = √3.
#include "solvers/integrators/integrator.hpp"

#include <complex>
#include <numbers>

namespace shoal {
namespace {

class SspRk final : public VelocityIntegrator {
 public:
  SspRk(const IntegratorSetting& setting, int stages) : VelocityIntegrator(setting), stages_(stages) {}

  StepReport step(State& state, const Forces& forces, double dt, StageClock& clock) override {
    const auto stage = clock.measure(Stage::depth);
    for (int substep = 0; substep < substeps_; ++substep) advance(state, forces, dt / substeps_);
    return {};
  }

  /// The stages with their own forces and geometry.
  StepReport step_in_stages(State& state, const Forces& forces, double dt, StageWorld& world,
                            StageClock& clock) override {
    const auto stage = clock.measure(Stage::depth);
    const double h = dt / substeps_;
    world.leave(state);
    for (int substep = 0; substep < substeps_; ++substep) {
      const double start = substep * h;
      euler_at(start, state, forces, h, h / (stages_ == 3 ? 6 : 2), world, first_);
      euler_at(start + h, first_, forces, h, h / (stages_ == 3 ? 6 : 2), world, second_);
      if (stages_ == 3) {
        blend(0.75, second_, state);
        euler_at(start + 0.5 * h, second_, forces, h, h * 2 / 3, world, first_);
        blend(2.0 / 3, state, first_);
      } else {
        blend(0.5, state, second_);
      }
    }
    world.finish(dt, state);
    return {};
  }

 private:
  /// to = E(from) of a stage at `offset`, whose rates have this weight in the step.
  void euler_at(double offset, const State& from, const Forces& forces, double dt, double weight,
                StageWorld& world, State& to) {
    stage_ = from;
    world.enter(offset, stage_, weight);
    to = stage_;
    discretization_.add_rates(stage_, forces, terms_, dt, to);
    world.leave(to);
  }

  /// to = E(from)
  void euler(const State& from, const Forces& forces, double dt, State& to) const {
    to = from;
    discretization_.add_rates(from, forces, terms_, dt, to);
  }

  /// q ← (1−w) q + w other, as an increment: what does not change stays to the last bit.
  static void blend(double w, State& q, const State& other) { q.q += w * (other.q - q.q); }

  void advance(State& state, const Forces& forces, double dt) {
    euler(state, forces, dt, first_);
    euler(first_, forces, dt, second_);
    if (stages_ == 3) {
      blend(0.75, second_, state);
      euler(second_, forces, dt, first_);
      blend(2.0 / 3, state, first_);
    } else {
      blend(0.5, state, second_);
    }
  }

  int stages_;
  State first_, second_, stage_;
};

}  // namespace

IntegratorEntry ssprk2() {
  IntegratorEntry entry;
  entry.name = "ssprk2";
  entry.summary =
      "strong-stability-preserving Runge–Kutta, two stages, for flux-form schemes (Shu & Osher 1988)";
  entry.default_substeps = 1;
  entry.stages_in_time = true;
  entry.claims = {.order = 2, .linear_order = 2};
  entry.explicit_terms = Terms::all();
  entry.incompatibility = [](const DiscretizationEntry& scheme, const Parameters&) -> std::string {
    if (scheme.dissipative) return "";
    return "needs a dissipative flux: it amplifies undamped waves, |z|² = 1 + (ωΔt)⁴/4";
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<SspRk>(setting, 2);
  };
  return entry;
}

IntegratorEntry ssprk3() {
  IntegratorEntry entry;
  entry.name = "ssprk3";
  entry.summary = "strong-stability-preserving Runge–Kutta, three stages (Shu & Osher 1988)";
  entry.default_substeps = 1;
  entry.stages_in_time = true;
  entry.claims = {.order = 3, .linear_order = 3, .stable_part = std::numbers::sqrt3 / 2};
  entry.amplification = [](const WaveStep& step) {
    const std::complex<double> x(0, step.a() / step.substeps);
    const std::complex<double> z = 1.0 + x * (1.0 + x * (0.5 + x / 6.0));
    return Amplification{std::abs(z), std::arg(z)}.repeated(step.substeps);
  };
  entry.explicit_terms = Terms::all();
  entry.incompatibility = [](const DiscretizationEntry& scheme, const Parameters& options) -> std::string {
    // What rules out the split rates rules out every rate of the velocity.
    return scheme.offers_capability<Split>() ? scheme.unavailable<Split>(options) : "";
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<SspRk>(setting, 3);
  };
  return entry;
}

}  // namespace shoal
