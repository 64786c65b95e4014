// The list of integrators.
#include "solvers/integrators/list.hpp"

#include "discretizations/common/entries.hpp"

namespace shoal {
namespace {

/// Another integrator's step between two halves of Coriolis's force.
class Turning final : public Integrator {
 public:
  Turning(const Discretization& discretization, std::unique_ptr<Integrator> inner)
      : discretization_(discretization), inner_(std::move(inner)) {}

  void start(State& state, double dt) override { inner_->start(state, dt); }
  void refresh() override { inner_->refresh(); }
  double kinetic_energy(const State& state) const override { return inner_->kinetic_energy(state); }

  StepReport step(State& state, double dt, StageClock& clock) override {
    turn(state, dt / 2, clock);
    StepReport report = inner_->step(state, dt, clock);
    if (report.ok) turn(state, dt / 2, clock);
    return report;
  }

 private:
  void turn(State& state, double dt, StageClock& clock) const {
    if (!discretization_.rotates()) return;
    const auto stage = clock.measure(Stage::velocity);
    discretization_.turn_velocity(dt, state);
  }

  const Discretization& discretization_;
  std::unique_ptr<Integrator> inner_;
};

}  // namespace

const std::vector<IntegratorEntry>& integrators() {
  // One line each.
  // clang-format off
  static const std::vector<IntegratorEntry> list = {
      explicit_euler(),
      implicit_euler(),
      newmark(),
      newmark_analytic(),
      semi_implicit(),
      ssprk2(),
      ssprk3(),
  };
  // clang-format on
  return list;
}

const IntegratorEntry& find_integrator(const std::string& name) {
  return find_entry(integrators(), name, "integrator");
}

std::unique_ptr<Integrator> make_integrator(const IntegratorEntry& integrator,
                                            const DiscretizationEntry& scheme,
                                            const IntegratorSetting& setting) {
  const std::string incompatibility = integrator.incompatibility(scheme);
  if (!incompatibility.empty())
    throw Refusal(integrator.name + " with " + scheme.name + ": " + incompatibility);
  if (integrator.carries_velocity)
    return std::make_unique<Turning>(setting.discretization, integrator.make(setting));
  if (setting.discretization.rotates())
    throw Refusal(integrator.name +
                  " carries no velocity that Coriolis's force could turn; use coriolis = 0");
  return integrator.make(setting);
}

}  // namespace shoal
