// The energy criterion for stopping a run: it ignores growth by work and sources and detects other growth promptly,
// for any depth scale and any forces. Cases and limits: results/findings/instability-criterion.md.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

struct Trial {
  explicit Trial(const std::string& text)
      : configuration(expand(test::catalog(), parse_experiment(text, "test.toml")).front().configuration),
        surface(load_surface(test::catalog(), configuration)),
        simulation(test::catalog(), configuration, surface),
        diagnostics(simulation) {}

  /// Until it ends or is stopped; "" or the reason.
  std::string finish() {
    std::string reason = diagnostics.instability(diagnostics.energy());
    while (reason.empty() && simulation.steps_done() < simulation.steps()) {
      const StepReport report = simulation.step(clock);
      if (!report.ok) return report.reason;
      reason = diagnostics.instability(diagnostics.energy());
      energies.push_back(diagnostics.energy().total());
    }
    return reason;
  }

  RunConfiguration configuration;
  Surface surface;
  Simulation simulation;
  Diagnostics diagnostics;
  StageClock clock;
  std::vector<double> energies;
};

TEST(StopRule, a_film_that_a_force_accelerates_goes_on_to_its_last_speed) {
  // v = a/c (1 − exp(−ct)); the energy of 0.05 m of water then is 450 times ρgH²·area.
  for (const std::string scheme : {"fefv", "dec", "hllc"}) {
    Trial run(
        "scene = 'custom'\nmesh = 'rectangle:20x4:20x4:structured:periodic-x'\nintegrator = 'explicit'\n"
        "dt = 0.02\nend = 30\nparameters.depth = 0.05\nparameters.body_acceleration = '0.5,0,0'\n"
        "parameters.friction = 0.1\ndiscretization = '" +
        scheme + "'");
    EXPECT_EQ(run.finish(), "") << scheme;
    const double speed = 0.5 / 0.1 * (1 - std::exp(-0.1 * run.simulation.time()));
    Values velocity;
    run.simulation.water().sample("velocity", velocity);
    constexpr double of_step = 4e-7;  // (cΔt)²/24 = 1.7e-7
    EXPECT_NEAR(velocity.row(0).minCoeff(), speed, of_step * speed) << scheme;
    EXPECT_NEAR(velocity.row(0).maxCoeff(), speed, of_step * speed) << scheme;
    const double energy = run.diagnostics.energy().total();
    EXPECT_NEAR(energy, run.simulation.water().ledger().work(), of_step * energy) << scheme;
  }
}

TEST(StopRule, the_same_water_written_twice_has_the_same_end) {
  std::vector<std::vector<double>> energies;
  for (const std::string depth :
       {"parameters.depth = 0.01", "parameters.depth = 1\nparameters.bed_depth = '0.01'"}) {
    Trial run(
        "scene = 'custom'\nmesh = 'rectangle:20x4:10x2:structured'\ndiscretization = 'hllc'\n"
        "integrator = 'ssprk2'\ndt = 0.002\nend = 3\nboundaries = 'left = discharge 0:0,1:4'\n" +
        depth);
    EXPECT_EQ(run.finish(), "") << depth;
    energies.push_back(run.energies);
  }
  EXPECT_EQ(energies[0], energies[1]);
}

TEST(StopRule, what_no_work_explains_is_found_whatever_acts) {
  // Symplectic Euler at twice its limit: waves grow by 13.9 a step. With each force of the list it is found before the
  // energy has grown to a thousand times its initial value.
  for (const std::string acts :
       {"", "parameters.friction = 1", "parameters.body_acceleration = '0.1,0,0'", "parameters.rain = '0.01'",
        "parameters.normal_acceleration = '-9.81*(1+0.3*sin(3*t))'", "motion = 'breathing'"}) {
    Trial run(
        "scene = 'custom'\nmesh = 'icosphere:2'\nintegrator = 'explicit'\nsubsteps = 1\ndt = 0.2\nend = 40\n"
        "parameters.initial_elevation = '0.05*x'\n" +
        acts);
    const double start = run.diagnostics.energy().total();
    const std::string reason = run.finish();
    EXPECT_NE(reason.find("exceeds the initial energy plus work"), std::string::npos)
        << acts << ": " << reason;
    EXPECT_NE(reason.find("kinetic "), std::string::npos) << reason;
    EXPECT_NE(reason.find("potential "), std::string::npos) << reason;
    EXPECT_NE(reason.find(" at vertex "), std::string::npos) << reason;
    const Ledger ledger = run.simulation.water().ledger();
    const double prompt = 1e4 * std::pow(13.9, 4);  // the rule waits for two steps more
    EXPECT_LT(run.diagnostics.energy().total(),
              prompt * (start + std::abs(ledger.work_forces) + std::abs(ledger.work_geometry) +
                        std::abs(ledger.work_source)))
        << acts;
  }
}

TEST(StopRule, knows_a_lake_at_rest_around_land) {
  // Land counts in the potential energy, 2200 J here, that no water can lose. A disturbance that it would hide is found.
  Trial still(
      "scene = 'custom'\nmesh = 'rectangle:20x20:2x2'\ndiscretization = 'hllc'\nintegrator = 'ssprk2'\n"
      "dt = 0.005\nend = 0.5\nparameters.depth = 0.3\n"
      "parameters.bed_depth = '0.3-0.6*exp(-((x-1)^2+(y-1)^2)/0.1)'");
  EXPECT_EQ(still.finish(), "");
  Trial steep(
      "scene = 'custom'\nmesh = 'rectangle:20x20:2x2'\ndiscretization = 'hllc'\nintegrator = 'explicit'\n"
      "dt = 0.2\nsubsteps = 1\nend = 40\nparameters.depth = 0.3\nparameters.initial_elevation = '1e-4*x'\n"
      "parameters.bed_depth = '0.3-0.6*exp(-((x-1)^2+(y-1)^2)/0.1)'");
  const double start = steep.diagnostics.energy().total();
  EXPECT_NE(steep.finish(), "");
  EXPECT_LT(
      steep.energies.empty() || steep.energies.size() < 2 ? 0 : steep.energies[steep.energies.size() - 2],
      2 * start);
}

/// The error of the work of the first steps from rest is as large as the energy, which grows from 0 as a power of t.
TEST(StopRule, does_not_stop_the_first_steps_of_a_surface_that_starts_to_move) {
  for (const std::string scheme : {"hllc", "kinetic", "roe"})
    for (const std::string mesh : {"mesh = 'icosphere:2'\nparameters.motion_period = 0.3\ndt = ",
                                   "mesh = 'icosphere:1'\nparameters.motion_period = 0.1\ndt = "})
      for (const std::string step : {"0.005", "0.01", "0.015", "0.02"})
        for (const std::string depth : {"0.02", "0.3"}) {
          const bool is_resolved = mesh.find("0.3") != mesh.npos || step == "0.005";
          if (!is_resolved) continue;
          Trial run("scene = 'custom'\nmotion = 'breathing'\nintegrator = 'ssprk2'\nend = 0.15\n" + mesh +
                    step + "\nparameters.depth = " + depth + "\ndiscretization = '" + scheme + "'");
          EXPECT_EQ(run.finish(), "") << scheme << mesh << step << ", depth " << depth;
        }
}

/// Heun's first step books no work.
TEST(StopRule, does_not_stop_where_a_force_or_a_boundary_value_sets_in) {
  const std::string channel = "mesh = 'rectangle:8x6:2x1.5'\n", torus = "mesh = 'torus:10x6'\n";
  for (const std::string& sets_in :
       {channel + "boundaries = 'left = discharge 0:0,0.1:0,0.101:3'\nend = 0.13\ndt = 0.002",
        channel + "boundaries = 'left = level 0:0,0.1:0,0.12:2'\nend = 0.2\ndt = 0.005",
        channel + "boundaries = 'left = level 0:0,0.01:0.1'\nend = 0.3\ndt = 0.01",
        torus + "parameters.body_acceleration = '3*(t>0.1),0,0'\nend = 0.3\ndt = 0.01",
        torus + "parameters.body_acceleration = '500*max(0,t-0.1),0,0'\nend = 0.2\ndt = 0.002",
        torus + "parameters.body_acceleration = '5*sin(30*t),0,0'\nend = 0.2\ndt = 0.01"})
    for (const std::string scheme : {"hllc", "kinetic"}) {
      Trial run("scene = 'custom'\nintegrator = 'ssprk2'\nparameters.depth = 0.2\ndiscretization = '" +
                scheme + "'\n" + sets_in);
      EXPECT_EQ(run.finish(), "") << scheme << " " << sets_in;
    }
}

TEST(StopRule, goes_on_with_what_was_saved) {
  const std::string text =
      "scene = 'custom'\nmesh = 'icosphere:1'\nintegrator = 'explicit'\ndt = 0.01\nend = 1\n"
      "parameters.body_acceleration = '0.5*sin(9*t),0,0'\nparameters.friction = 1";
  Trial whole(text), stopped(text), resumed(text);
  EXPECT_EQ(whole.finish(), "");
  for (int i = 0; i < 40; ++i) {
    ASSERT_TRUE(stopped.simulation.step(stopped.clock).ok);
    ASSERT_EQ(stopped.diagnostics.instability(stopped.diagnostics.energy()), "");
  }
  Archive simulation, diagnostics;
  stopped.simulation.save(simulation);
  stopped.diagnostics.save(diagnostics);
  resumed.diagnostics.restore(diagnostics);
  resumed.simulation.restore(simulation);
  EXPECT_EQ(resumed.finish(), "");
  Archive one, other;
  whole.diagnostics.save(one);
  resumed.diagnostics.save(other);
  EXPECT_EQ(one.vector("growth"), other.vector("growth"));
}

}  // namespace
}  // namespace shoal
