// explicit: k substeps per step. For schemes with separate rates of depth and velocity, symplectic Euler
// (Angst 2007, 5.12–5.13):
//
//     V ← V + Δt/k · V_t(V, u),    u ← u + Δt/k · u_t(V)        with the new V,
//
// |z| = 1 for ωΔt/k < 2 and unstable beyond. For schemes with a dissipative flux, forward Euler.
//
// In a flow U, the advection of the depth is a forward Euler step: with a = kUΔt/k, the matrix of a wave has
// the determinant (1 − ia) e^(−ia), whatever advects the velocity, and the two waves grow by (1 + a²)^¼ per
// substep, ¼(kU)²Δt/k a second. A non-dissipative advection (vector-invariant) does not prevent this growth
// at any step length; ssprk3 does.
#include "solvers/integrators/integrator.hpp"

namespace shoal {
namespace {

class Explicit final : public VelocityIntegrator {
 public:
  using VelocityIntegrator::VelocityIntegrator;

  StepReport step(State& state, double dt, StageClock& clock) override {
    for (int substep = 0; substep < substeps_; ++substep) {
      begin_substep(substep, state, clock);
      advance(state, dt / substeps_, clock);
    }
    return {};
  }

  /// Forces are evaluated at the new depth of each substep.
  double place_of_forces() const override { return right_side_.splits() ? 0.5 + 0.5 / substeps_ : 0.5; }

 private:
  void advance(State& state, double dt, StageClock& clock) {
    if (right_side_.splits()) {
      {
        const auto stage = clock.measure(Stage::depth);
        right_side_.add_depth_rate(state, terms_, dt, state);
      }
      const auto stage = clock.measure(Stage::velocity);
      right_side_.add_velocity_rate(state, terms_, dt, state[velocity()]);
      right_side_.resist(dt, state);
    } else {
      const auto stage = clock.measure(Stage::depth);
      before_ = state;  // not a swap: the arrays of the state stay where they are
      right_side_.add(before_, terms_, dt, state);
      right_side_.resist(dt, state);
    }
  }

  State before_;
};

}  // namespace

IntegratorEntry explicit_euler() {
  IntegratorEntry entry;
  entry.name = "explicit";
  entry.summary =
      "k substeps of symplectic Euler, depth first (Angst 2007, 5.3.2); forward Euler for dissipative fluxes";
  entry.default_substeps = 3;
  entry.resists = true;
  entry.claims = {.order = 1, .linear_order = 1};
  entry.amplification = [](const WaveStep& step) {
    const double a = step.a() / step.substeps;
    return dominant_factor(2 - a * a, 1).repeated(step.substeps);
  };
  entry.explicit_terms = Term::gravity | Term::force | Term::source;
  entry.unsupported = [](const DiscretizationEntry& scheme, const Parameters& options) -> std::string {
    if (scheme.offers_capability<Split>()) return scheme.unavailable<Split>(options);
    if (scheme.dissipative) return "";
    return "requires split rates or a dissipative flux, because forward Euler amplifies undamped waves";
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<Explicit>(setting);
  };
  return entry;
}

}  // namespace shoal
