// Schemes on square cells in the whole harness: what a scene or a diagnostic asks for is there, or is refused.
#include "tests/support/catalog.hpp"
#include "tests/support/diagnostics.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

RunConfiguration planned(const std::string& text) {
  const std::vector<PlannedRun> runs = expand(test::catalog(), parse_experiment(text, "test.toml"));
  if (!runs.front().refusal.empty()) throw Refusal(runs.front().refusal);
  return runs.front().configuration;
}

/// The last value of a diagnostic after a short run.
std::vector<double> series(const std::string& scene, const std::string& scheme, const std::string& more,
                           const std::string& diagnostic) {
  const RunConfiguration c = planned("scene = '" + scene + "'\ndiscretization = '" + scheme + "'\n" + more);
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  return test::series(simulation, diagnostic);
}

TEST(SquareCells, every_scene_runs_or_is_refused) {
  int finished = 0;
  for (const DiscretizationEntry& scheme : test::grid_schemes())
    for (const SceneEntry& scene : test::catalog().scenes)
      for (const char* mesh :
           {"rectangle:20x20:10x10:structured", "rectangle:20x20:10x10:structured:periodic"}) {
        SCOPED_TRACE(scheme.name + " " + scene.name + " " + mesh);
        try {
          series(scene.name, scheme.name, "dt = 0.005\nend = 0.02\nmesh = '" + std::string(mesh) + "'\n",
                 "mass");
          ++finished;
        } catch (const Error&) {  // a sphere, a moving surface, dry land
        }
      }
  EXPECT_GT(finished, 20);
}

TEST(SquareCells, surfaces_that_move_are_refused) {
  for (const DiscretizationEntry& scheme : test::grid_schemes())
    EXPECT_THROW(series("squash", scheme.name, "mesh = 'rectangle:8x8:8x8:structured'\nend = 0.1\n", "mass"),
                 Refusal);
}

TEST(SquareCells, waves_turn_with_the_frame) {
  for (const DiscretizationEntry& scheme : test::grid_schemes()) {
    if (!scheme.offers_capability<TurnsVelocity>()) continue;
    const auto error = [&](int cells) {
      const std::string n = std::to_string(cells);
      return series("inertia-gravity-wave", scheme.name,
                    "mesh = 'rectangle:" + n + "x" + n +
                        ":1x1:structured:periodic'\nparameters.coriolis = 5\n" +
                        (scheme.name == "packets" ? "parameters.smoothing = 2\n" : ""),
                    "l2_error_elevation")
          .back();
    };
    const double coarse = error(20), fine = error(40);
    EXPECT_LT(fine, 0.6 * coarse) << scheme.name;  // first order
    EXPECT_LT(fine, 0.2) << scheme.name;
  }
}

}  // namespace
}  // namespace shoal
