// dt = auto: steps that adapt to the water, meet snapshots and the end exactly, and are the same after a restart.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/results.hpp"
#include "experiments/harness/run/compute.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace shoal {
namespace {

struct Rows {
  Outcome outcome;
  std::vector<double> time, dt, cfl, source, energy, work_geometry, work_forces, snapshots;
};

class AutoStep : public testing::Test {
 protected:
  Rows run(const std::string& text) {
    const Experiment experiment = parse_experiment(text, "test.toml");
    const RunConfiguration c = expand(test::catalog(), experiment).front().configuration;
    const Surface surface = load_surface(test::catalog(), c);
    const std::filesystem::path path = folder_ / (std::to_string(++runs_) + ".h5");
    Rows done;
    {
      hdf5::File file = create_results(test::catalog(), path, experiment, "a test");
      record_mesh(file.root().open_group("meshes"), surface);
      RunHooks hooks;
      hooks.stepped = [](const auto& /*run*/) {};
      done.outcome = compute(test::catalog(), file, "0001", c, surface, hooks, {});
      file.close();
    }
    const Results results(path);
    const RecordedRun& recorded = results.runs().front();
    done.time = recorded.diagnostics("time");
    done.dt = recorded.diagnostics("time_step");
    done.cfl = recorded.diagnostics("cfl");
    done.source = recorded.diagnostics("mass_source");
    done.energy = recorded.diagnostics("energy_total");
    done.work_geometry = recorded.diagnostics("work_geometry");
    done.work_forces = recorded.diagnostics("work_forces");
    done.snapshots = recorded.group().open_group("snapshots").open_dataset("time").read();
    return done;
  }

  test::TemporaryFolder folder_;
  int runs_ = 0;
};

/// The time left is estimated from the number of steps that are left. Those of a sphere that breathes in become longer, and with the
/// length of the step at that moment alone 60 % too many were expected.
TEST_F(AutoStep, expects_the_number_of_steps_that_a_moving_surface_allows) {
  for (const std::string motion :
       {"scene = 'breathing-zonal-flow'\n", "scene = 'bump'\nmotion = 'squash'\n"}) {
    const RunConfiguration c =
        expand(
            test::catalog(),
            parse_experiment(motion + "mesh = 'icosphere:3'\ndiscretization = 'hllc'\nintegrator = 'ssprk2'\n"
                                      "dt = 'auto'\n",
                             "test.toml"))
            .front()
            .configuration;
    const Surface surface = load_surface(test::catalog(), c);
    Simulation run(test::catalog(), c, surface);
    run.meet({run.end()});
    StageClock clock;
    std::vector<double> expected;
    while (!run.finished()) {
      ASSERT_TRUE(run.step(clock).ok);
      expected.push_back(static_cast<double>(run.steps()));
    }
    const double all = expected.back();
    EXPECT_EQ(all, static_cast<double>(run.steps_done()));
    for (const double part : {0.1, 0.3, 0.5, 0.8}) {
      const auto place = static_cast<std::size_t>(part * all);
      EXPECT_NEAR((expected[place] - all * part) / (all * (1 - part)), 1, 0.25) << motion << part;
    }
  }
}

constexpr const char* dam = R"(
  scene = "dam-wet"
  mesh = "rectangle:60x4:30x2"
  dt = "auto"
  end = 1
  snapshots = "0.25,0.333,0.9"
  parameters.depth_left = 2
  parameters.depth_right = 0.01
  parameters.dam = 15
)";

// Water at rest on a sphere that turns at 10 1/s: near the equator the surface moves under it at 10 m/s, √(gH) = 3.1 m/s.
TEST_F(AutoStep, allows_for_a_surface_that_moves_from_the_start) {
  const Rows rows = run(R"(
    scene = "bump"
    mesh = "icosphere:2"
    dt = "auto"
    end = 0.02
    discretization = "hllc"
    integrator = "ssprk3"
    motion = "turning"
    parameters.motion_course = "steady"
    parameters.motion_axis = "0,0,1"
    parameters.motion_rate = 10
  )");
  EXPECT_EQ(rows.outcome.outcome, "finished");
  EXPECT_EQ(rows.outcome.reason, "");
  ASSERT_GT(rows.cfl.size(), 2u);
  for (const double cfl : rows.cfl) EXPECT_LT(cfl, 1);
  EXPECT_NEAR(rows.cfl.front(), 0.5, 1e-9);  // the default safety
}

TEST_F(AutoStep, meets_snapshots_and_the_end_exactly) {
  for (const std::string more :
       {"discretization = 'hllc'\nintegrator = 'ssprk2'\n",
        "discretization = 'kinetic'\nintegrator = 'ssprk3'\ndiagnostics = 'every:7'\n",
        "discretization = 'hllc'\nintegrator = 'explicit'\nsubsteps = 7\nparameters.safety = 0.9\n"}) {
    const Rows done = run(more + dam);
    EXPECT_EQ(done.snapshots, (std::vector<double>{0, 0.25, 0.333, 0.9, 1})) << more;
    EXPECT_EQ(done.time.back(), 1) << more;
    for (const double time : done.snapshots)
      EXPECT_TRUE(std::find(done.time.begin(), done.time.end(), time) != done.time.end()) << more << time;
  }
}

/// Steps as long as waves allow left a gap of five times the energy.
TEST_F(AutoStep, meets_the_ends_of_motions_and_resolves_them) {
  const std::vector<std::string> motions = {
      "'drag'\nparameters.drag_duration = 0.15\nparameters.drag_displacement = '.05,0,0'\n",
      "'turning'\nparameters.motion_course = 'pulse'\nparameters.motion_period = 0.15\n",
      "'breathing'\nparameters.motion_period = 0.1\n"};
  for (const std::string& motion : motions) {
    const Rows done =
        run("scene = 'custom'\nmesh = 'icosphere:1'\ndt = 'auto'\nend = 0.4\nparameters.depth = 0.3\n"
            "discretization = 'fefv'\nadvection = 'vector-invariant'\nintegrator = 'ssprk3'\nmotion = " +
            motion);
    const auto corner = [](double time) { return std::abs(time - 0.15) < 1e-9; };
    if (motion.find("0.15") != motion.npos) {
      EXPECT_TRUE(std::any_of(done.time.begin(), done.time.end(), corner)) << motion;
    }
    const double largest = *std::max_element(done.energy.begin(), done.energy.end());
    EXPECT_LT(
        std::abs(done.energy.back() - done.energy[0] - done.work_geometry.back() - done.work_forces.back()),
        5e-3 * largest)  // 20 steps a period
        << motion;
  }
}

TEST_F(AutoStep, goes_on_where_dry_land_or_a_film_is_filled) {
  for (const std::string scheme : {"hllc", "kinetic", "fefv", "dec"})
    for (const std::string start : {"-1", "-1+1e-12", "-1+1e-9", "-1+1e-6", "-1+1e-3"})
      for (const std::string filled : {"parameters.rain = 0.2", "parameters.rain = 't > 0.5 ? 0.2 : 0'",
                                       "inputs = '0.2 source at=0.5,0.5,0 radius=0.2 discharge=0.1'",
                                       "boundaries = 'left = discharge 0.2'"}) {
        const bool staggered = scheme == "fefv" || scheme == "dec";
        if (staggered && std::string(filled).starts_with("boundaries"))
          continue;  // without v·∇v it gains energy
        const Rows done =
            run("scene = 'custom'\nmesh = 'rectangle:4x4'\ndt = 'auto'\nend = 1\n"
                "integrator = 'ssprk3'\n" +
                std::string(scheme == "dec" ? "parameters.dual = 'intrinsic'\n" : "") + "discretization = '" +
                scheme + "'\nparameters.initial_elevation = '" + start + "'\n" + filled);
        EXPECT_EQ(done.outcome.outcome, "finished")
            << scheme << " from " << start << ", " << filled << ": " << done.outcome.reason;
        EXPECT_EQ(done.time.back(), 1);
      }
}

TEST_F(AutoStep, meets_them_on_a_surface_that_moves) {
  for (const std::string scheme :
       {"discretization = 'roe'\n", "discretization = 'fefv'\nintegrator = 'explicit'\n"}) {
    const Rows done = run(scheme + R"(
      scene = "bump"
      mesh = "icosphere:2"
      motion = "squash"
      dt = "auto"
      end = 1.3
      snapshots = "every:0.5"
    )");
    EXPECT_EQ(done.outcome.outcome, "finished") << done.outcome.reason;
    EXPECT_EQ(done.snapshots, (std::vector<double>{0, 0.5, 1, 1.3})) << scheme;
    EXPECT_LE(*std::max_element(done.cfl.begin(), done.cfl.end()), 0.6) << scheme;
  }
}

/// Steps chosen for the present velocity of the surface had up to 80 times the stable length and gave the water a multiple of the
/// work.
TEST_F(AutoStep, allows_for_the_velocity_that_the_surface_gains_within_it) {
  const std::string fefv = "mesh = 'icosphere:1'\ndiscretization = 'fefv'\nintegrator = 'ssprk3'\n",
                    hllc = "mesh = 'icosphere:2'\ndiscretization = 'hllc'\nintegrator = 'ssprk2'\n",
                    dec =
                        "mesh = 'figure:400'\ndiscretization = 'dec'\nintegrator = 'dormand-prince'\n"
                        "parameters.dual = 'intrinsic'\n",
                    advection = "advection = 'vector-invariant'\n";
  for (const std::string& settings :
       {fefv + advection +
            "motion = 'translation'\nparameters.motion_velocity = '10,0,0'\nparameters.onset = 'sudden'\n"
            "end = 0.1\n",
        dec + advection + "motion = 'skin'\nparameters.blend_delay = 0.05\nend = 0.011\n",
        fefv + advection +
            "motion = 'drag'\nparameters.drag_duration = 0.1\nparameters.drag_displacement = '5,0,0'\n"
            "end = 0.12\n",
        hllc + "motion = 'shake'\nparameters.motion_period = 0.1\nparameters.motion_amplitude = 1\nend = "
               "0.05\n"}) {
    const std::string text = "scene = 'custom'\nparameters.depth = 0.2\n" + settings;
    const Rows chosen = run("dt = 'auto'\n" + text), small = run("dt = 0.0002\n" + text);
    ASSERT_EQ(chosen.outcome.outcome, "finished") << text << chosen.outcome.reason;
    for (std::size_t i = 1; i < chosen.cfl.size(); ++i)
      EXPECT_LE(chosen.cfl[i], 0.6) << text << chosen.time[i];
    constexpr double near = 0.05;  // the error of steps at half the stable length: 2 to 4 %
    const double scale = small.energy.back();
    EXPECT_NEAR(chosen.energy.back(), small.energy.back(), near * scale) << text;
    EXPECT_NEAR(chosen.work_geometry.back() + chosen.work_forces.back(),
                small.work_geometry.back() + small.work_forces.back(), near * scale)
        << text;
  }
}

/// Steps of 0.25 s for a force of period 0.05 s ended as unstable.
TEST_F(AutoStep, resolves_given_forces_and_boundary_values) {
  std::string series = "0:0";
  for (int i = 1; i <= 400; ++i) {
    const double time = 0.001 * i;
    series += fmt::format(",{}:{:.12g}", time, 0.002 * std::sin(100 * time));
  }
  const std::string text = "scene = 'custom'\nend = 0.4\nparameters.depth = 0.02\nintegrator = ",
                    torus = "mesh = 'torus:12x8'\nparameters.body_acceleration = '0.2*sin(120*t),0,0'\n",
                    channel = "mesh = 'rectangle:20x4:100x20'\nboundaries = 'left = ",
                    level = channel + "level " + series + "'\n",
                    discharge = channel + "discharge " + series + "'\n";
  for (const std::string& settings : {"'rk4'\n" + torus, "'semi-implicit'\n" + torus, "'ssprk3'\n" + level,
                                      "'semi-implicit'\n" + discharge}) {
    const Rows chosen = run(text + settings + "dt = 'auto'\n"),
               small = run(text + settings + "dt = 0.0005\n");
    ASSERT_EQ(chosen.outcome.outcome, "finished") << settings << chosen.outcome.reason;
    constexpr double near = 0.1;  // of 20 to 40 steps a period, of an integrator of first order
    EXPECT_NEAR(chosen.energy.back(), small.energy.back(), near * small.energy.back()) << settings;
    EXPECT_GT(*std::max_element(chosen.dt.begin() + 1, chosen.dt.end()), 0.001) << settings;
  }
}

/// Steps closed in on the jump until they were so short that the run ended as unstable.
TEST_F(AutoStep, steps_over_jumps_of_given_values) {
  for (const std::string integrator : {"rk4", "explicit", "semi-implicit"})
    for (const std::string force : {"parameters.body_acceleration = 't > 0.333 ? 1 : 0, 0, 0'\n",
                                    "parameters.rain = '0.01*(t > 0.333 ? 1 : 0)'\n",
                                    "parameters.normal_acceleration = '-9.81*(1 + 0.1*(t >= 0.7)*x)'\n"}) {
      const std::string text =
          "scene = 'custom'\nmesh = 'torus:12x8'\nend = 1\nparameters.depth = 0.02\n"
          "integrator = '" +
          integrator + "'\n" + force;
      const Rows chosen = run(text + "dt = 'auto'\n"), small = run(text + "dt = 0.0005\n");
      ASSERT_EQ(chosen.outcome.outcome, "finished") << text << chosen.outcome.reason;
      constexpr double near = 0.05, rounding = 1e-20;  // J; rain does not move the water
      EXPECT_NEAR(chosen.energy.back(), small.energy.back(), near * small.energy.back() + rounding) << text;
      EXPECT_LT(chosen.time.size(), 300) << text;
    }
}

/// The first step, for water at rest, ended these as unstable.
TEST_F(AutoStep, allows_for_the_prescribed_speed_of_an_inflow) {
  for (const std::string scheme :
       {"discretization = 'fefv'\nintegrator = 'rk4'\n",
        "discretization = 'dec'\nintegrator = 'ssprk3'\nparameters.dual = 'intrinsic'\n"})
    for (const std::string inflow : {"1 20", "0.5 30", "1 50", "0.2 2 40"}) {
      const std::string text =
          "scene = 'custom'\nmesh = 'rectangle:8x6:2x1.5'\nadvection = 'vector-invariant'\nend = 0.03\n"
          "parameters.depth = 0.2\nboundaries = 'left = inflow " +
          inflow + "; right = outflow'\n" + scheme;
      const Rows chosen = run(text + "dt = 'auto'\n"), small = run(text + "dt = 0.0001\n");
      ASSERT_EQ(chosen.outcome.outcome, "finished") << text << chosen.outcome.reason;
      ASSERT_EQ(small.outcome.outcome, "finished") << text << small.outcome.reason;
      constexpr double near = 0.05;
      EXPECT_NEAR(chosen.energy.back(), small.energy.back(), near * small.energy.back()) << text;
    }
}

TEST_F(AutoStep, ignores_variations_of_negligible_values) {
  for (const std::string integrator : {"explicit", "semi-implicit"})
    for (const std::string given : {"parameters.body_acceleration = '1e-15*sin(1000*t),0,0'\n",
                                    "parameters.body_acceleration = '(sin(t)^2+cos(t)^2-1)*x,0,0'\n",
                                    "parameters.rain = '1e-15*sin(1000*t)'\n",
                                    "parameters.normal_acceleration = '-9.81+1e-300*sin(1e4*t)'\n"}) {
      const Rows done =
          run("scene = 'custom'\nmesh = 'torus:12x8'\nend = 1\nparameters.depth = 0.02\ndt = 'auto'\n"
              "integrator = '" +
              integrator + "'\n" + given);
      EXPECT_EQ(done.outcome.outcome, "finished") << given << done.outcome.reason;
      EXPECT_LT(done.time.size(), 20) << integrator << given;
    }
}

/// Steps cannot resolve it; 4 J was called finished without a word.
TEST_F(AutoStep, says_if_given_values_vary_too_fast) {
  for (const std::string integrator : {"explicit", "semi-implicit"}) {
    const Rows done =
        run("scene = 'custom'\nmesh = 'torus:12x8'\nend = 1\nparameters.depth = 0.02\ndt = 'auto'\n"
            "parameters.body_acceleration = 'sin(1e6*t),0,0'\nintegrator = '" +
            integrator + "'\n");
    EXPECT_NE(done.outcome.reason.find("varied too fast for the steps of auto"), std::string::npos)
        << integrator << done.outcome.outcome << done.outcome.reason;
  }
}

/// Five steps of 3.5 sizes of the body gave the water half of the energy.
TEST_F(AutoStep, of_implicit_integrators_resolves_bodies) {
  const std::string text = R"(
    scene = "custom"
    mesh = "icosphere:2"
    advection = "vector-invariant"
    integrator = "semi-implicit"
    end = 0.3
    parameters.depth = 0.2
    inputs = "0 throw size=0.25 at=0,1.9,0 velocity=0,-14,0 density=300"
  )";
  const Rows chosen = run(text + "dt = 'auto'\n"), small = run(text + "dt = 0.0005\n");
  ASSERT_EQ(chosen.outcome.outcome, "finished") << chosen.outcome.reason;
  constexpr double near = 0.1;
  EXPECT_NEAR(chosen.energy.back(), small.energy.back(), near * small.energy.back());
  EXPECT_LT(chosen.time.size(), 250);  // 10 per size of the body on its path
}

/// Without a row or a snapshot more than were asked for.
TEST_F(AutoStep, meets_the_times_of_inputs_and_their_ends) {
  for (const std::string more :
       {"discretization = 'fefv'\nintegrator = 'ssprk3'\n",
        "discretization = 'hllc'\nintegrator = 'ssprk2'\n",
        "discretization = 'fefv'\nintegrator = 'explicit'\nmotion = 'squash'\n",
        "discretization = 'dec'\nintegrator = 'semi-implicit'\nparameters.dual = 'intrinsic'\n"}) {
    const Rows done = run(more + R"(
      scene = "bump"
      mesh = "icosphere:2"
      dt = "auto"
      end = 1
      snapshots = "0.5"
      inputs = """
        0.1234 source at=0,0,1 radius=0.4 discharge=0.3
        0.2 push at=1,0,0 acceleration=0,1,0 width=0.5 lasting=0.0777
        0.31 source at=1,0,0 radius=0.4 discharge=-0.1 lasting=0.3333
        0.777 remove source=1
      """
    )");
    ASSERT_EQ(done.outcome.outcome, "finished") << done.outcome.reason;
    EXPECT_EQ(done.snapshots, (std::vector<double>{0, 0.5, 1})) << more;
    for (const double time : {0.1234, 0.2, 0.2777, 0.31, 0.5, 0.6433, 0.777, 1.0})
      EXPECT_TRUE(std::any_of(done.time.begin(), done.time.end(),
                              [&](double one) { return std::abs(one - time) < 1e-15; }))
          << more << time;
    EXPECT_NEAR(done.source.back(), 1000 * (0.3 * (0.777 - 0.1234) - 0.1 * 0.3333), 1e-9) << more;
  }
}

/// Water that begins to flow into a film within a step that was chosen for the film at rest ended these as unstable.
TEST_F(AutoStep, meets_the_corners_of_boundary_values_and_begins_anew_there) {
  for (const std::string more :
       {"discretization = 'kinetic'\nintegrator = 'explicit'\n",
        "discretization = 'hllc'\nintegrator = 'explicit'\n",
        "discretization = 'dec'\nintegrator = 'explicit'\nparameters.dry_outflow = 'closed'\n"}) {
    const Rows done = run(more + R"(
      scene = "custom"
      mesh = "rectangle:20x4:2x0.4"
      dt = "auto"
      end = 0.6
      boundaries = "left = discharge 0:0,0.3:0,0.4:0.2; right = outflow"
      parameters.depth = 0.01
    )");
    EXPECT_EQ(done.outcome.outcome, "finished") << more << done.outcome.reason;
    for (const double time : {0.3, 0.4})
      EXPECT_NE(std::find(done.time.begin(), done.time.end(), time), done.time.end()) << more << time;
    EXPECT_LE(*std::max_element(done.cfl.begin(), done.cfl.end()), 1) << more;
  }
}

/// From the first step after them on.
TEST_F(AutoStep, is_chosen_anew_after_changes) {
  struct Case {
    const char *before, *change;
  };
  for (const Case& one :
       {Case{"integrator = 'explicit'\nsubsteps = 10\n", "substeps=1"},
        Case{"integrator = 'explicit'\nsubsteps = 1\n", "substeps=6"},
        Case{"integrator = 'explicit'\nsubsteps = 9\n", "integrator=ssprk3"},
        Case{"integrator = 'ssprk3'\n", "integrator=explicit"},
        Case{"integrator = 'semi-implicit'\n", "integrator=ssprk3"},
        Case{"integrator = 'ssprk3'\nadvection = 'vector-invariant'\n", "discretization=kinetic"},
        Case{"discretization = 'roe'\nintegrator = 'ssprk2'\n", "discretization=fefv integrator=ssprk3"},
        Case{"integrator = 'ssprk3'\nsubsteps = 2\n", "advection=vector-invariant"}}) {
    const Rows done = run(std::string(one.before) + R"(
      scene = "bump"
      mesh = "icosphere:2"
      dt = "auto"
      end = 3
      snapshots = "3"
      inputs = "1 change )" +
                          one.change + "\"\n");
    ASSERT_EQ(done.outcome.outcome, "finished") << one.change << done.outcome.reason;
    constexpr double safety = 0.5, of_water = 1.1;  // which gains speed in a step
    const auto change = std::find(done.time.begin(), done.time.end(), 1.0) - done.time.begin();
    const bool implicit_before = std::string(one.before).find("implicit") != std::string::npos;
    for (std::size_t i = 1; i < done.cfl.size(); ++i)
      if (!implicit_before || i > static_cast<std::size_t>(change)) {
        EXPECT_LE(done.cfl[i], safety * of_water) << one.before << one.change << " at " << done.time[i];
      }
    ASSERT_LT(static_cast<std::size_t>(change) + 1, done.dt.size());
    // Not much shorter than the water allows either.
    EXPECT_GE(done.cfl[change + 1], 0.6 * safety) << one.before << one.change;
  }
}

/// Water that is pushed to 10 m/s, three times the speed of waves.
constexpr const char* pushed = R"(
  scene = "custom"
  mesh = "rectangle:40x4:40x4"
  discretization = "hllc"
  integrator = "ssprk2"
  dt = "auto"
  end = 0.5
  parameters.body_acceleration = "20,0,0"
)";

TEST_F(AutoStep, shrinks_as_the_water_gains_speed_and_keeps_to_the_target) {
  const Rows done = run(std::string("parameters.safety = 0.4\n") + pushed);
  ASSERT_EQ(done.outcome.outcome, "finished") << done.outcome.reason;
  EXPECT_LT(*std::min_element(done.dt.begin() + 1, done.dt.end()), 0.4 * done.dt.front());
  constexpr double within_a_step = 1.1;  // increase of the water's speed in one step
  for (std::size_t i = 1; i < done.cfl.size(); ++i)
    EXPECT_LE(done.cfl[i], 0.4 * within_a_step) << done.time[i];
  for (std::size_t i = 1; i < done.time.size(); ++i)
    EXPECT_NEAR(done.time[i] - done.time[i - 1], done.dt[i], 1e-12);
}

TEST_F(AutoStep, grows_by_no_more_than_its_limit) {
  // The water of a high column flows away, and the waves become slower.
  const std::string text = R"(
    scene = "bump"
    mesh = "rectangle:30x30:6x6"
    discretization = "hllc"
    integrator = "explicit"
    substeps = 1
    dt = "auto"
    end = 1
    snapshots = "1"
    parameters.depth = 0.1
    parameters.amplitude = 2
    parameters.width = 0.4
    parameters.center = "0,0,0"
    parameters.dt_growth = 1.02
  )";
  const Rows done = run(text);
  ASSERT_EQ(done.outcome.outcome, "finished") << done.outcome.reason;
  double largest = 0;
  for (std::size_t i = 2; i + 1 < done.dt.size(); ++i) {
    EXPECT_LE(done.dt[i], 1.03 * done.dt[i - 1]);  // plus the effect of dividing the rest into equal parts
    largest = std::max(largest, done.dt[i]);
  }
  EXPECT_GT(largest, 1.3 * *std::min_element(done.dt.begin() + 1, done.dt.end()));
}

TEST_F(AutoStep, of_implicit_integrators_divides_the_time_and_keeps_its_length) {
  const Rows done = run(R"(
    scene = "bump"
    mesh = "icosphere:2"
    integrator = "semi-implicit"
    dt = "auto"
    end = 1
    snapshots = "0.3"
  )");
  ASSERT_EQ(done.outcome.outcome, "finished") << done.outcome.reason;
  EXPECT_EQ(done.snapshots, (std::vector<double>{0, 0.3, 1}));
  std::vector<double> lengths = {done.dt.begin() + 1, done.dt.end()};
  std::sort(lengths.begin(), lengths.end());
  lengths.erase(std::unique(lengths.begin(), lengths.end()), lengths.end());
  EXPECT_LE(lengths.size(), 2);  // one for either part of the time
}

TEST_F(AutoStep, below_its_least_part_ends_the_run_as_unstable_and_says_cfl) {
  const Rows done = run(std::string("parameters.dt_least = 0.5\n") + pushed);
  EXPECT_EQ(done.outcome.outcome, "unstable");
  EXPECT_EQ(done.outcome.reason.rfind("cfl: ", 0), 0) << done.outcome.reason;
  EXPECT_GT(done.time.back(), 0);
}

TEST_F(AutoStep, a_fixed_step_that_is_too_long_is_named_where_the_run_ends) {
  const Rows done = run(R"(
    scene = "sphere-bump"
    mesh = "icosphere:2"
    discretization = "fefv"
    integrator = "explicit"
    substeps = 1
    dt = 0.2
    end = 20
  )");
  ASSERT_EQ(done.outcome.outcome, "unstable");
  EXPECT_NE(done.outcome.reason.find("; cfl: from t = 0 s the substep"), std::string::npos)
      << done.outcome.reason;
}

/// An implicit step may be longer.
TEST_F(AutoStep, a_fixed_step_that_is_too_long_is_named_where_the_run_finishes) {
  for (const bool is_implicit : {false, true}) {
    const Rows done =
        run(std::string("scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = 0.2\nend = 0.2\n") +
            (is_implicit ? "integrator = 'semi-implicit'\n" : "integrator = 'explicit'\nsubsteps = 1\n"));
    ASSERT_EQ(done.outcome.outcome, "finished") << done.outcome.reason;
    EXPECT_GT(done.cfl.front(), 1);
    EXPECT_EQ(done.outcome.reason.find("cfl: from t = 0 s the substep") == std::string::npos, is_implicit)
        << done.outcome.reason;
  }
}

}  // namespace
}  // namespace shoal
