// rosenbrock: the method ROS2 of Verwer, Spee, Blom & Hundsdorfer 1999 (doi:10.1137/S1064827597326651), linearly implicit,
// of second order with any matrix W in place of the Jacobian:
//
//     (I − γΔt W) k₁ = Δt f(qⁿ),    (I − γΔt W) k₂ = Δt f(qⁿ + k₁) − 2k₁,    qⁿ⁺¹ = qⁿ + 3/2 k₁ + 1/2 k₂.
//
// W is the scheme's approximate Jacobian (Jacobian in discretizations/capabilities.hpp). A wave with f = λq, W = μ is multiplied
// by R = 1 + 3/2 k₁ + 1/2 k₂, for ∞Δt by 1 − 2r + r²/2 with r = λ/(γμ): stable for λ/μ ≤ 4γ.
//
// The equations are solved by iteration. Each k then takes the value b + γΔt W k, which differs by the residual, so that its
// volumes are sums of fluxes and mass is exact.
#include "discretizations/capabilities.hpp"
#include "solvers/integrators/integrator.hpp"
#include "solvers/linear/flush_subnormals.hpp"
#include "solvers/linear/gmres.hpp"

#include <numbers>

namespace shoal {
namespace {

constexpr double gamma = 1 + std::numbers::sqrt2 / 2;

class Rosenbrock final : public VelocityIntegrator {
 public:
  explicit Rosenbrock(const IntegratorSetting& setting)
      : VelocityIntegrator(setting),
        jacobian_(right_side_.offered<Linearises>()->make_jacobian()),
        unknowns_(right_side_.mesh(), right_side_.cells(), right_side_.layout()),
        gmres_(read_options<GmresOptions>(setting.parameters), unknowns_) {}

  StepReport step(State& state, double dt, StageClock& clock) override {
    {
      const auto stage = clock.measure(Stage::assembly);
      jacobian_->set(state, right_side_.forces(), terms_);
      scale_ = (1 + gamma * dt * jacobian_->decay().array()).inverse();
    }
    rate_.q.setZero(state.q.size());
    add_rates(state, dt, clock);
    first_.q.setZero(state.q.size());
    if (StepReport report = solve(dt, first_, clock); !report.ok) return report;

    middle_.q = state.q + first_.q;
    rate_.q = -2 * first_.q;
    add_rates(middle_, dt, clock);
    second_.q = -1 * first_.q;  // with the same sign of zero everywhere (inertia.cpp)
    if (StepReport report = solve(dt, second_, clock); !report.ok) return report;

    state.q += 1.5 * first_.q + 0.5 * second_.q;
    return {};
  }

 private:
  void add_rates(const State& state, double dt, StageClock& clock) {
    const auto stage = clock.measure(Stage::depth);
    right_side_.add(state, terms_, dt, rate_);
  }

  /// Solves (I − γΔt W) k = rate.
  StepReport solve(double dt, State& k, StageClock& clock) {
    const auto stage = clock.measure(Stage::solve);
    const FlushSubnormals flush;
    const SolverReport report = gmres_.solve(
        [&](const Vector& direction, Vector& image) {
          direction_.q = direction;
          image_.q = direction;
          jacobian_->add_product(direction_, -gamma * dt, image_);
          image = image_.q;
        },
        scale_, jacobian_->weight(), rate_.q, k.q);
    if (report.ok) k.q += gmres_.residual();  // there is none after a failure at the start
    unknowns_.renew(k.q);
    SolverWork work;
    work.iterations = report.iterations;
    work.residual = report.residual;
    clock.add(work);
    return {.ok = report.ok, .reason = report.reason};
  }

  std::unique_ptr<Jacobian> jacobian_;
  const Unknowns unknowns_;
  Gmres gmres_;
  State rate_, first_, second_, middle_, direction_, image_;
  Vector scale_;
};

}  // namespace

IntegratorEntry rosenbrock() {
  IntegratorEntry entry;
  entry.name = "rosenbrock";
  entry.summary =
      "linearly implicit with an approximate Jacobian, order 2 (ROS2, Verwer et al. 1999); finite volumes "
      "with steps beyond "
      "the explicit limit";
  entry.parameters = describe_options<GmresOptions>();
  entry.implicit_terms = Term::gravity | Term::advection | Term::coriolis;
  // Rates are evaluated at known states only. Friction acts exactly before and after the step, so that its work is exact too.
  entry.explicit_terms = Terms::all().without(Term::friction);
  entry.claims = {.order = 2, .linear_order = 2, .positive = false, .unconditional = true};
  entry.unsupported = [](const DiscretizationEntry& scheme, const Parameters& options) {
    return scheme.unavailable<Linearises>(options);
  };
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<Rosenbrock>(setting);
  };
  return entry;
}

}  // namespace shoal
