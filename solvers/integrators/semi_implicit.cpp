// semi-implicit: a θ-scheme in flux form. With p = r h and the depth at velocity sites frozen at η̄ = η̄(Vⁿ),
//
//     Vⁿ⁺¹ = Vⁿ − Δt D(η̄)(θ uⁿ⁺¹ + (1−θ) uⁿ),
//     uⁿ⁺¹ = uⁿ + Δt (−s G(θ pⁿ⁺¹ + (1−θ) pⁿ) + b).
//
// Eliminating uⁿ⁺¹ gives one symmetric positive definite system for z = pⁿ⁺¹ − pⁿ = r δV/A,
//
//     (A/r + θ²Δt² K(η̄ s)) z = −Δt D(η̄)(uⁿ + θΔt u_t(Vⁿ)),
//
// for any depths. The volume is then updated by the flux, not by z, so that mass is exact whatever the
// residual. Amplification: z = (1 + i(1−θ)a)/(1 − iθa), a = ωΔt: |z| = 1 for θ = ½; θ > ½ damps short waves.
#include "discretizations/capabilities.hpp"
#include "solvers/integrators/integrator.hpp"
#include "solvers/integrators/wave_system.hpp"

#include <cmath>

namespace shoal {
namespace {

struct SemiImplicitOptions {
  double theta = 0.5;
  static Options<SemiImplicitOptions> describe() {
    return Options<SemiImplicitOptions>().number(
        "theta", "1", &SemiImplicitOptions::theta, 0.5, 1,
        "θ: ½ is undamped, larger values damp short waves, 1 is fully implicit");
  }
};

class SemiImplicit final : public VelocityIntegrator {
 public:
  explicit SemiImplicit(const IntegratorSetting& setting)
      : VelocityIntegrator(setting),
        wave_(setting.right_side),
        system_(wave_, *setting.linear_solver, setting.parameters),
        theta_(read_options<SemiImplicitOptions>(setting.parameters).theta) {}

  StepReport step(State& state, double dt, StageClock& clock) override {
    const WaveForces& waves = wave_.forces();
    Block volumes = state[volume()], flow = state[velocity()];
    const Vector& s = waves.site_root_acceleration;
    const Vector& area = right_side_.cells().area;
    wave_.site_depth(volumes, depth_);
    wave_.close_dry_sites(volumes, depth_);
    weight_ = depth_.cwiseProduct(s);
    mass_ = area.cwiseQuotient(waves.root_acceleration);
    if (StepReport report = system_.prepare(mass_, theta_ * theta_ * dt * dt, weight_, clock); !report.ok)
      return report;

    wave_.pressure(volumes, pressure_);
    old_flow_ = flow;
    wave_.add_gradient(pressure_, -dt, s, flow);
    if (waves.has_force) flow += dt * waves.force;

    outflow_.setZero(area.size());
    mean_flow_ = theta_ * flow + (1 - theta_) * old_flow_;
    wave_.add_outflow(mean_flow_, -dt, depth_, outflow_);
    if (StepReport report = system_.solve(outflow_, increment_, clock); !report.ok) {
      flow = old_flow_;
      return report;
    }

    const auto stage = clock.measure(Stage::velocity);
    wave_.add_gradient(increment_, -dt * theta_, s, flow);
    mean_flow_ = theta_ * flow + (1 - theta_) * old_flow_;
    wave_.add_outflow(mean_flow_, -dt, depth_, volumes);
    return {};
  }

  void save(Archive& archive) const override {
    archive.put("semi-implicit/increment", Location::cell, increment_);  // start value of iterations
    system_.save(archive);
  }
  void restore(const Archive& archive) override {
    increment_ = archive.vector("semi-implicit/increment");
    system_.restore(archive);
  }

 private:
  const WaveSide wave_;
  WaveSystem system_;
  double theta_;
  Vector depth_, weight_, mass_, pressure_, old_flow_, mean_flow_, outflow_, increment_;
};

}  // namespace

IntegratorEntry semi_implicit() {
  IntegratorEntry entry;
  entry.name = "semi-implicit";
  entry.summary =
      "θ-scheme in flux form: conserves mass exactly for any time step, one positive definite system per "
      "step";
  entry.parameters = describe_options<SemiImplicitOptions>();
  entry.implicit_terms = Term::gravity;
  entry.explicit_terms = Term::force;
  entry.uses_linear_solver = true;
  // For the default θ = ½. At finite amplitude it is first order, because the depth is frozen at tⁿ.
  entry.claims = {.order = 1, .linear_order = 2, .unconditional = true, .neutral = true};
  entry.amplification = [](const WaveStep& step) {
    const double now = read_options<SemiImplicitOptions>(step.parameters).theta * step.a(),
                 before = step.a() - now;
    return Amplification{std::hypot(1, before) / std::hypot(1, now), std::atan(before) + std::atan(now)};
  };
  entry.unsupported = [](const DiscretizationEntry& scheme, const Parameters& options) {
    // Gradient and divergence must act on the velocity, and K must be their product.
    const std::string reason = flux_incompatibility(scheme, options);
    return reason.empty() ? scheme.unavailable<Split>(options) : reason;
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<SemiImplicit>(setting);
  };
  return entry;
}

}  // namespace shoal
