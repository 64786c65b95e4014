// Steps and snapshots of a run, the steps chosen by `auto`, and the instability criterion.
#include "experiments/harness/run/simulation.hpp"
#include "discretizations/mesh/characters/gltf_writer.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/run/compute.hpp"
#include "experiments/harness/run/missing_water.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/skinned_tube.hpp"
#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace shoal {
namespace {

RunConfiguration configuration(const std::string& text, const std::string& scene = "sphere-bump") {
  return expand(test::catalog(),
                parse_experiment("scene = '" + scene + "'\nmesh = 'icosphere:2'\n" + text, "test.toml"))
      .front()
      .configuration;
}

TEST(Steps, are_rounded_up_but_not_for_rounding_errors) {
  EXPECT_EQ(Steps::count(7, 1.0 / 60), 420);
  EXPECT_EQ(Steps::count(7, 0.025), 280);
  EXPECT_EQ(Steps::count(1, 0.3), 4);
  EXPECT_EQ(Steps::count(0.1, 1), 1);
}

TEST(Snapshots, are_taken_at_the_nearest_step_and_at_both_ends) {
  EXPECT_EQ(snapshot_steps({0.025, 0.6, 1.0}, 0.1, 10), (std::vector<std::int64_t>{0, 6, 10}));
  EXPECT_EQ(snapshot_steps({}, 0.1, 10), (std::vector<std::int64_t>{0, 10}));
  EXPECT_EQ(snapshot_steps({0.51, 99}, 0.1, 10), (std::vector<std::int64_t>{0, 5, 10}));
}

TEST(Snapshots, of_a_scene_that_come_after_the_end_are_not_taken_be_they_infinite) {
  const RunConfiguration c = configuration("dt = 1\nend = 2\nparameters.period = 1e308", "breathing-sphere");
  const Surface surface = load_surface(test::catalog(), c);
  const Simulation simulation(test::catalog(), c, surface);
  EXPECT_EQ(plan_snapshots(c, simulation).steps, (std::vector<std::int64_t>{0, 2}));
}

TEST(Snapshots, of_a_scene_go_on_to_the_end_of_a_longer_run) {
  const auto asked = [](const std::string& end) {
    const RunConfiguration c = configuration("dt = 0.05\nend = " + end, "bump");
    const Surface surface = load_surface(test::catalog(), c);
    return plan_snapshots(c, Simulation(test::catalog(), c, surface)).asked;
  };
  EXPECT_EQ(asked("0.6"), "0.25,0.5");
  EXPECT_EQ(asked("1"), "0.25,0.5,0.75,1");
  EXPECT_EQ(asked("2"), "0.25,0.5,0.75,1,1.25,1.5,1.75,2");
  EXPECT_EQ(asked("9"), "0.25,0.5,0.75,1,3,5,7,9");  // four more at most
}

TEST(Clips, without_a_delay_have_the_surface_in_their_first_pose_from_the_start) {
  const test::TemporaryFolder folder;
  test::SkinnedTube tube = test::skinned_tube();
  Channel& bend = tube.character.clips[0].channels[0];
  bend.values = bend.values.rowwise().reverse().eval();  // from bent to straight, which it is at rest
  const std::string mesh = (folder / "tube.glb").string();
  write_glb(mesh, tube.x, tube.faces, Points(), &tube.character);
  for (const bool at_once : {true, false}) {
    const RunConfiguration c =
        expand(test::catalog(),
               parse_experiment(fmt::format("scene = 'rest'\nmesh = '{}'\nmotion = 'skin'\ndt = 0.001\n"
                                            "end = 0.01\nparameters.blend_delay = {}\n"
                                            "parameters.depth = 0.01",
                                            mesh, at_once ? 0 : 1),
                                "test.toml"))
            .front()
            .configuration;
    const Surface surface = load_surface(test::catalog(), c);
    Simulation simulation(test::catalog(), c, surface);
    const auto from = [&](const Points& x) {
      return (simulation.water().geometry().x - x).colwise().norm().maxCoeff();
    };
    const Points start = simulation.water().geometry().x;
    Points pose;
    simulation.scene().motion(0, pose);
    constexpr double round_off = 1e-12, single_precision = 1e-6;
    EXPECT_LT(from(pose), round_off) << at_once;
    EXPECT_EQ(from(surface.x) > 0.3, at_once);
    EXPECT_EQ(from(surface.x) < single_precision, !at_once);
    StageClock clock;
    simulation.step(clock);
    EXPECT_LT(from(start), 0.002) << at_once;  // a quarter of a turn in 2 s at a radius of 1.03 m
  }
}

TEST(Auto, dt_is_the_safe_part_of_the_stable_step_times_the_substeps) {
  const RunConfiguration c = configuration("dt = 'auto'\nsubsteps = 4\nparameters.safety = 0.25");
  const Surface surface = load_surface(test::catalog(), c);
  const Simulation simulation(test::catalog(), c, surface);
  EXPECT_DOUBLE_EQ(simulation.dt(), 0.25 * 4 * simulation.water().stable_dt());
}

TEST(Auto, substeps_are_the_fewest_that_keep_the_safe_part) {
  const RunConfiguration c = configuration("dt = 0.5\nsubsteps = 'auto'");
  const Surface surface = load_surface(test::catalog(), c);
  const Simulation simulation(test::catalog(), c, surface);
  const double substep = 0.5 * simulation.water().stable_dt();
  EXPECT_LE(simulation.dt() / simulation.substeps(), substep);
  EXPECT_GT(simulation.dt() / (simulation.substeps() - 1), substep);
}

TEST(Auto, there_is_one_substep_however_short_the_step) {
  const RunConfiguration c =
      configuration("dt = 5e-324\nend = 5e-324\nsubsteps = 'auto'\nparameters.radius = 1e9");
  const Surface surface = load_surface(test::catalog(), c);
  EXPECT_EQ(Simulation(test::catalog(), c, surface).substeps(), 1);
}

// Where the actual depth is less, the step is that of the depth at which water gathers, H + α = 0.4 m: √2 shorter than
// that of H, and the same whether the scene starts dry or with a layer of water.
TEST(Auto, dt_of_a_scene_that_starts_dry_is_that_of_the_depth_it_will_have) {
  const auto simulation = [](const std::string& scene, const std::string& more) {
    const RunConfiguration c = configuration("dt = 'auto'\n[parameters]\n" + more, scene);
    const Surface surface = load_surface(test::catalog(), c);
    const Simulation made(test::catalog(), c, surface);
    EXPECT_EQ(made.water().ledger().mass_source, 0);
    return std::tuple(made.dt(), missing_water(made.scene(), made.water()).depth,
                      made.water().volume().sum());
  };
  const auto [deep, as_it_is, volume] = simulation("fill-shape", "layer = 0.4\n");
  EXPECT_EQ(as_it_is, 0);
  for (const std::string layer : {"0", "0.16"}) {
    const auto [dt, filled, now] = simulation("fill-shape", "layer = " + layer + "\n");
    EXPECT_NEAR(dt, deep, 1e-12 * deep) << layer;
    EXPECT_DOUBLE_EQ(filled, 0.4) << layer;
    EXPECT_NEAR(now, std::stod(layer) / 0.4 * volume, 1e-12 * volume) << layer;
  }
  const auto [constant, filled, none] =
      simulation("fill-shape", "layer = 0\nartificial_acceleration = 'constant'\n");
  EXPECT_DOUBLE_EQ(filled, 0.2);
  EXPECT_NEAR(constant, std::sqrt(2) * deep, 1e-12 * deep);
  EXPECT_EQ(none, 0);
}

TEST(Eigenmode, a_symplectic_step_turns_its_amplitude_by_the_discrete_frequency_and_nothing_else) {
  // c_{n+1} = (2 − ω²Δt²) c_n − c_{n−1} from c₁ = c₀: theory of the explicit step at the frequency of any
  // mode.
  constexpr double tolerance = 2e-6;  // of the amplitude; nonlinear terms are 1e-8 of it, times 20 steps
  for (const std::string scheme : {"fefv", "dec"})
    for (const std::string mode : {"1", "100", "highest"}) {
      const RunConfiguration c =
          expand(test::catalog(),
                 parse_experiment("scene = 'eigenmode'\nmesh = 'icosphere:2'\ndt = 0.01\nsubsteps = 1\n"
                                  "discretization = '" +
                                      scheme +
                                      "'\nparameters.amplitude = 1e-8\n"
                                      "parameters.mode = '" +
                                      mode + "'",
                                  "test.toml"))
              .front()
              .configuration;
      const Surface surface = load_surface(test::catalog(), c);
      Simulation simulation(test::catalog(), c, surface);
      Diagnostics diagnostics(simulation);
      const auto& quantities = diagnostics.quantities();
      std::size_t column = 0;
      for (std::size_t i = 0; quantities[i].name != "mode_amplitude"; ++i)
        column += static_cast<std::size_t>(quantities[i].components);
      const double a = simulation.mode()->angular_frequency * simulation.dt();
      ASSERT_LT(a, 2);
      StageClock clock;
      double before = 1e-8, now = 1e-8;
      for (int step = 1; step <= 20; ++step) {
        simulation.step(clock);
        const std::vector<double> row = diagnostics.evaluate(diagnostics.energy(), {});
        if (step > 1) before = std::exchange(now, (2 - a * a) * now - before);
        EXPECT_NEAR(row[column], now, tolerance * 1e-8) << scheme << " " << mode << " " << step;
        EXPECT_LT(row[column + 1], tolerance) << scheme << " " << mode << " " << step;
      }
    }
}

TEST(Eigenmode, comes_with_what_theory_says_of_one_step) {
  const RunConfiguration c =
      expand(test::catalog(),
             parse_experiment("scene = 'eigenmode'\nmesh = 'icosphere:2'\nintegrator = 'implicit-euler'\n"
                              "dt = 0.1\nparameters.damping = 0.5",
                              "test.toml"))
          .front()
          .configuration;
  const Surface surface = load_surface(test::catalog(), c);
  const Simulation simulation(test::catalog(), c, surface);
  const double a = simulation.mode()->angular_frequency * 0.1;
  EXPECT_NEAR(simulation.mode_amplification()->modulus, std::sqrt(0.5 / (1 + a * a)), 1e-14);
}

TEST(Surface, is_scaled_by_the_parameter_radius) {
  const Surface surface = load_surface(test::catalog(), configuration("parameters.radius = 3"));
  EXPECT_NEAR(surface.x.col(0).norm(), 3, 1e-12);
}

TEST(AccelerationPulse, acts_while_it_lasts_and_alike_on_every_integrator) {
  // Depth after the push of one step of 1 ms: from rest V_t = 0, so that it shows in the step after.
  const auto depth_after = [](const std::string& text, int steps) {
    RunConfiguration c =
        expand(test::catalog(), parse_experiment("scene = 'bump'\nmesh = 'icosphere:3'\ndt = 0.001\nend = 1\n"
                                                 "parameters.amplitude = 0\nparameters.push_time = 0.0045\n"
                                                 "parameters.push_duration = 0.0009\n" +
                                                     text,
                                                 "test.toml"))
            .front()
            .configuration;
    const Surface surface = load_surface(test::catalog(), c);
    Simulation simulation(test::catalog(), c, surface);
    StageClock clock;
    for (int i = 0; i < steps; ++i) EXPECT_TRUE(simulation.step(clock).ok);
    const Vector depth = simulation.water().volume().cwiseQuotient(simulation.discretization().cells().area);
    return Vector(depth.array() - 1);
  };
  constexpr double round_off = 1e-14;
  EXPECT_LT(depth_after("parameters.push = 2", 4).lpNorm<Eigen::Infinity>(), round_off);
  const Vector pushed = depth_after("integrator = 'ssprk3'\nparameters.push = 2", 30);
  EXPECT_GT(pushed.lpNorm<Eigen::Infinity>(), 1e-4);
  EXPECT_LT((depth_after("integrator = 'ssprk3'\nparameters.push = 4", 30) - 2 * pushed).norm(),
            0.02 * pushed.norm());
  for (const std::string integrator :
       {"explicit", "semi-implicit", "newmark", "newmark-analytic", "implicit-euler"})
    EXPECT_LT((depth_after("integrator = '" + integrator + "'\nparameters.push = 2", 30) - pushed).norm(),
              0.1 * pushed.norm())
        << integrator;
}

TEST(Instability, a_stable_run_has_none) {
  const RunConfiguration c = configuration("dt = 0.02");
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  Diagnostics diagnostics(simulation);
  StageClock clock;
  for (int i = 0; i < 20; ++i) simulation.step(clock);
  EXPECT_EQ(diagnostics.instability(diagnostics.energy()), "");
}

/// The outcome of a run on icosphere:1 at t = 0, or after its steps.
std::string instability(const std::string& settings) {
  const RunConfiguration c =
      expand(test::catalog(),
             parse_experiment("mesh = 'icosphere:1'\ndt = 0.01\nend = 0.02\n" + settings, "test.toml"))
          .front()
          .configuration;
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  Diagnostics diagnostics(simulation);
  StageClock clock;
  std::string reason = diagnostics.instability(diagnostics.energy());
  while (reason.empty() && simulation.steps_done() < simulation.steps()) {
    simulation.step(clock);
    reason = diagnostics.instability(diagnostics.energy());
  }
  return reason;
}

TEST(Instability, is_infinite_energy_mass_or_work) {
  const auto expect = [](const std::string& settings, const std::string& part) {
    const std::string reason = instability(settings);
    EXPECT_NE(reason.find(part), std::string::npos) << settings << ": " << reason;
  };
  expect("scene = 'rest'\nparameters.density = 1e308", "ρgH²·area, inf J, is not finite");
  expect("scene = 'rest'\nparameters.depth = 1e154", "ρgH²·area, inf J, is not finite");
  expect("scene = 'bump'\nparameters.amplitude = 1e300", "potential energy, inf J, is not finite");
  expect("scene = 'rest'\nparameters.density = 1e308\nparameters.depth = 10\nparameters.gravity = 1e-3",
         "the mass, inf kg, is not finite");
  expect("scene = 'torus-force'\nparameters.push = 1e155", "is not finite");
}

TEST(Instability, does_not_overflow_while_energies_are_finite) {
  EXPECT_EQ(instability("scene = 'rest'\nparameters.density = 1e305"), "");
  EXPECT_EQ(instability("scene = 'bump'\nparameters.density = 1e306\nparameters.amplitude = 0.5"), "");
}

TEST(Diagnostics, a_row_is_finite_but_for_what_may_be_blank) {
  const RunConfiguration c = configuration("");
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  Diagnostics diagnostics(simulation);
  const std::vector<double> row = diagnostics.evaluate(diagnostics.energy(), {});
  EXPECT_EQ(not_finite(diagnostics.quantities(), row), "");
  std::size_t place = 0;
  for (const Quantity& quantity : diagnostics.quantities())
    for (int component = 0; component < quantity.components; ++component, ++place)
      for (const double value : {std::numeric_limits<double>::infinity(), std::nan("")}) {
        std::vector<double> broken = row;
        broken[place] = value;
        const bool blank = quantity.may_be_blank && std::isnan(value);
        EXPECT_EQ(not_finite(diagnostics.quantities(), broken).starts_with(quantity.name + " ="), !blank)
            << "column " << quantity.name << " = " << value
            << (quantity.may_be_blank ? ", which may be blank" : ", which may not be blank (may_be_blank)");
      }
}

TEST(References, that_a_run_would_wait_for_are_left_out) {
  const auto left_out = [](const std::string& settings) {
    const RunConfiguration c = configuration(settings);
    const Surface surface = load_surface(test::catalog(), c);
    const Simulation simulation(test::catalog(), c, surface);
    EXPECT_EQ(simulation.scene().references.size(), simulation.scene().no_reference.empty() ? 3u : 1u);
    return simulation.scene().no_reference;
  };
  EXPECT_EQ(left_out(""), "");
  EXPECT_NE(left_out("dt = 1e6\nend = 1").find("the first, nonlinear, which require "), std::string::npos);
  EXPECT_NE(left_out("parameters.radius = 1e-12"), "");
  EXPECT_NE(left_out("parameters.gravity = 1e308\ndt = 1e-3"), "");
  EXPECT_NE(left_out("end = 1e5\nparameters.amplitude = 1e-5").find("nonlinear, nonlinear_no_advection"),
            std::string::npos);
}

TEST(Instability, is_reported_with_the_energy_and_the_element_of_the_input) {
  const RunConfiguration c = configuration("dt = 0.5\nsubsteps = 1");
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  Diagnostics diagnostics(simulation);
  StageClock clock;
  std::string reason;
  for (int i = 0; i < 20 && reason.empty(); ++i) {
    simulation.step(clock);
    reason = diagnostics.instability(diagnostics.energy());
  }
  EXPECT_EQ(reason.rfind("energy ", 0), 0u) << reason;
  EXPECT_NE(reason.find(" at vertex "), std::string::npos) << reason;
}

TEST(Instability, is_ten_times_the_energy_of_the_start_however_low_the_wave) {
  for (const std::string amplitude : {"1e-3", "1e-5"}) {
    const RunConfiguration c = configuration("dt = 0.27\nsubsteps = 3\nparameters.amplitude = " + amplitude);
    const Surface surface = load_surface(test::catalog(), c);
    Simulation simulation(test::catalog(), c, surface);
    Diagnostics diagnostics(simulation);
    const double start = diagnostics.energy().total();
    StageClock clock;
    double largest = 0;
    std::string reason;
    for (int i = 0; i < 2000 && reason.empty(); ++i) {
      ASSERT_TRUE(simulation.step(clock).ok);
      const Energy energy = diagnostics.energy();
      reason = diagnostics.instability(energy);
      if (reason.empty()) largest = std::max(largest, energy.total());
    }
    EXPECT_NE(reason, "") << amplitude;
    EXPECT_LE(largest, 10 * start) << amplitude;
  }
}

TEST(Instability, of_water_at_rest_is_not_that_of_rounding_errors) {
  const RunConfiguration c =
      configuration("dt = 0.02\nparameters.amplitude = 0\nparameters.center = '0,0.6,0.8'");
  const Surface surface = load_surface(test::catalog(), c);
  Simulation simulation(test::catalog(), c, surface);
  Diagnostics diagnostics(simulation);
  StageClock clock;
  for (int i = 0; i < 50; ++i) simulation.step(clock);
  EXPECT_EQ(diagnostics.instability(diagnostics.energy()), "");
}

TEST(Diagnostics, a_row_has_as_many_values_as_its_quantities_have_components) {
  for (const std::string pair :
       {"discretization = 'fefv'\nintegrator = 'explicit'", "discretization = 'fefv'\nintegrator = 'newmark'",
        "discretization = 'dec'\nintegrator = 'semi-implicit'",
        "discretization = 'kinetic'\nintegrator = 'ssprk2'"}) {
    const RunConfiguration c = configuration("dt = 0.001\n" + pair);
    const Surface surface = load_surface(test::catalog(), c);
    const Simulation simulation(test::catalog(), c, surface);
    Diagnostics diagnostics(simulation);
    std::size_t components = 0;
    for (const Quantity& quantity : diagnostics.quantities())
      components += static_cast<std::size_t>(quantity.components);
    EXPECT_EQ(diagnostics.evaluate(diagnostics.energy(), {}).size(), components) << pair;
  }
}

}  // namespace
}  // namespace shoal
