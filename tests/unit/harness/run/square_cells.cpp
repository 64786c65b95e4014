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

/// A force along the plane tilts the surface; its work is what then swings and is lost to friction.
TEST(SquareCells, a_steady_force_does_no_work_on_water_at_rest) {
  for (const DiscretizationEntry& scheme : test::grid_schemes()) {
    const std::vector<double> work = series("custom", scheme.name,
                                            "mesh = 'rectangle:8x8:8x8:structured'\ndt = 'auto'\nend = "
                                            "60\nparameters.body_acceleration = '0,0.05,0'\n"
                                            "parameters.friction = 0.5\n",
                                            "work_forces");
    EXPECT_GT(work.back(), -1e-3) << scheme.name;
    // Overlapping packets even out the surface in each step, against the force.
    if (scheme.name == "packets") continue;
    EXPECT_NEAR(work.back(), work[work.size() * 9 / 10], 1) << scheme.name;  // J, of 40 at first
  }
}

TEST(SquareCells, water_does_not_cross_a_channel_of_one_cell) {
  for (const DiscretizationEntry& scheme : test::grid_schemes())
    for (const char* layout : {"edge", "centre"}) {
      if (scheme.name != "height-map" && std::string(layout) == "centre") continue;
      const std::string of_layout =
          scheme.name == "height-map" ? "parameters.layout = '" + std::string(layout) + "'\n" : "";
      EXPECT_LT(
          series("custom", scheme.name,
                 "mesh = 'rectangle:6x1:6x1:structured'\nend = 1\nparameters.initial_velocity = '0,0.3,0'\n" +
                     of_layout,
                 "max_speed")
              .back(),
          1e-14)
          << scheme.name << layout;
    }
}

TEST(SquareCells, a_film_evens_out_under_the_rules_for_thin_water) {
  for (const char* shore : {"algorithm-3", "algorithm-4"}) {
    const std::vector<double> energy =
        series("custom", "height-map",
               "mesh = 'rectangle:16x16:16x16:structured'\nend = 20\nparameters.bed_depth = 0.05\n"
               "parameters.initial_elevation = '0.01*exp(-((x-7)^2+(y-7)^2)/9)'\nparameters.shore = '" +
                   std::string(shore) + "'\n",
               "energy_total");
    EXPECT_LT(energy.back(), energy.front()) << shore;
  }
}

TEST(SquareCells, water_that_is_lifted_ends_the_run) {
  for (const DiscretizationEntry& scheme : test::grid_schemes()) {
    const RunConfiguration c = planned("scene = 'custom'\ndiscretization = '" + scheme.name +
                                       "'\nmesh = 'rectangle:12x4:12x4:structured'\ndt = 0.05\nend = 0.1\n"
                                       "parameters.normal_acceleration = 5\n"
                                       "parameters.normal_acceleration_max = 'none'\n");
    const Surface surface = load_surface(test::catalog(), c);
    Simulation simulation(test::catalog(), c, surface);
    StageClock clock;
    EXPECT_FALSE(simulation.step(clock).ok) << scheme.name;
  }
}

TEST(SquareCells, a_lake_rests_while_packets_average_its_velocity_to_the_sides) {
  EXPECT_LT(series("lake-at-rest", "packets",
                   "mesh = 'rectangle:100x4:25x1:structured'\nend = 1\nparameters.level = 0.1\n"
                   "parameters.pressure_gradient = 'faces'\n",
                   "max_speed")
                .back(),
            1e-13);
}

}  // namespace
}  // namespace shoal
