// Scene `character`: all water stays on a walking body, with finite depth and speed.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

class CharacterScene : public testing::TestWithParam<const char*> {};

TEST_P(CharacterScene, keeps_its_water) {
  const std::string text =
      std::string("scene = 'character'\nmesh = 'figure:300'\nend = 3\ndt = '1/60'\n") + GetParam();
  const RunConfiguration configuration =
      expand(test::catalog(), parse_experiment(text, "test.toml")).front().configuration;
  const Surface surface = load_surface(test::catalog(), configuration);
  Simulation simulation(test::catalog(), configuration, surface);
  const double before = simulation.water().volume().sum();
  StageClock clock;
  while (simulation.steps_done() < simulation.steps()) {
    const StepReport report = simulation.step(clock);
    ASSERT_TRUE(report.ok) << report.reason << " at " << simulation.time() << " s";
  }
  constexpr double tolerance = 1e-12;  // 180 steps of sums that cancel in pairs
  EXPECT_NEAR(simulation.water().volume().sum() / before, 1, tolerance);
  EXPECT_TRUE(simulation.water().volume().allFinite());
  EXPECT_GT(simulation.water().largest_speed(), 1);  // it has walked
}

INSTANTIATE_TEST_SUITE_P(
    Schemes, CharacterScene,
    testing::Values(
        "integrator = 'explicit'\nsubsteps = 'auto'\n",
        "integrator = 'semi-implicit'\nparameters.dry_outflow = 'open'\n",
        "integrator = 'newmark'\nparameters.dry_outflow = 'open'\n",
        "integrator = 'explicit'\nsubsteps = 'auto'\nparameters.carried_velocity = 'circulation'\n"));

/// As it runs without further options it is water on every limb.
TEST(Character, stays_a_layer_of_water) {
  const RunConfiguration configuration =
      expand(test::catalog(), parse_experiment("scene = 'character'\nend = 2\n", "test.toml"))
          .front()
          .configuration;
  const Surface surface = load_surface(test::catalog(), configuration);
  Simulation simulation(test::catalog(), configuration, surface);
  StageClock clock;
  double lowest = 1, highest = 0;
  while (simulation.steps_done() < simulation.steps()) {
    const StepReport report = simulation.step(clock);
    ASSERT_TRUE(report.ok) << report.reason;
    Values depth;
    simulation.water().sample("depth_at_vertices", depth);
    lowest = std::min(lowest, depth.minCoeff());
    highest = std::max(highest, depth.maxCoeff());
  }
  EXPECT_GT(lowest, 0);
  EXPECT_LT(highest, 4 * simulation.scene().depth);
}

}  // namespace
}  // namespace shoal
