// Interactions with a simulation during a run, and their repetition.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/message.hpp"
#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <vector>

namespace shoal {
namespace {

constexpr double few_roundings = 1e-13;  // of sums over some hundred cells

struct Trial {
  explicit Trial(const RunConfiguration& c)
      : configuration(c),
        surface(load_surface(test::catalog(), configuration)),
        simulation(test::catalog(), configuration, surface) {}
  explicit Trial(const std::string& text) : Trial(planned(text)) {}

  static RunConfiguration planned(const std::string& text) {
    return expand(test::catalog(), parse_experiment(text, "test.toml")).front().configuration;
  }

  void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      const StepReport report = simulation.step(clock);
      ASSERT_TRUE(report.ok) << report.reason;
    }
  }
  void act(const std::string& line) { simulation.act(parse_inputs("0 " + line).front()); }
  /// The complete state on which a step depends.
  std::map<std::string, std::vector<double>> bits() const {
    Archive archive;
    simulation.world().save(archive);
    std::map<std::string, std::vector<double>> values;
    for (const auto& [name, vector] : archive.values()) values[name].assign(vector.begin(), vector.end());
    return values;
  }

  RunConfiguration configuration;
  Surface surface;
  Simulation simulation;
  StageClock clock;
};

/// A run with interactions.
Trial live(const std::string& text) {
  RunConfiguration c = Trial::planned(text);
  if (c.inputs.empty()) c.inputs = no_inputs;
  return Trial(c);
}

/// The run that a file of the session makes.
Trial repeated(const Trial& session) {
  Experiment experiment;
  experiment.name = "session";
  experiment.settings = settings_of(test::catalog(), session.simulation.so_far(), "session");
  const std::vector<PlannedRun> plan =
      expand(test::catalog(), parse_experiment(to_toml(experiment), "session.toml"));
  EXPECT_EQ(plan.size(), 1u);
  return Trial(plan.front().configuration);
}

TEST(Session, is_repeated_to_the_last_bit) {
  for (const std::string text :
       {"scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndt = '1/60'\nadvection = 'semi-lagrangian'\n",
        "scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndiscretization = 'dec'\ndt = 'auto'\nintegrator = "
        "'ssprk3'\n",
        "scene = 'ball-drop'\nmesh = 'icosphere:3'\ndiscretization = 'kinetic'\ndt = '1/240'\n"}) {
    Trial session = live(text);
    session.run(3);
    session.act("throw at=0,0,1.7 velocity=0,0,-4 density=1500");
    session.run(7);
    session.act("source at=1,0,0 radius=0.3 discharge=0.2 lasting=0.1");
    session.act("push at=0,1,0 acceleration=0,3,1 width=0.4 lasting=0.05");
    session.run(5);
    session.act("drag to=0.1,0.05,0");
    session.act("throw body=box at=0,1.8,0 velocity=1,-3,0 spin=1,2,3");
    session.run(11);
    session.act("drag to=0,0,0.1");
    session.act("change friction=0.5");
    session.run(4);
    session.act("change body_drag=3 artificial_strength=2 artificial_direction=0,0,-1");
    session.run(12);
    session.act(fmt::format("remove body=thrown-{}", session.simulation.world().bodies().count()));
    session.run(8);
    const RunConfiguration so_far = session.simulation.so_far();
    Trial again = repeated(session);
    EXPECT_EQ(again.simulation.steps(), session.simulation.steps_done()) << text;
    again.run(static_cast<int>(again.simulation.steps()));
    EXPECT_TRUE(again.bits() == session.bits()) << text << so_far.inputs;
    EXPECT_EQ(again.simulation.world().bodies().count(), session.simulation.world().bodies().count());
  }
}

/// A tetrahedron of unequal sides.
void write_wedge(const std::filesystem::path& path) {
  std::ofstream(path) << "v 0 0 0\nv 0.9 0 0\nv 0 0.6 0\nv 0 0 0.5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
}

TEST(Session, in_which_meshes_are_thrown_is_repeated_to_the_last_bit) {
  const test::TemporaryFolder folder;
  write_wedge(folder / "wedge.obj");
  const std::string body = "throw body=mesh file=" + (folder / "wedge.obj").string();
  Trial session = live("scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndt = '1/60'\n");
  session.run(2);
  session.act(body + " size=1 at=0,0,1.6 velocity=0,0,-4 density=1500");
  session.run(5);
  session.act(body + " size=0.7 at=1.8,0,0 velocity=-5,1,0 spin=1,2,3");
  session.run(20);
  EXPECT_GT(session.simulation.world().coupling(0)->collision().ledger().on_water_normal.norm(), 0);
  Trial again = repeated(session);
  again.run(static_cast<int>(again.simulation.steps()));
  EXPECT_TRUE(again.bits() == session.bits());

  const Bodies& bodies = again.simulation.world().bodies();
  ASSERT_EQ(bodies.count(), 2);
  EXPECT_NEAR(bodies.mass(0), 1500 * 0.9 * 0.6 * 0.5 / 6, 1e-10);
  EXPECT_NEAR(bodies.mass(1) / bodies.mass(0), 0.343 / 3, 1e-13);
}

/// With the orientation of its file and its centre of mass at the given place.
TEST(Inputs, that_throw_a_mesh_are_as_the_body_of_a_scene) {
  const test::TemporaryFolder folder;
  write_wedge(folder / "wedge.obj");
  const std::string file = (folder / "wedge.obj").string(),
                    text = "mesh = 'icosphere:3'\ndt = '1/60'\nadvection = 'none'\n";
  Trial thrown("scene = 'rest'\nparameters.depth = 0.2\n" + text +
               "inputs = '0 throw body=mesh size=0.5 file=" + file + " at=0,0,1.5'\n"),
      scene("scene = 'ball-drop'\n" + text + "[parameters]\nbody = 'mesh'\nbody_size = 0.5\nbody_file = '" +
            file + "'\n");
  thrown.run(30);
  scene.run(30);
  EXPECT_EQ(thrown.bits().at("model-0.water.state"), scene.bits().at("model-0.water.state"));
  const Pose &one = thrown.simulation.world().bodies().pose(0),
             &other = scene.simulation.world().bodies().pose(0);
  EXPECT_EQ(one.position, other.position);
  EXPECT_EQ(one.rotation, other.rotation);
}

TEST(Session, with_other_schemes_on_its_way_is_repeated_to_the_last_bit) {
  Trial session = live("scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndt = '1/60'\n");
  session.run(5);
  session.act("throw at=0,0,1.7 velocity=0,0,-4");
  session.act("source at=1,0,0 radius=0.3 discharge=0.2 lasting=0.05");
  session.run(3);
  session.act("source at=0,1,0 radius=0.3 discharge=0.01");
  double mass = session.simulation.water().volume().sum();
  for (const char* change :
       {"change integrator=newmark",
        "change integrator=explicit substeps=4 advection=semi-lagrangian friction=1",
        "change discretization=dec advection=none", "change discretization=fefv integrator=semi-implicit",
        "change discretization=kinetic integrator=ssprk2"}) {
    session.act(change);
    session.run(6);
    mass += 0.01 * 6 / 60;
    EXPECT_NEAR(session.simulation.water().volume().sum(), mass, 1e-12 * mass) << change;
  }
  Trial again = repeated(session);
  again.run(static_cast<int>(again.simulation.steps()));
  EXPECT_TRUE(again.bits() == session.bits());
}

/// "" or why a run on sphere-bump with these inputs does not begin.
std::string refusal_of(const std::string& setting, const std::string& inputs) {
  return test::message_of(
      [&] { Trial("scene = 'sphere-bump'\ndt = 0.02\n" + setting + "inputs = '''" + inputs + "'''\n"); });
}

/// To the last bit, and with it the removal of a sink and a push, on a surface that is dragged meanwhile.
TEST(Source, that_is_removed_is_one_that_lasted_until_then) {
  for (const std::string scheme : {"discretization = 'fefv'\nadvection = 'semi-lagrangian'\n",
                                   "discretization = 'dec'\n", "discretization = 'kinetic'\n"}) {
    // Steps that add up without rounding, so that 11 of them are a duration.
    const std::string text = "scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = '1/128'\n" + scheme;
    const auto play = [](Trial& session, bool removed) {
      const auto act = [&](const std::string& line, const std::string& lasting) {
        session.act(line + (removed ? " lasting=9" : " lasting=" + lasting));
      };
      act("source at=0,0,1 radius=0.3 discharge=0.2", "0.0859375");
      session.run(4);
      act("source at=1,0,0 radius=0.3 discharge=-0.1", "0.0546875");
      act("push at=0,1,0 acceleration=0,3,1 width=0.4", "0.0859375");
      session.act("drag to=0.1,0.05,0");
      session.run(7);
      if (removed) {
        session.act("remove source=2");
        session.act("remove source=1");
      }
      session.run(4);
      if (removed) session.act("remove push=1");
      session.run(10);
    };
    Trial removed = live(text), ended = live(text);
    play(removed, true);
    play(ended, false);
    EXPECT_TRUE(removed.bits() == ended.bits()) << text;
    Trial again = repeated(removed);
    again.run(static_cast<int>(again.simulation.steps()));
    EXPECT_TRUE(again.bits() == removed.bits()) << text;
  }
}

/// V_t = −qA of the nearest cell, which a moving surface may stretch: in a step, with its area at the beginning of the step.
TEST(Source, as_a_divergence_fills_one_cell) {
  for (const std::string text :
       {"", "discretization = 'dec'\n", "discretization = 'kinetic'\n", "motion = 'squash'\n"}) {
    Trial run = live("scene = 'rest'\nmesh = 'icosphere:2'\ndt = '1/128'\n" + text);
    const auto& simulation = run.simulation;
    const auto cells = [&]() -> const Cells& { return simulation.discretization().cells(); };
    Index nearest = 0;
    const Vector3 at(0.3, 0.2, 1);
    (cells().points.colwise() - at).colwise().norm().minCoeff(&nearest);
    run.act("source at=0.3,0.2,1 divergence=-2 lasting=0.0625");
    double volume = simulation.water().volume().sum(), added = 0;
    for (int step = 0; step < 12; ++step) {
      const double before = cells().area[nearest];
      const Vector volumes = simulation.water().volume();
      run.run(1);
      if (step == 0) {
        Index most = 0;
        (simulation.water().volume() - volumes).maxCoeff(&most);
        EXPECT_EQ(most, nearest) << text;
      }
      if (step < 8) added += 2 * before / 128;
      EXPECT_NEAR(simulation.water().volume().sum() - volume, added, 1e-13 * volume) << text << step;
    }
  }
}

TEST(Source, has_a_divergence_or_a_discharge) {
  Trial session = live("scene = 'rest'\nmesh = 'icosphere:2'\ndt = '1/60'\n");
  for (const char* other : {"discharge=1", "radius=0.2"})
    EXPECT_EQ(test::message_of([&] { session.act(std::string("source at=0,0,1 divergence=-2 ") + other); }),
              "a source has either a divergence, or a radius and a discharge");
}

TEST(Source, is_removed_once_and_only_where_there_is_one) {
  Trial session = live("scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = '1/60'\n");
  const auto error_message = [&](const std::string& line) {
    return test::message_of([&] { session.act(line); });
  };
  EXPECT_EQ(error_message("remove source=1"), "there is no source 1: there are 0");
  session.act("source at=0,0,1 radius=0.3 discharge=0.2");
  EXPECT_EQ(error_message("remove source=2"), "there is no source 2: there are 1");
  EXPECT_EQ(error_message("remove push=1"), "there is no push 1: there are 0");
  for (const std::string line : {"remove", "remove source=1 push=1"})
    EXPECT_NE(error_message(line).find("source=NUMBER, push=NUMBER or body=NAME"), std::string::npos) << line;
  session.act("remove source=1");  // in the instant in which it came
  EXPECT_EQ(error_message("remove source=1"), "source 1 has ended already");
  const double before = session.simulation.water().volume().sum();
  session.run(5);
  EXPECT_NEAR(session.simulation.water().volume().sum(), before, 1e-13 * before) << "it gave nothing";
  session.act("source at=0,0,1 radius=0.3 discharge=0.2 lasting=0.02");
  session.run(3);
  EXPECT_EQ(error_message("remove source=2"), "source 2 has ended already");
  EXPECT_EQ(session.simulation.inputs_done().size(), 3u) << "what was refused is not repeated";
  EXPECT_EQ(refusal_of("mesh = 'icosphere:2'\n", "0 remove source=3"),
            "inputs: invalid input '0 remove source=3': there is no source 3: there are 0");
}

/// At the first step that begins at the time or later, which is also the one at which a body enters.
TEST(Body, is_removed_once_and_only_where_there_is_one) {
  const std::string pool = "scene = 'ball-drop'\nmesh = 'icosphere:2'\ndt = 0.01\n";
  Trial session = live(pool);
  const auto error_message = [&](const std::string& line) {
    return test::message_of([&] { session.act(line); });
  };
  session.act("throw at=0,0,2");
  session.run(2);
  EXPECT_EQ(error_message("remove body=thrown-1"), "body 'thrown-1' does not exist");
  EXPECT_NE(error_message("remove body=thrown-2 push=1").find("body=NAME"), std::string::npos);
  session.act("remove body=thrown-2");
  EXPECT_EQ(error_message("remove body=thrown-2"), "body 'thrown-2' has been removed already");
  session.act("throw at=0,0,2");
  session.act("remove body=thrown-3");  // in the instant in which it came
  session.run(2);
  EXPECT_EQ(session.simulation.inputs_done().size(), 4u) << "what was refused is not repeated";
  Trial again = repeated(session);
  again.run(static_cast<int>(again.simulation.steps()));
  EXPECT_TRUE(again.bits() == session.bits());

  const auto removed_after = [&](const std::string& inputs) {
    Trial run(pool + "end = 0.1\ninputs = '''" + inputs + "'''");
    while (run.simulation.steps_done() < run.simulation.steps()) {
      run.run(1);
      const Bodies& bodies = run.simulation.world().bodies();
      if (bodies.count() > 1 && !bodies.is_present(1)) break;
    }
    return run.simulation.steps_done() - 1;  // the steps before the one that begins without it
  };
  EXPECT_EQ(removed_after("0.032 throw at=0,0,2\n0.034 remove body=thrown-2"), 4);
  EXPECT_EQ(removed_after("0.03 throw at=0,0,2\n0.06 remove body=thrown-2"), 6);
  const auto refusal = [&](const std::string& inputs) {
    return test::message_of([&] { Trial(pool + "inputs = '''" + inputs + "'''"); });
  };
  EXPECT_NE(refusal("0.1 remove body=bell").find("bodies so far: ball; did you mean 'ball'?"),
            std::string::npos)
      << refusal("0.1 remove body=bell");
  EXPECT_NE(refusal("0.1 remove body=thrown-2\n0.2 throw at=0,0,2").find("does not exist"),
            std::string::npos);
  EXPECT_NE(
      refusal("0.1 remove body=ball\n0.2 remove body=ball").find("body 'ball' has been removed already"),
      std::string::npos);
}

TEST(Session, with_clips_is_repeated_to_the_last_bit) {
  Trial session = live("scene = 'character'\nmesh = 'figure:300'\nsubsteps = 'auto'\n");
  session.run(10);
  session.act("clip name=wave weight=0.5");
  session.run(10);
  session.act("clip_speed speed=0");
  session.act("action name=jump");
  session.act("drag to=0,1,0");
  session.run(20);
  session.act("clip_speed speed=2 delay=0.1");
  session.run(10);
  session.act("action name=wave hold=on delay=0.05");
  session.run(10);
  session.act("action name=wave weight=0 delay=0.1");
  session.run(10);
  Trial again = repeated(session);
  again.run(static_cast<int>(again.simulation.steps()));
  EXPECT_TRUE(again.bits() == session.bits());
}

TEST(Session, in_which_nothing_is_done_is_the_run) {
  for (const std::string text :
       {"scene = 'sphere-bump'\nmesh = 'icosphere:3'\n", "scene = 'squash'\nmesh = 'icosphere:3'\n",
        "scene = 'sphere-bump'\nmesh = 'icosphere:3'\nintegrator = 'newmark'\n"}) {
    Trial session = live(text), run(text);
    session.run(20);
    run.run(20);
    Trial again = repeated(session);
    again.run(20);
    EXPECT_TRUE(again.bits() == session.bits()) << text;
    for (const char* what : {"model-0.water.state", "model-0.water.positions"})
      EXPECT_EQ(session.bits().at(what), run.bits().at(what)) << text;
  }
}

TEST(Inputs, happen_at_the_step_nearest_to_their_time) {
  Trial run(
      "scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndt = 0.02\n"
      "inputs = '''0.045 change friction=0.5\n0.055 change friction=0.7\n0.09 throw at=0,0,2'''\n");
  const auto friction = [&] { return run.simulation.present_configuration().parameters.at("friction"); };
  run.run(3);
  EXPECT_EQ(friction(), Value(0.5));
  EXPECT_EQ(run.simulation.world().bodies().count(), 0);
  run.run(2);
  EXPECT_EQ(friction(), Value(0.7));
  EXPECT_EQ(run.simulation.world().bodies().count(), 1);
}

/// Even within a step, before a change that takes effect in the next one.
TEST(Source, acts_from_its_own_time_on_until_its_own_end) {
  for (const std::string scheme : {"integrator = 'ssprk3'\n", "discretization = 'dec'\n",
                                   "integrator = 'semi-implicit'\n", "discretization = 'kinetic'\n"}) {
    Trial run("scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = 0.02\n" + scheme + R"(inputs = '''
      0.032 change friction=0.5
      0.033 source at=0,0,1 radius=0.3 discharge=0.5 lasting=0.1
      0.035 source at=0,1,0 radius=0.3 discharge=-0.2
      0.1 source at=1,0,0 radius=0.3 discharge=0.3
      0.147 remove source=2
      0.153 remove source=3''')");
    const double before = run.simulation.water().volume().sum();
    const auto part = [](double begin, double end, double now) {
      return std::clamp(now, begin, end) - begin;
    };
    for (int step = 1; step <= 12; ++step) {
      run.run(1);
      const double now = 0.02 * step;
      EXPECT_NEAR(run.simulation.water().volume().sum() - before,
                  0.5 * part(0.033, 0.133, now) - 0.2 * part(0.035, 0.147, now) + 0.3 * part(0.1, 0.153, now),
                  1e-14 * before)
          << scheme << step;
    }
    Trial again = repeated(run);
    again.run(static_cast<int>(again.simulation.steps()));
    EXPECT_TRUE(again.bits() == run.bits()) << scheme;
  }
}

TEST(Inputs, drag_the_surface_to_where_they_say) {
  Trial run("scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndt = 0.02\ninputs = '0.1 drag to=0,0,0.3'\n");
  run.run(100);
  const Points moved = run.simulation.water().geometry().x - run.surface.x;
  EXPECT_LT((moved.colwise() - Vector3(0, 0, 0.3)).cwiseAbs().maxCoeff(), 1e-4);
  EXPECT_NEAR(run.simulation.water().volume().sum(),
              Trial("scene = 'sphere-bump'\nmesh = 'icosphere:3'\n").simulation.water().volume().sum(),
              1e-12);
}

TEST(Inputs, that_cannot_be_leave_all_as_it_was) {
  Trial session = live("scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndt = '1/60'\n");
  session.run(3);
  const auto before = session.bits();
  for (const char* line :
       {"throw at=0,0,2 size=1e-5", "throw at=0,0,2 body=mesh", "throw at=0,0,2 file=ball.obj",
        "throw at=0,0,2 body=mesh file=missing.obj", "source at=100,0,0 radius=0.1", "clip name=walk",
        "clip_speed speed=1", "change integrator=none", "change amplitude=2",
        "change column_rays=5 friction=1", "change discretization=kinetic integrator=newmark"})
    EXPECT_THROW(session.act(line), Error) << line;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const Input& input :
       {Input{0, ThrowInput{.density = -5, .at = {0, 0, 2}}},
        Input{0, ThrowInput{.size = nan, .at = {0, 0, 2}}}, Input{0, ThrowInput{.at = {0, nan, 2}}},
        Input{0, SourceInput{.at = {0, 0, 1}, .radius = -1}},
        Input{0, PushInput{.at = {0, 0, 1}, .width = 0}}})  // not as text, which is read
    EXPECT_THROW(session.simulation.act(input), Error) << to_text(input);
  EXPECT_TRUE(session.simulation.world().entrances().empty());
  EXPECT_TRUE(session.bits() == before);
  EXPECT_TRUE(session.simulation.inputs_done().empty());
  session.run(1);
}

TEST(Inputs, that_drag_are_felt_up_to_a_limit) {
  const auto fastest_after_a_jerk = [](const std::string& parameters) {
    Trial session =
        live("scene = 'rest'\nmesh = 'icosphere:3'\ndt = '1/60'\ninputs = '# by hand'\n" + parameters);
    session.run(1);
    session.act("drag to=0.5,0,0");
    session.run(1);
    Values velocity;
    session.simulation.water().sample("velocity", velocity);
    return velocity.colwise().norm().maxCoeff();
  };
  const std::string felt = "[parameters]\ncarried_velocity = 'barycentric'\ninertia = 'on'\n";
  constexpr double round_off = 1e-14;  // of a surface with moved triangles
  EXPECT_LT(fastest_after_a_jerk("[parameters]\ncarried_velocity = 'barycentric'\n"), round_off);
  const double free = fastest_after_a_jerk(felt), four = fastest_after_a_jerk(felt + "inertia_limit = 4\n"),
               two = fastest_after_a_jerk(felt + "inertia_limit = 2\n");
  EXPECT_GT(free, 3 * four);
  constexpr double tolerance = 0.02;  // effect of gravity on the water moved in the step
  EXPECT_NEAR(four / two, 2, tolerance);
}

/// Of two accelerations at right angles, each below the limit, the sum is cut.
TEST(AccelerationLimit, cuts_the_sum_of_all_external_accelerations) {
  constexpr double tolerance = 1e-10;  // relative, away from the walls, where the water stays level in a step
  for (const std::string scheme : {"", "discretization = 'dec'\n", "discretization = 'kinetic'\n"})
    for (const double limit : {0, 4, 5}) {
      Trial pool("scene = 'rest'\nmesh = 'rectangle:24x24:24x24'\ndt = 0.01\ninputs = '# by hand'\n" +
                 scheme +
                 "[parameters]\nartificial_acceleration = 'constant'\nartificial_direction = '0,1,0'\n"
                 "artificial_strength = 3\nacceleration_limit = " +
                 std::to_string(limit) + "\n");
      pool.act("push at=12,12,0 acceleration=3,0,0 width=1e6");
      pool.run(1);
      Values velocity;
      pool.simulation.water().sample("velocity", velocity);
      Index middle = 0;  // a triangle there
      while ((pool.surface.x.col(pool.surface.mesh.faces(0, middle)) - Vector3(12, 12, 0)).norm() > 0.1)
        ++middle;
      const double acceleration = limit == 4 ? 4 : std::sqrt(18.0);
      EXPECT_LT((velocity.col(middle) - 0.01 * acceleration * Vector3(1, 1, 0).normalized()).norm(),
                tolerance * 0.01 * acceleration)
          << scheme << limit;
      EXPECT_EQ(pool.simulation.water().limited_accelerations(),
                limit == 4 ? pool.surface.mesh.vertex_count : 0);
    }
}

TEST(AccelerationLimit, is_for_inertia_alone_that_of_the_inertia) {
  for (const std::string carried : {"barycentric", "circulation"}) {
    const auto state_with = [&](const std::string& limit) {
      Trial run(
          "scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = 0.01\nmotion = 'shake'\n[parameters]\n"
          "inertia = 'on'\ncarried_velocity = '" +
          carried + "'\n" + limit);
      Index most = 0;
      for (int step = 0; step < 20; ++step) {
        run.run(1);
        most = std::max(
            {most, run.simulation.water().limited_accelerations(), run.simulation.water().limited_inertia()});
      }
      return std::pair(Vector(run.simulation.state().q), most);
    };
    const auto free = state_with(""), inertia = state_with("inertia_limit = 0.5\n"),
               all = state_with("acceleration_limit = 0.5\n");
    const double largest = free.first.cwiseAbs().maxCoeff();
    EXPECT_LT((inertia.first - all.first).cwiseAbs().maxCoeff(), few_roundings * largest) << carried;
    EXPECT_GT((free.first - all.first).cwiseAbs().maxCoeff(), 1e-6 * largest) << carried;
    EXPECT_EQ(free.second, 0);
    EXPECT_EQ(all.second, 162) << "all vertices of a rigid body";
    EXPECT_EQ(inertia.second, all.second);
  }
}

TEST(AccelerationLimit, that_acts_is_recorded) {
  Trial session =
      live("scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = '1/60'\nparameters.acceleration_limit = 2\n");
  Diagnostics diagnostics(session.simulation);
  const auto recorded = [&] {
    std::size_t column = 0;
    for (const Quantity& quantity : diagnostics.quantities()) {
      if (quantity.name == "limited_accelerations")
        return diagnostics.evaluate(diagnostics.energy(), session.clock.work())[column];
      column += static_cast<std::size_t>(quantity.components);
    }
    return -1.0;
  };
  EXPECT_EQ(recorded(), 0);
  session.act("push at=0,1,0 acceleration=0,3,0 width=0.5 lasting=1");
  session.run(1);
  int beyond = 0;  // 3 exp(−r²/2σ²) > 2
  for (Index i = 0; i < session.surface.mesh.vertex_count; ++i)
    beyond += 3 * std::exp(-2 * (session.surface.x.col(i) - Vector3(0, 1, 0)).squaredNorm()) > 2;
  ASSERT_GT(beyond, 0);
  EXPECT_EQ(recorded(), beyond);
}

TEST(Inputs, that_change_what_the_run_was_made_of_are_refused) {
  Trial session = live("scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = '1/60'\n");
  for (const char* line : {"change radius=2", "change carried_velocity=rotated", "change onset=sudden"})
    EXPECT_THROW(session.act(line), Error) << line;
  session.act("change inertia=on inertia_limit=2");
}

/// The motion of the water does not depend on its density.
TEST(Inputs, that_change_the_density_scale_mass_and_energy_and_keep_the_flow) {
  for (const std::string scheme :
       {"", "discretization = 'dec'\n", "discretization = 'kinetic'\n", "integrator = 'newmark'\n"}) {
    const std::string text = "scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = '1/120'\n" + scheme;
    Trial session = live(text), other = live(text);
    for (Trial* one : {&session, &other}) {
      one->act("push at=0,1,0 acceleration=0,3,1 width=0.4 lasting=0.1");
      one->run(8);
    }
    other.act("change density=1000");  // none, as newmark begins anew after a change
    const ShallowWater& water = session.simulation.water();
    const double energy = water.energy().total(), mass = water.density() * water.total_volume();
    const Ledger before = water.ledger();
    ASSERT_NE(before.work_forces, 0) << text;
    session.act("change density=1250");
    const Ledger after = water.ledger();
    EXPECT_EQ(water.density(), 1250);
    EXPECT_EQ(session.simulation.scene().density, 1250);
    EXPECT_NEAR(water.energy().total(), 1.25 * energy, few_roundings * energy) << text;
    EXPECT_NEAR(after.work_change, 0.25 * energy, few_roundings * energy) << text;
    EXPECT_NEAR(after.mass_source, 0.25 * mass, few_roundings * mass) << text;
    EXPECT_NEAR(after.work_forces, before.work_forces, few_roundings * std::abs(before.work_forces)) << text;
    session.run(8);
    other.run(8);
    EXPECT_EQ(session.bits().at("model-0.water.state"), other.bits().at("model-0.water.state")) << text;
    EXPECT_NEAR(water.ledger().work_forces - after.work_forces,
                1.25 * (other.simulation.water().ledger().work_forces - before.work_forces),
                few_roundings * std::abs(before.work_forces))
        << text;
  }
}

TEST(Inputs, that_change_the_density_change_how_bodies_float) {
  Trial session = live(
      "scene = 'float'\nmesh = 'rectangle:16x16:8x8'\ndt = '1/100'\nparameters.body_position = '4,4,0'\n");
  session.run(1);
  const auto lift = [&] {  // within a step
    const double before = session.simulation.world().bodies().velocity(0).z();
    session.run(1);
    return session.simulation.world().bodies().velocity(0).z() - before;
  };
  constexpr double from_equilibrium = 0.1, step = 9.81 / 100;
  EXPECT_LT(std::abs(lift()), from_equilibrium * step);
  session.act("change density=1500");
  EXPECT_NEAR(lift(), 0.5 * step, from_equilibrium * step) << "half more of the buoyancy that carried it";
}

TEST(Inputs, that_change_a_uniform_depth_shift_the_elevation_and_keep_the_water) {
  for (const std::string scheme :
       {"", "discretization = 'dec'\n", "discretization = 'kinetic'\n", "integrator = 'newmark'\n"}) {
    const std::string text = "scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = '1/120'\n" + scheme;
    Trial session = live(text), other = live(text);
    session.run(8);
    const ShallowWater& water = session.simulation.water();
    const Energy before = water.energy();
    const auto state = session.bits().at("model-0.water.state");
    session.act("change depth=0.2");
    EXPECT_EQ(session.bits().at("model-0.water.state"), state) << text;
    EXPECT_NEAR(water.energy().mean_elevation, before.mean_elevation + 0.8, few_roundings) << text;
    EXPECT_NEAR(water.energy().total(), before.total(), few_roundings * before.total()) << text;
    EXPECT_EQ(session.simulation.bed().minCoeff(), 0.2);
    EXPECT_EQ(session.simulation.bed().maxCoeff(), 0.2);
    session.run(1);  // an input takes effect in the next step
    Trial again = repeated(session);
    again.run(static_cast<int>(again.simulation.steps()));
    EXPECT_TRUE(again.bits() == session.bits()) << text;
  }
}

/// Only the elevation, which the artificial acceleration depends on, refers to the bed.
TEST(Inputs, that_change_a_uniform_depth_keep_the_flow) {
  for (const std::string scheme : {"", "discretization = 'dec'\n", "discretization = 'kinetic'\n"}) {
    const std::string text = "scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = '1/120'\n" + scheme;
    Trial session = live(text), other = live(text);
    session.run(8);
    other.run(8);
    session.act("change depth=0.2");
    session.run(8);
    other.run(8);
    const Vector &one = session.simulation.water().state().q, &two = other.simulation.water().state().q;
    EXPECT_LT((one - two).cwiseAbs().maxCoeff(), 1e-12 * two.cwiseAbs().maxCoeff()) << text;
    session.act("change artificial_strength=1 artificial_level=0.8 artificial_acceleration=depth");
    other.act("change artificial_strength=1 artificial_level=0 artificial_acceleration=depth");
    session.run(8);
    other.run(8);
    EXPECT_LT((one - two).cwiseAbs().maxCoeff(), 1e-12 * two.cwiseAbs().maxCoeff()) << text;
  }
}

TEST(Inputs, that_change_a_depth_are_refused_where_the_bed_is_a_field) {
  for (const std::string scene : {"scene = 'custom'\n[parameters]\nbed_depth = '1 + 0.1*x'\n",
                                  "scene = 'custom'\n[parameters]\nbed_depth = '2'\n"}) {
    Trial session = live("mesh = 'icosphere:2'\ndt = 0.01\n" + scene);
    EXPECT_EQ(test::message_of([&] { session.act("change depth=0.5"); }),
              "'depth' can be changed during a run only where it is the uniform depth of the bed; here the "
              "bed is a "
              "field");
  }
}

TEST(Inputs, change_how_water_and_surroundings_are_coupled) {
  Trial session =
      live("scene = 'sphere-bump'\nmesh = 'icosphere:3'\nparameters.amplitude = 0\ndt = '1/60'\n");
  session.run(3);
  const auto height = [&] {
    const auto& water = session.simulation.water();
    const Cells& cells = session.simulation.discretization().cells();
    return water.volume().dot(cells.points.row(2).transpose()) / water.volume().sum();
  };
  EXPECT_NEAR(height(), 0, 1e-12);
  session.act("change artificial_strength=1 artificial_direction=0,0,1 artificial_acceleration=constant");
  session.run(30);
  EXPECT_GT(height(), 0.01);  // it gathers at the north pole
  session.act("throw at=0,0,-1.4 velocity=0,0,6 density=3000");
  session.act("change body_drag=0 body_push=0");
  session.run(20);
  EXPECT_TRUE(session.simulation.world().coupling(0)->collision().ledger().on_water_along.isZero(0));
  EXPECT_TRUE(session.simulation.world().coupling(0)->collision().ledger().on_water_normal.isZero(0));
}

TEST(Inputs, that_can_never_be_are_refused_before_the_run_begins) {
  struct Case {
    const char *setting, *inputs, *reason;
  };
  const Case cases[] = {
      {"", "0.04 clip name=walk", "invalid input '0.04 clip name=walk': the surface has no clips"},
      {"", "0.04 clip_speed speed=0", "no clips"},
      {"", "0.04 source at=100,0,0 radius=0.1", "reaches no cell"},
      {"", "0.04 push at=0,0,1 acceleration=1,0,0\n0.05 remove push=2", "there is no push 2: there are 1"},
      {"", "0.04 source at=0,0,1\n0.05 remove source=1\n0.06 remove source=1", "source 1 has ended already"},
      {"", "0.04 source at=0,0,1 lasting=0.01\n0.06 remove source=1", "source 1 has ended already"},
      {"", "0.04 change integrator=none", "invalid input '0.04 change integrator=none'"},
      {"", "0.04 change amplitude=2", "belongs to the scene or the motion"},
      {"", "0.04 change colour=2", "the run has no 'colour' to change"},
      {"", "0.04 change integrator=newmark substeps=2",
       "'substeps' has no effect with discretization fefv and integrator newmark"},
      {"", "0.04 change linear_solver=eigen-cg",
       "linear_solver: no integrator of this experiment solves a linear system"},
      {"", "0.04 change discretization=kinetic advection=bfecc", "'advection' has no effect"},
      {"", "0.04 change discretization=kinetic integrator=newmark", "invalid input"},
      {"",
       "0.04 change integrator=ssprk3\n0.05 change discretization=kinetic\n0.06 change integrator=newmark",
       "invalid input '0.06 change integrator=newmark'"},
      {"parameters.dry_outflow = 'closed'\n", "0.04 change integrator=implicit-euler", "dry_outflow"},
      {"integrator = 'semi-implicit'\n", "0.04 change dry_outflow=closed", "dry_outflow"},
      {"motion = 'squash'\n", "0.04 change discretization=kinetic integrator=newmark", "invalid input"},
      {"motion = 'squash'\n", "0.04 clip name=walk", "no clips"},
  };
  for (const Case& one : cases) {
    const std::string said = refusal_of(std::string("mesh = 'icosphere:2'\n") + one.setting, one.inputs);
    EXPECT_NE(said.find(one.reason), std::string::npos) << one.setting << one.inputs << ": " << said;
    EXPECT_EQ(said.find("inputs: invalid input '"), 0u) << said;
  }
}

TEST(Inputs, that_throw_what_is_no_body_are_refused_before_the_run_begins) {
  EXPECT_EQ(refusal_of("", "0.04 throw at=0,0,2 body=mesh"),
            "inputs: body=mesh requires file=FILE, a closed mesh, and other bodies have no file");
  EXPECT_EQ(refusal_of("", "0.04 throw at=0,0,2 body=mesh file=missing.obj"),
            "inputs: mesh 'missing.obj': there is no such file");
}

TEST(Inputs, of_clips_before_the_last_of_the_motion_are_refused_before_the_run_begins) {
  const auto begin = [](const std::string& input) {
    Trial(
        "scene = 'custom'\nmesh = 'figure:400'\nmotion = 'skin'\ndt = 0.02\n"
        "parameters.freeze = '0.1:0.2'\ninputs = '" +
        input + "'\n");
  };
  for (const std::string input : {"clip_speed speed=2", "clip name=wave", "action name=wave"})
    EXPECT_EQ(
        test::message_of([&] { begin("0.15 " + input); }),
        "inputs: invalid input '0.15 " + input +
            "': clips, actions and freeze set the clips until 0.2 s, and inputs may set them from 0.2 s on");
  EXPECT_NO_THROW(begin("0.2 clip_speed speed=2"));
}

TEST(Inputs, of_clips_without_delay_are_refused_before_the_run_begins) {
  const auto begin = [](const std::string& input) {
    Trial(
        "scene = 'custom'\nmesh = 'figure:400'\nmotion = 'skin'\ndt = 0.02\n"
        "inputs = '" +
        input + "'\n");
  };
  const auto message = [&](const std::string& input) { return test::message_of([&] { begin(input); }); };
  const std::string jump = " with a delay of 0 s would make the surface jump; give at least 0.001 s";
  EXPECT_EQ(
      message("0.1 clip name=wave delay=0"),
      "inputs: invalid input '0.1 clip name=wave delay=0': a new weight of clip 'wave' at 0.1 s" + jump);
  EXPECT_EQ(
      message("0.1 action name=wave delay=0"),
      "inputs: invalid input '0.1 action name=wave delay=0': a new weight of clip 'wave' at 0.1 s" + jump);
  // The surface has its initial pose, and steps begin at multiples of dt.
  for (const std::string input : {"0 clip name=wave delay=0", "0.001 clip name=wave delay=0"})
    EXPECT_NE(message(input).find("without delay it would make the surface jump from its initial pose; give"),
              std::string::npos)
        << message(input);
  EXPECT_NO_THROW(begin("0.1 clip_speed speed=0 delay=0"));
  EXPECT_NO_THROW(begin("0.1 clip name=wave delay=0.1"));
}

TEST(Inputs, that_change_to_an_integrator_without_sources_wait_for_the_end_of_these) {
  const std::string mesh = "mesh = 'icosphere:2'\n",
                    source = "0.02 source at=0,0,1 radius=0.4 lasting=0.08\n",
                    none = " change integrator=implicit-euler";
  EXPECT_NE(refusal_of(mesh, source + "0.06" + none).find("does not support sources"), std::string::npos);
  EXPECT_NE(refusal_of(mesh, "0.01" + none + "\n" + source).find("'0.02 source "), std::string::npos);
  for (const std::string& inputs : {source + "0.1" + none, source + "0.06 remove source=1\n0.06" + none}) {
    Trial run("scene = 'sphere-bump'\ndt = 0.02\n" + mesh + "inputs = '''" + inputs + "'''\n");
    run.run(8);
    EXPECT_EQ(run.simulation.present_configuration().integrator, "implicit-euler") << inputs;
  }
  Trial session = live("scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = '1/60'\n");
  session.act("source at=0,0,1 radius=0.3");
  EXPECT_THROW(session.act("change integrator=implicit-euler"), Refusal);
  session.run(2);
  EXPECT_THROW(session.act("change integrator=implicit-euler"), Refusal);
  session.act("remove source=1");
  session.act("change integrator=implicit-euler");
  session.run(2);
}

/// A surface that is dragged may come to a source that it does not reach at the start.
TEST(Inputs, that_cannot_be_at_their_time_end_the_run) {
  Trial run(
      "scene = 'sphere-bump'\nmesh = 'icosphere:2'\ndt = 0.02\n"
      "inputs = '''0.02 drag to=0,0,0.1\n0.04 source at=100,0,0 radius=0.1'''\n");
  run.run(2);
  const StepReport report = run.simulation.step(run.clock);
  EXPECT_FALSE(report.ok);
  EXPECT_EQ(report.reason.find("invalid input '0.04 source"), 0u) << report.reason;
  EXPECT_EQ(run.simulation.refused_input(), report.reason);
  EXPECT_EQ(run.simulation.steps_done(), 2);
}

}  // namespace
}  // namespace shoal
