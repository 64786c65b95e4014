// newmark's options: what each of them does to mass and energy.
#include "tests/support/simulation.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

using test::Configuration;
using test::Simulation;

Configuration bump(std::map<std::string, Value> parameters) {
  Configuration setup{.integrator = "newmark", .parameters = std::move(parameters)};
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.1 * std::exp(3 * (x.z() - 1)); };
  return setup;
}

struct Drift {
  double mass, energy;
};

Drift drift(const Configuration& setup, int steps) {
  Simulation simulation(setup);
  simulation.prepare(1.0 / 60);
  const double mass = simulation.mass(), energy = simulation.energy();
  simulation.run(steps);
  return {simulation.mass() / mass - 1, simulation.energy() / energy - 1};
}

TEST(Newmark, loses_or_gains_mass_with_local_depths_unless_it_is_rescaled) {
  EXPECT_GT(std::abs(drift(bump({{"reference_depth", "local"}}), 120).mass), 1e-4);
  EXPECT_NEAR(drift(bump({{"reference_depth", "local"}, {"mass_rescale", "on"}}), 120).mass, 0, 1e-14);
}

TEST(Newmark, rescaling_a_mass_that_does_not_drift_changes_nothing) {
  const Drift off = drift(bump({}), 300), on = drift(bump({{"mass_rescale", "on"}}), 300);
  EXPECT_NEAR(on.energy, off.energy, 1e-12);
}

TEST(Newmark, keeps_mass_and_loses_energy_under_each_damping) {
  for (const std::string damping : {"rayleigh", "displacement_damping"}) {
    const Drift slow = drift(bump({{damping, 0.5}}), 120), fast = drift(bump({{damping, 2.0}}), 120);
    EXPECT_NEAR(slow.mass, 0, 1e-13) << damping;
    // Energy falls like exp(−α t): half of it is kinetic, and only the kinetic is damped, or only the
    // potential.
    EXPECT_NEAR(std::log(1 + slow.energy), -0.5 * 2, 0.1) << damping;
    EXPECT_NEAR(std::log(1 + fast.energy), -2.0 * 2, 0.4) << damping;
  }
}

}  // namespace
}  // namespace shoal
