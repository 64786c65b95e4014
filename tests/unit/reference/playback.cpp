// Playback of a recorded run, compared with the simulation that made it.
#include "reference/session/playback.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "experiments/harness/sweep/execute.hpp"
#include "reference/view/live_run.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/other_models.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <random>
#include <thread>

namespace shoal {
namespace {

const std::string text = R"(
  scene = 'sphere-bump'
  mesh = 'icosphere:3'
  dt = 0.02
  end = 0.4
  snapshots = '0.1,0.2,0.3'
  integrator = ['explicit', 'newmark']
  inputs = '''
    0.04 throw at=0,0,2 velocity=0,0,-3
    0.1 throw body=box at=0,2,0 velocity=0,-4,0 spin=3,4,5
    0.2 drag to=0.3,0,0
    0.25 remove body=thrown-1
    0.35 throw at=0,0,2''')";

class Played : public testing::Test {
 protected:
  Played() {
    const Experiment experiment = parse_experiment(text, "test.toml");
    configuration_ = expand(test::catalog(), experiment).front().configuration;
    ExecutionOptions options;
    options.output = file_;
    options.quiet = true;
    options.command = "a test";
    execute(test::catalog(), experiment, options);
  }
  test::TemporaryFolder folder_;
  std::string file_ = (folder_ / "a.h5").string();
  RunConfiguration configuration_;
};

TEST_F(Played, shows_what_the_simulation_was) {
  const Results results(file_);
  SavedRun saved(test::catalog(), results, file_, results.runs().front());
  EXPECT_EQ(saved.note(), "");
  ASSERT_EQ(saved.times(), (std::vector<double>{0, 0.1, 0.2, 0.3, 0.4}));
  const Surface surface = load_surface(test::catalog(), configuration_);
  Simulation simulation(test::catalog(), configuration_, surface);
  const LiveRun live(simulation);
  StageClock clock;
  for (Index snapshot = 0; snapshot < saved.snapshot_count(); ++snapshot) {
    while (simulation.time() < saved.times()[static_cast<std::size_t>(snapshot)] - 1e-9)
      ASSERT_TRUE(simulation.step(clock).ok);
    saved.show_snapshot(snapshot);
    Values depth, live_depth, velocity, live_velocity;
    saved.sample("depth_at_vertices", depth);
    live.sample("depth_at_vertices", live_depth);
    saved.sample("velocity", velocity);
    live.sample("velocity", live_velocity);
    for (Index i = 0; i < surface.mesh.vertex_count; ++i) {
      const Index there = surface.input_vertex[static_cast<std::size_t>(i)];
      ASSERT_EQ(depth(0, there), live_depth(0, i));
      ASSERT_EQ(saved.geometry().x.col(there), live.geometry().x.col(i));
      ASSERT_EQ(saved.bed()[there], live.bed()[i]);
    }
    for (Index k = 0; k < surface.mesh.face_count(); ++k)
      ASSERT_EQ(velocity.col(surface.input_face[static_cast<std::size_t>(k)]), live_velocity.col(k));
    const std::vector<ShownBody> bodies = saved.bodies(), live_bodies = live.bodies();
    ASSERT_EQ(bodies.size(), live_bodies.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      EXPECT_EQ(bodies[i].name, live_bodies[i].name);
      EXPECT_EQ(bodies[i].solid->volume(), live_bodies[i].solid->volume());
      EXPECT_EQ(bodies[i].pose.position, live_bodies[i].pose.position);
      EXPECT_LT((bodies[i].pose.rotation - live_bodies[i].pose.rotation).norm(), 1e-12);
    }
  }
  EXPECT_EQ(saved.bodies().size(), 2u);
}

TEST_F(Played, goes_from_snapshot_to_snapshot_and_on_its_own) {
  Playback playback(test::catalog(), file_, "", {}, 1.5);
  EXPECT_EQ(run_labels(playback.runs()),
            (std::vector<std::string>{"0001 fefv, explicit", "0002 fefv, newmark"}));
  EXPECT_EQ(playback.latest()->configuration.parameters.count("depth"), 1U) << "for a new run like it";
  EXPECT_TRUE(playback.paused());
  EXPECT_EQ(playback.latest()->time, 0);
  playback.step_once();
  EXPECT_EQ(playback.latest()->time, 0.1);
  playback.go_to(0.26);
  const auto moment = playback.latest();
  EXPECT_EQ(moment->time, 0.3);
  ASSERT_EQ(moment->bodies.size(), 1U) << "one has been removed, and one has not entered yet";
  EXPECT_EQ(moment->bodies[0].name, "thrown-2");
  EXPECT_NEAR(moment->mass, Results(file_).runs().front().diagnostics("mass")[15], 0);
  EXPECT_EQ(moment->velocity.cols(), playback.mesh().face_count());
  playback.go_to(-1);
  playback.set_speed(100);
  playback.pause(false);
  playback.set_repeats(false);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(playback.latest()->time, 0.4);
  playback.latest();
  EXPECT_TRUE(playback.paused()) << "it ends at the last one";
}

TEST(RunLabels, tell_runs_apart) {
  const auto run = [](const char* id, const char* integrator, const char* mesh, const char* depth) {
    return NamedRun{
        id, {{"discretization", "dec"}, {"integrator", integrator}, {"mesh", mesh}, {"depth", depth}}};
  };
  EXPECT_EQ(run_labels({run("0001", "rk4", "a", "1"), run("0002", "rk4", "b", "1"),
                        run("0003", "newmark", "a", "2")}),
            (std::vector<std::string>{"0001 dec, rk4, mesh = a", "0002 dec, rk4, mesh = b",
                                      "0003 dec, newmark, mesh = a"}));
}

TEST_F(Played, begins_again_after_a_moment_at_its_end) {
  Playback playback(test::catalog(), file_, "", {}, 1.5);
  EXPECT_TRUE(playback.repeats());
  playback.set_speed(4);
  playback.pause(false);
  std::vector<double> times;  // each once, in the order in which they are seen
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (std::chrono::steady_clock::now() < end && std::count(times.begin(), times.end(), 0.4) < 2) {
    if (const double time = playback.latest()->time; times.empty() || times.back() != time)
      times.push_back(time);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(std::count(times.begin(), times.end(), 0.4), 2);
  EXPECT_GE(std::count(times.begin(), times.end(), 0), 2);
  EXPECT_FALSE(playback.paused());
  playback.pause(true);
  playback.go_to(0.4);
  playback.step_once();
  EXPECT_EQ(playback.latest()->time, 0) << "after the last one comes the first";
}

TEST_F(Played, says_what_it_does_not_have) {
  const auto error_message = [&](const std::string& file, const std::string& id) -> std::string {
    try {
      Playback(test::catalog(), file, id, {}, 1.5);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(
      error_message(file_, "0007").find("no run '0007' with snapshots; runs with snapshots: 0001, 0002"),
      std::string::npos);
  EXPECT_NE(error_message((folder_ / "none.h5").string(), "").find("no such file"), std::string::npos);
  Playback newmark(test::catalog(), file_, "0002", {}, 1.5);
  EXPECT_EQ(newmark.latest()->velocity.cols(), 0);
  ViewOptions view;
  view.look = Look::science;
  view.field = "speed";
  newmark.show(view, 1.5);
  EXPECT_EQ(newmark.message(), "--field speed: this integrator carries no velocity");
  view.field = "depth_rate";
  newmark.show(view, 1.5);
  EXPECT_EQ(newmark.message(), "");
  EXPECT_EQ(newmark.latest()->scale.field, "depth_rate, m/s");
}

/// Those that the run has recorded on vertices and triangles.
TEST_F(Played, shows_every_scalar) {
  Playback playback(test::catalog(), file_, "0001", {}, 1.5);
  std::vector<std::string> names;
  for (const ShownField& field : playback.latest()->fields) names.push_back(field.name);
  for (const char* name : {"speed", "vorticity", "divergence"})
    EXPECT_NE(std::find(names.begin(), names.end(), name), names.end()) << name;
  ViewOptions view;
  view.look = Look::science;
  for (const std::string& name : names) {
    view.field = name;
    playback.show(view, 1.5);
    playback.step_once();
    EXPECT_EQ(playback.latest()->scale.field.rfind(name, 0), 0U);
    EXPECT_EQ(playback.message(), "");
  }
}

TEST_F(Played, ends_or_reports_an_error_with_a_damaged_file) {
  std::ifstream in(file_, std::ios::binary);
  const std::string whole((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  std::vector<std::size_t> heaps;
  for (std::size_t at = 0; (at = whole.find("GCOL", at)) != std::string::npos; ++at) heaps.push_back(at);
  ASSERT_FALSE(heaps.empty());
  std::mt19937 random(3);
  int errors = 0;
  const int trials = 40;
  for (int trial = 0; trial < trials; ++trial) {
    std::string damaged = whole;
    // The texts of attributes are in global heaps (GCOL), with their lengths before them.
    const std::size_t heap = random() % heaps.size();
    if (trial % 4 == 0)
      damaged.resize(random() % whole.size());
    else if (trial % 4 == 1)
      for (int i = 0; i < 20; ++i)
        damaged[(heaps[heap] + random() % 4096) % whole.size()] = static_cast<char>(random());
    else
      for (int i = 0; i < 200; ++i) damaged[random() % whole.size()] = static_cast<char>(random());
    const std::string path = (folder_ / "damaged.h5").string();
    std::ofstream(path, std::ios::binary) << damaged;
    try {
      Playback playback(test::catalog(), path, "", {}, 1.5);
      playback.go_to(playback.run().times().back());
      playback.latest();
    } catch (const std::exception&) {
      ++errors;
    }
  }
  EXPECT_GE(errors, trials / 4);
}

TEST(PlayedModel, of_another_kind_shows_the_fields_on_its_polygons) {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "a.h5").string();
  hdf5::File results = create_results(test::catalog(), file, test::placeholder(), "a test");
  compute(results, "0001", test::of_tracer(),
          [] { return test::observed<test::Tracer>(test::of_tracer(), 12, 8); },
          {.stepped = [](const auto& /*run*/) {}}, {});
  results.close();

  ViewOptions view;
  view.look = Look::science;
  view.field = "tracer";
  Playback playback(test::catalog(), file, "", view, 1.5);
  EXPECT_EQ(playback.mesh().face_count(), 2 * 12 * 8);
  playback.go_to(3);
  const auto shown = playback.latest();
  ASSERT_TRUE(shown->picture.field);
  EXPECT_EQ(shown->scale.field, "tracer, kg/m^2");
  std::vector<std::string> titles;
  for (const ShownField& field : shown->fields) titles.push_back(title_of(field));
  EXPECT_EQ(titles, (std::vector<std::string>{"depth, m", "elevation, m", "tracer, kg/m^2"}));
  EXPECT_GT(shown->scale.range.second, 0.5);
  EXPECT_FALSE(shown->scale.land);
}

}  // namespace
}  // namespace shoal
