// own: the step of a scheme that has one of its own (OwnStep) in place of rates. Sources, rotation and friction are split off.
#include "solvers/integrators/integrator.hpp"

namespace shoal {
namespace {

class Own final : public VelocityIntegrator {
 public:
  using VelocityIntegrator::VelocityIntegrator;

  StepReport step(State& state, double dt, StageClock& clock) override {
    const auto stage = clock.measure(Stage::depth);
    const std::string reason = right_side_.advance(dt, state);
    return {reason.empty(), reason, !reason.empty()};
  }
};

}  // namespace

IntegratorEntry own() {
  IntegratorEntry entry;
  entry.name = "own";
  entry.summary = "the step of a scheme that has one of its own in place of rates";
  entry.calls_own_step = true;
  entry.claims = {.order = 1, .linear_order = 1};
  entry.explicit_terms = Term::gravity | Term::advection | Term::force;
  entry.make = [](const IntegratorSetting& setting) -> std::unique_ptr<Integrator> {
    return std::make_unique<Own>(setting);
  };
  return entry;
}

}  // namespace shoal
