// A live simulation in its thread, and the camera and rays by which it is played with.
#include "reference/session/session.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/run/checksum.hpp"
#include "reference/renderer/shapes.hpp"
#include "reference/session/plan_to_play.hpp"
#include "reference/session/scheme_change.hpp"
#include "reference/window/view_camera.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>

namespace shoal {
namespace {

using namespace std::chrono_literals;

RunConfiguration configuration(const std::string& text) {
  return expand(test::catalog(), parse_experiment(text, "test.toml")).front().configuration;
}

/// Waits for what another thread will do, at most for 20 s.
bool comes(const std::function<bool()>& condition) {
  for (int i = 0; i < 2000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(10ms);
  }
  return false;
}

class LiveSession : public testing::Test {
 protected:
  Session session_{
      test::catalog(), configuration("scene = 'sphere-bump'\nmesh = 'icosphere:3'\ndt = '1/120'\n"), {}, 1.5};
  std::int64_t steps() { return session_.latest()->steps; }
  void step_until(std::int64_t wanted) {
    while (steps() < wanted) {
      const std::int64_t before = steps();
      session_.step_once();
      ASSERT_TRUE(comes([&] { return steps() > before; }));
    }
  }
};

TEST_F(LiveSession, begins_paused_steps_when_asked_and_goes_on) {
  EXPECT_TRUE(session_.paused());
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(steps(), 0);
  step_until(3);
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(steps(), 3);
  session_.pause(false);
  EXPECT_TRUE(comes([&] { return steps() > 10; }));
  session_.pause(true);
  const auto settled = [&] {
    const std::int64_t now = steps();
    std::this_thread::sleep_for(60ms);
    return steps() == now;
  };
  EXPECT_TRUE(comes(settled));
}

TEST_F(LiveSession, shows_what_is_done_to_it_also_in_a_pause) {
  session_.act({0, ThrowInput{.at = {0, 0, 2}, .velocity = {0, 0, -3}}});
  EXPECT_TRUE(comes([&] { return session_.latest()->bodies.size() == 1; }));
  EXPECT_EQ(session_.latest()->picture.solids.size(), 1u);
  EXPECT_EQ(session_.latest()->bodies[0].name, "thrown-1");
  session_.act({0, RemoveInput{.body = "thrown-1"}});
  EXPECT_TRUE(comes([&] { return session_.latest()->bodies.empty(); }));
  EXPECT_TRUE(session_.latest()->picture.solids.empty());
  session_.act({0, ChangeInput{{{"integrator", "newmark"}}}});
  EXPECT_TRUE(comes([&] { return session_.latest()->configuration.integrator == "newmark"; }));
  step_until(2);
  EXPECT_EQ(session_.latest()->velocity.cols(), 0);
}

/// What falls through the ground is gone, for those who look; the ground stays below the rising water.
TEST_F(LiveSession, has_a_ground_that_stays_and_no_bodies_far_below_it) {
  step_until(1);
  const double ground = session_.latest()->picture.ground.value(),
               lowest = session_.latest()->surface.row(2).minCoeff();
  session_.act({0, ThrowInput{.at = {0, 3, 0}}});
  session_.act({0, ThrowInput{.at = {0, 3, -20}}});
  session_.act({0, SourceInput{.at = {0, 0, -1}, .discharge = 5}});
  step_until(4);
  const auto moment = session_.latest();
  EXPECT_EQ(moment->bodies.size(), 1U);
  EXPECT_EQ(moment->picture.solids.size(), 1U);
  EXPECT_LT(moment->surface.row(2).minCoeff(), lowest - 1e-3);
  EXPECT_NEAR(*moment->picture.ground, ground, 1e-12);
  ViewOptions view;
  view.lines = true;
  session_.show(view, 1.5);
  EXPECT_TRUE(comes([&] { return session_.latest() != moment; }));
  EXPECT_NEAR(session_.latest()->picture.ground.value(), ground, 1e-12);
}

TEST_F(LiveSession, shows_another_field_where_a_scheme_has_not_the_one_that_was_shown) {
  ViewOptions view;
  view.look = Look::science;
  view.field = "speed";
  view.vectors = true;
  view.face_traces = view.vertex_traces = view.vertex_vectors = view.fan_vectors = view.acceleration =
      view.fluid_mesh = true;
  step_until(1);
  session_.show(view, 1.5);
  EXPECT_TRUE(comes([&] { return session_.latest()->scale.field == "speed, m/s"; }));
  EXPECT_GE(session_.latest()->picture.lines.size(), 5u);
  session_.act({0, ChangeInput{{{"integrator", "newmark"}}}});
  EXPECT_TRUE(comes([&] { return session_.latest()->scale.field == "elevation, m"; }));
  EXPECT_EQ(session_.message(), "");
  session_.act({0, ChangeInput{{{"integrator", "explicit"}, {"discretization", "kinetic"}}}});
  EXPECT_TRUE(comes([&] { return session_.latest()->configuration.discretization == "kinetic"; }));
  step_until(3);
  EXPECT_EQ(session_.message(), "");
}

TEST_F(LiveSession, keeps_the_range_of_its_colours_where_an_overlay_changes) {
  ViewOptions view;
  view.look = Look::science;
  session_.show(view, 1.5);
  ASSERT_TRUE(comes([&] {
    return session_.latest()->scale.field == "elevation, m" && session_.latest()->scale.range.second > 0;
  }));
  const auto range = session_.latest()->scale.range;  // of the bump, which then falls
  step_until(40);
  ASSERT_EQ(session_.latest()->scale.range, range);
  view.fluid_mesh = true;
  session_.show(view, 1.5);
  ASSERT_TRUE(comes([&] { return !session_.latest()->picture.lines.empty(); }));
  EXPECT_EQ(session_.latest()->scale.range, range);
}

/// Of positive values, at most as many decades as the options say; places up to 0 have no value.
TEST_F(LiveSession, has_a_logarithmic_range_of_its_positive_values) {
  step_until(80);
  ViewOptions view;
  view.look = Look::science;
  view.logarithmic = true;
  session_.show(view, 1.5);
  ASSERT_TRUE(comes([&] { return session_.latest()->scale.logarithmic; }));
  const Scale scale = session_.latest()->scale;
  EXPECT_GT(scale.range.first, 0);
  EXPECT_LT(scale.range.first, scale.range.second);
  EXPECT_LE(scale.range.second / scale.range.first, 1.001e6);
  EXPECT_TRUE(scale.no_value) << "the elevation is negative somewhere";
  view.field = "depth";
  view.color_map = "magma";
  session_.show(view, 1.5);
  ASSERT_TRUE(comes([&] { return session_.latest()->scale.colors->name == "magma"; }));
  EXPECT_FALSE(session_.latest()->scale.no_value);
  view.range = {0, 1};
  session_.show(view, 1.5);
  std::string message;
  EXPECT_TRUE(comes([&] { return !(message = session_.message()).empty(); }));
  EXPECT_NE(message.find("no logarithm"), std::string::npos) << message;
}

TEST_F(LiveSession, offers_the_range_of_an_instant) {
  ViewOptions view;
  view.look = Look::science;
  session_.show(view, 1.5);
  ASSERT_TRUE(comes([&] { return session_.latest()->scale.range.second > 0; }));
  step_until(40);
  const Scale scale = session_.latest()->scale;
  EXPECT_LT(scale.instant.second, 0.9 * scale.range.second);
  EXPECT_EQ(scale.instant.first, -scale.instant.second) << "of a signed field";
  view.field = "depth";
  session_.show(view, 1.5);
  ASSERT_TRUE(comes([&] { return session_.latest()->scale.range.first == 0; }));
  const auto moment = session_.latest();
  EXPECT_EQ(moment->scale.instant, (std::pair(moment->depth.minCoeff(), moment->depth.maxCoeff())));
}

/// Every step moves the foam on, whether it is shown or not; other options of the view keep it.
TEST_F(LiveSession, keeps_its_foam_where_the_view_changes) {
  ViewOptions view;
  view.foam = true;
  view.foam_options.roughness = view.foam_options.accumulation = 1e5;
  session_.show(view, 1.5);
  ASSERT_TRUE(comes([&] { return session_.latest()->picture.foam.has_value(); }));
  const auto corners = [&] { return session_.latest()->picture.foam->corners.size(); };
  EXPECT_EQ(corners(), 0);
  step_until(40);
  const auto foam = corners();
  EXPECT_GT(foam, 1000u);
  view.lines = true;
  session_.show(view, 1.5);
  ASSERT_TRUE(comes([&] { return session_.latest()->picture.lines.size() == 1; }));
  EXPECT_EQ(corners(), foam);
  session_.act({0, ChangeInput{{{"integrator", "newmark"}}}});
  ASSERT_TRUE(comes([&] { return session_.latest()->configuration.integrator == "newmark"; }));
  step_until(41);
  EXPECT_FALSE(session_.latest()->picture.foam.has_value());
  EXPECT_EQ(session_.message(), "");
}

TEST(CharacterSession, shows_its_skeleton_and_its_clips) {
  Session session(test::catalog(), configuration("scene = 'character'\nmesh = 'figure:300'\n"), {}, 1.5);
  auto moment = session.latest();
  EXPECT_TRUE(moment->has_skeleton);
  ASSERT_EQ(moment->clips.size(), 3u);
  EXPECT_EQ(moment->clips[0].name, "walk");
  EXPECT_EQ(moment->clips[1].weight, 0);
  session.act({0, ClipInput{"wave", 0.6, 0.1}});
  session.pause(false);
  EXPECT_TRUE(comes([&] { return session.latest()->clips[1].weight == 0.6; }));
  session.pause(true);
  EXPECT_EQ(session.message(), "");
  ViewOptions view;
  view.skeleton = true;
  session.show(view, 1.5);
  EXPECT_TRUE(comes([&] { return session.latest()->picture.lines.size() == 1; }));
  // The skeleton is within the surface that it moves.
  moment = session.latest();
  const Points& bones = moment->picture.lines[0].ends;
  const Vector3 low = moment->surface.rowwise().minCoeff(), high = moment->surface.rowwise().maxCoeff();
  EXPECT_TRUE(((bones.colwise() - low).array() > 0).all());
  EXPECT_TRUE(((bones.colwise() - high).array() < 0).all());
}

TEST_F(LiveSession, says_what_cannot_be_and_goes_on) {
  session_.act({0, ClipInput{.name = "walk"}});
  std::string message;
  EXPECT_TRUE(comes([&] { return !(message = session_.message()).empty(); }));
  EXPECT_EQ(message, "the surface has no clips; use motion = skin");
  EXPECT_EQ(session_.message(), "");
  ViewOptions view;
  view.look = Look::science;
  view.field = "deepness";
  session_.show(view, 1.5);
  EXPECT_TRUE(comes([&] { return !(message = session_.message()).empty(); }));
  EXPECT_NE(message.find("'deepness' is none of"), std::string::npos);
  step_until(1);
  EXPECT_FALSE(session_.broken());
}

TEST_F(LiveSession, is_recorded_as_a_run_that_repeats_it) {
  step_until(3);
  session_.act({0, SourceInput{.at = {0, 0, 1}, .discharge = 0.05}});
  session_.hold_push(PushInput{.at = {1, 0, 0}, .acceleration = {0, 4, 0}, .width = 0.3});
  step_until(6);
  session_.hold_push({});
  session_.hold_drag(Vector3(0.1, 0, 0));
  session_.act({0, ThrowInput{.at = {0, 0, 1.3}, .velocity = {0, 0, -3}}});
  step_until(9);
  session_.act({0, RemoveInput{.body = "thrown-1"}});
  session_.pause(false);
  EXPECT_TRUE(comes([&] { return steps() > 30; }));
  session_.pause(true);
  const std::string text = session_.recording("session").get();
  const std::string::size_type at = text.find("state_checksum ");
  ASSERT_NE(at, std::string::npos);
  const RunConfiguration c = configuration(text);
  const Surface surface = load_surface(test::catalog(), c);
  Simulation run(test::catalog(), c, surface);
  StageClock clock;
  while (run.steps_done() < run.steps()) ASSERT_TRUE(run.step(clock).ok);
  EXPECT_EQ(checksum(run), text.substr(at + 15, 16)) << text;
}

/// Of the recording, with the same bits.
void expect_repeated(const std::string& text) {
  const std::string::size_type at = text.find("state_checksum ");
  ASSERT_NE(at, std::string::npos) << text;
  const RunConfiguration c = configuration(text);
  const Surface surface = load_surface(test::catalog(), c);
  Simulation run(test::catalog(), c, surface);
  StageClock clock;
  while (run.steps_done() < run.steps()) ASSERT_TRUE(run.step(clock).ok);
  EXPECT_EQ(checksum(run), text.substr(at + 15, 16)) << text;
}

/// Where they are on the surface, with which they go; those that have ended are not.
TEST_F(LiveSession, shows_its_sources_until_they_are_removed) {
  ViewOptions view;
  view.sources = true;
  session_.show(view, 1.5);
  EXPECT_TRUE(session_.latest()->sources.empty());
  session_.act({0, SourceInput{.at = {0, 0, 1.02}, .radius = 0.2, .discharge = 0.05}});
  session_.act({0, SourceInput{.at = {1.02, 0, 0}, .radius = 0.3, .discharge = -0.02}});
  session_.act({0, PushInput{.at = {0, 1, 0}, .acceleration = {0, 0, 2}, .lasting = 1e9}});
  session_.hold_push(PushInput{.at = {0, -1, 0}, .acceleration = {0, 0, 1}});  // which lasts a step
  ASSERT_TRUE(comes([&] { return session_.latest()->sources.size() == 3; }));
  auto sources = session_.latest()->sources;
  EXPECT_EQ(sources[0].source.number, 1);
  EXPECT_EQ(sources[1].source.discharge, -0.02);
  EXPECT_TRUE(sources[2].source.is_push);
  EXPECT_EQ(session_.latest()->picture.solids.size(), 3u);  // arrows of each kind
  EXPECT_EQ(session_.latest()->picture.lines.size(), 3u);
  constexpr double near = 1e-2;  // of a sphere of flat triangles
  EXPECT_LT(sources[0].at.normalized().cross(Vector3::UnitZ()).norm(), near);
  EXPECT_GT(sources[0].at.z(), 1);
  session_.hold_drag(Vector3(0.3, 0, 0));
  session_.pause(false);
  ASSERT_TRUE(comes([&] { return session_.latest()->time > 1.5; }));
  session_.pause(true);
  EXPECT_EQ(session_.message(), "");
  sources = session_.latest()->sources;
  ASSERT_EQ(sources.size(), 3u);
  EXPECT_NEAR(sources[0].at.x(), 0.3, 0.02) << "it goes with the surface";
  session_.act({0, RemoveInput{.source = 1}});
  session_.act({0, RemoveInput{.push = 1}});
  ASSERT_TRUE(comes([&] { return session_.latest()->sources.size() == 1; }));
  EXPECT_EQ(session_.latest()->sources[0].source.number, 2);
  session_.act({0, RemoveInput{.source = 1}});
  std::string message;
  EXPECT_TRUE(comes([&] { return !(message = session_.message()).empty(); }));
  EXPECT_EQ(message, "source 1 has ended already");
  expect_repeated(session_.recording("session").get());
}

TEST_F(LiveSession, pours_where_and_while_it_is_told) {
  ViewOptions view;
  view.sources = true;
  session_.show(view, 1.5);
  const auto numbers = [&] {
    std::vector<int> all;
    for (const SourceMarker& marker : session_.latest()->sources) all.push_back(marker.source.number);
    return all;
  };
  session_.hold_pour(SourceInput{.at = {0, 0, 1}, .radius = 0.2, .discharge = 0.05});
  EXPECT_TRUE(comes([&] { return numbers() == std::vector{1}; })) << "during a pause";
  const double before = session_.latest()->mass;
  step_until(3);
  EXPECT_GT(session_.latest()->mass, before);
  session_.hold_pour(SourceInput{.at = {0.5, 0, 0.9}, .radius = 0.2, .discharge = 0.05});
  EXPECT_TRUE(comes([&] { return numbers() == std::vector{2}; })) << "the first has ended";
  session_.act({0, RemoveInput{.source = 2}});
  EXPECT_TRUE(comes([&] { return numbers().empty(); }));
  session_.hold_pour({});  // which was removed before
  session_.hold_pour(SourceInput{.at = {0, 0, 1}, .radius = 0.2, .discharge = -0.05});
  EXPECT_TRUE(comes([&] { return numbers() == std::vector{3}; }));
  step_until(5);
  session_.hold_pour({});
  EXPECT_TRUE(comes([&] { return numbers().empty(); }));
  EXPECT_EQ(session_.message(), "");
  session_.hold_pour(SourceInput{.at = {0, 0, 9}, .radius = 1e-3});
  std::string message;
  EXPECT_TRUE(comes([&] { return !(message = session_.message()).empty(); }))
      << "no cell is within its reach";
  expect_repeated(session_.recording("session").get());
}

TEST(PeriodicSession, shows_sources_where_the_mesh_is_drawn) {
  ViewOptions view;
  view.look = Look::science;
  view.sources = true;
  Session session(test::catalog(), configuration("scene = 'bump'\nmesh = 'rectangle:8x8:4x4:periodic'\n"),
                  view, 1.5);
  for (const Vector3& at : {Vector3(0.1, 0.1, 0), Vector3(2.3, 1.7, 0), Vector3(3.9, 3.8, 0)})
    session.act({0, SourceInput{.at = at, .radius = 0.5, .discharge = 0.01}});
  ASSERT_TRUE(comes([&] { return session.latest()->sources.size() == 3; }));
  EXPECT_EQ(session.message(), "");
  const auto moment = session.latest();
  EXPECT_LT((moment->sources[0].at.head<2>() - Eigen::Vector2d(0.1, 0.1)).norm(), 1e-9);
  EXPECT_LT((moment->sources[2].at.head<2>() - Eigen::Vector2d(3.9, 3.8)).norm(), 1e-9);
}

TEST_F(LiveSession, is_repeated_without_a_step_and_with_what_was_done_after_the_last_one) {
  expect_repeated(session_.recording("session").get());
  step_until(4);
  EXPECT_FALSE(session_.unsaved());
  session_.act({0, ChangeInput{{{"discretization", "kinetic"}}}});
  EXPECT_TRUE(comes([&] { return session_.latest()->configuration.discretization == "kinetic"; }));
  EXPECT_TRUE(session_.unsaved());
  const std::string text = session_.recording("session").get();
  EXPECT_FALSE(session_.unsaved());
  EXPECT_NE(text.find("change discretization=kinetic"), std::string::npos);
  expect_repeated(text);
}

TEST_F(LiveSession, that_breaks_says_so_and_stops) {
  session_.act({0, PushInput{.at = {1, 0, 0}, .acceleration = {0, 1e9, 0}, .width = 0.3, .lasting = 1}});
  session_.pause(false);
  EXPECT_TRUE(comes([&] { return session_.broken(); }));
  EXPECT_NE(session_.message().find("Stopped at t = "), std::string::npos);
  session_.act({0, ChangeInput{{{"integrator", "newmark"}}}});
  EXPECT_TRUE(comes([&] { return session_.message() == "The run has stopped. Press R to restart."; }));
  const std::string text = session_.recording("session").get();
  EXPECT_EQ(text.find("change"), std::string::npos);
  EXPECT_NE(text.find("the session stopped at t = "), std::string::npos);
  const std::int64_t before = steps();
  session_.step_once();
  std::this_thread::sleep_for(50ms);
  EXPECT_EQ(steps(), before);
}

/// Nobody looks at its pictures, so that the last one before it ends is still to be made when it breaks.
TEST_F(LiveSession, without_a_finite_number_breaks_off_and_is_recorded) {
  session_.act({0, PushInput{.at = {0, 0, 1}, .acceleration = {0, 1e160, 0}, .width = 1, .lasting = 1}});
  session_.pause(false);
  ASSERT_TRUE(comes([&] { return session_.broken(); }));
  std::this_thread::sleep_for(50ms);
  EXPECT_NE(session_.stop().find("stopped at t = "), std::string::npos);
  EXPECT_NE(session_.recording("session").get().find("1e+160"), std::string::npos);
}

TEST(SchemeChange, reaches_every_part_that_goes_with_some_advection) {
  Experiment experiment;
  experiment.name = "window";
  experiment.settings = {{"scene", false, {Value("sphere-bump")}, "test"}};
  const Catalog& catalog = test::catalog();
  const RunConfiguration played = plan_to_play(catalog, experiment).configuration;
  ASSERT_EQ(played.advection, "semi-lagrangian");
  const auto advection_with = [&](const char* key, const char* name) {
    const auto change = scheme_change(catalog, played, key, name);
    return change ? changed(catalog, played, *change).advection : "it cannot be";
  };
  EXPECT_EQ(advection_with("discretization", "dec"), "vector-invariant");
  EXPECT_EQ(advection_with("discretization", "kinetic"), "built-in");
  EXPECT_EQ(advection_with("integrator", "newmark"), "none");
  EXPECT_EQ(advection_with("integrator", "implicit-euler"), "none");
  EXPECT_EQ(advection_with("integrator", "semi-implicit"), "semi-lagrangian");
}

/// And is recorded so that it repeats.
TEST(SchemeChange, stays_where_a_run_begins_again) {
  const RunConfiguration began =
      configuration("scene = 'sphere-bump'\nmesh = 'icosphere:2'\nadvection = 'semi-lagrangian'\n");
  RunConfiguration now = began;
  for (const auto& [key, name] : {std::pair("discretization", "dec"),
                                  {"integrator", "newmark"},
                                  {"integrator", "explicit"},
                                  {"discretization", "kinetic"},
                                  {"integrator", "rk4"}}) {
    const auto change = scheme_change(test::catalog(), now, key, name);
    ASSERT_TRUE(change) << name;
    now = changed(test::catalog(), now, *change);
    const RunConfiguration again = with_scheme_of(test::catalog(), began, now);
    EXPECT_EQ(again.discretization, now.discretization);
    EXPECT_EQ(again.integrator, now.integrator);
    EXPECT_EQ(again.advection, now.advection);
    EXPECT_EQ(again.linear_solver, now.linear_solver);
    Session session(test::catalog(), again, {}, 1.5);
    expect_repeated(session.recording("session").get());
  }
  EXPECT_EQ(with_scheme_of(test::catalog(), began, began), began);
}

/// Also when the run refuses each of them.
TEST(SchemeChange, goes_through_the_list_once) {
  const Catalog& catalog = test::catalog();
  const RunConfiguration c = configuration("scene = 'sphere-bump'\nmesh = 'icosphere:1'\n");
  for (const char* key : {"discretization", "integrator"}) {
    std::vector<std::string> tried;
    std::string name;
    while (next_change(catalog, c, key, name, name)) {
      EXPECT_EQ(std::count(tried.begin(), tried.end(), name), 0) << name;
      tried.push_back(name);
    }
    EXPECT_GT(tried.size(), 2U) << key;
    EXPECT_EQ(std::count(tried.begin(), tried.end(), c.discretization), 0);
    EXPECT_EQ(std::count(tried.begin(), tried.end(), c.integrator), 0);
  }
}

TEST(PlayedRun, has_the_defaults_of_the_thesis_where_nothing_is_said) {
  Experiment experiment;
  experiment.name = "window";
  experiment.settings = {{"scene", false, {Value("sphere-bump")}, "test"},
                         {"acceleration_limit", true, {Value(7.0)}, "test"}};
  const RunConfiguration c = plan_to_play(test::catalog(), experiment).configuration;
  EXPECT_FALSE(c.inputs.empty());
  EXPECT_EQ(c.parameters.at("inertia"), Value("on"));
  EXPECT_EQ(c.parameters.at("inertia_smoothing"), Value(0.5));
  EXPECT_EQ(c.parameters.at("normal_smoothing"), Value(0.5));
  EXPECT_EQ(c.parameters.at("acceleration_limit"), Value(7.0));
  Experiment walks;
  walks.name = "window";
  walks.settings = {{"scene", false, {Value("character")}, "test"}};
  const RunConfiguration walking = plan_to_play(test::catalog(), walks).configuration;
  EXPECT_EQ(walking.parameters.at("acceleration_limit"), Value(4.0));
  EXPECT_FALSE(walking.parameters.count("inertia"));
}

/// A mesh becomes a bump of water in proportion to it; an experiment is as written; results are played.
TEST(Files, are_shown_by_their_kind) {
  test::TemporaryFolder folder;
  std::ofstream(folder / "wedge.obj")
      << "v 0 0 0\nv 9 0 0\nv 0 6 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  std::ofstream(folder / "two.toml")
      << "scene = 'sphere-bump'\nmesh = 'icosphere:1'\nintegrator = ['newmark', 'explicit']\n";
  const auto subject = [&](const char* name) {
    return subject_of_file(test::catalog(), (folder / name).string());
  };
  const auto model = std::get<RunConfiguration>(subject("wedge.obj"));
  EXPECT_EQ(model.scene, "bump");
  EXPECT_EQ(std::get<double>(model.parameters.at("depth")), 0.9);
  EXPECT_EQ(model.advection, "semi-lagrangian");
  const auto run = std::get<RunConfiguration>(subject("two.toml"));
  EXPECT_EQ(run.integrator, "newmark");
  EXPECT_NE(run.advection, "semi-lagrangian");
  EXPECT_EQ(std::get<Recording>(subject("a.h5")).id, "");
  EXPECT_THROW(subject("notes.txt"), Error);
  std::ofstream(folder / "notes.txt") << "";
  std::filesystem::create_directory(folder / "more");
  EXPECT_EQ(files_to_show((folder / ".").string()),
            (std::vector<std::string>{"more/", "two.toml", "wedge.obj"}));
  EXPECT_TRUE(files_to_show((folder / "missing").string()).empty());
  EXPECT_THROW(subject("missing.toml"), Error);
  EXPECT_THROW(run_of_experiment(test::catalog(), (folder / "two.toml").string(), "3"), Error);
}

/// Whatever the folder in which the session began.
TEST(Files, of_a_session_are_found_from_any_folder) {
  test::TemporaryFolder folder;
  const std::filesystem::path whole = std::filesystem::canonical(folder / ".") / "a wedge.obj";
  std::ofstream(whole) << "v 0 0 0\nv 9 0 0\nv 0 6 0\nv 0 0 5\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  const std::string here = std::filesystem::proximate(whole).string();
  ASSERT_NE(here, whole.string());
  Session session(test::catalog(), std::get<RunConfiguration>(subject_of_file(test::catalog(), here)), {},
                  1.5);
  session.act(
      {0, ThrowInput{.shape = BodyShape::mesh, .size = 1, .file = here, .density = 500, .at = {0, 0, 20}}});
  const RunConfiguration c = configuration(session.recording("session").get());
  EXPECT_EQ(c.mesh, whole.string());
  const std::vector<Input> inputs = parse_inputs(c.inputs);
  ASSERT_EQ(inputs.size(), 1U) << session.message();
  EXPECT_EQ(std::get<ThrowInput>(inputs.front().action).file, whole.string());
}

TEST_F(LiveSession, frames_for_the_picture_that_is_asked_for_and_ends_when_it_is_told) {
  ViewOptions view;
  session_.show(view, 0.5);
  EXPECT_TRUE(comes([&] { return session_.latest()->aspect == 0.5; }));
  session_.pause(false);
  auto text = session_.recording("last");
  EXPECT_TRUE(session_.end(20s));
  EXPECT_NE(text.get().find("state_checksum"), std::string::npos);
  EXPECT_THROW(session_.recording("later").get(), std::future_error);
}

TEST(ViewCamera, sends_rays_through_the_pixels_at_which_it_sees_points) {
  ViewCamera camera({.eye = {1, -5, 2}, .target = {0, 0, 0.3}, .up = {0, 0, 1}, .tan_half_height = 0.4});
  camera.fly(0.3, -0.2, 0.1);
  camera.look(0.2, -0.1);
  for (const Vector3& point : {Vector3(0, 0, 0), Vector3(0.5, 1, -0.4), Vector3(-1, 0.2, 0.7)}) {
    const Eigen::Vector2d pixel = camera.camera().pixel(point, 640, 480);
    const Ray ray = camera.ray(pixel.x(), pixel.y(), 640, 480);
    EXPECT_LT((point - ray.from).cross(ray.along).norm(), 1e-12);
    const Vector3 away = point - ray.from;
    const double depth = away.dot((camera.camera().target - camera.camera().eye).normalized());
    const Eigen::Vector2d moved = camera.camera().pixel(point + camera.shift(3, -2, depth, 480), 640, 480);
    EXPECT_LT((moved - pixel - Eigen::Vector2d(3, -2)).norm(), 1e-9);
  }
}

TEST(ViewCamera, never_stands_on_its_head) {
  ViewCamera camera({.eye = {0, -5, 0}});
  for (int i = 0; i < 100; ++i) camera.look(0.01, 0.2);
  const Vector3 ahead = (camera.camera().target - camera.camera().eye).normalized();
  EXPECT_NEAR(std::asin(ahead.z()), 1.5, 1e-9);
}

/// Around the target at the same distance, which stays in the middle, and its front follows the cursor.
TEST(ViewCamera, orbits_like_a_turntable) {
  const Vector3 center(0.2, 0.3, -0.1), front(0.2, -0.7, -0.1);
  ViewCamera camera({.eye = {0.2, -5, -0.1}, .target = center, .up = {0, 0, 1}});
  const double distance = camera.distance();
  const Eigen::Vector2d before = camera.camera().pixel(front, 640, 480);
  camera.orbit(0.3, 0.2);
  const Eigen::Vector2d after = camera.camera().pixel(front, 640, 480);
  EXPECT_GT(after.x(), before.x() + 20);
  EXPECT_GT(after.y(), before.y() + 20);
  EXPECT_NEAR(camera.distance(), distance, 1e-12);
  EXPECT_LT((camera.camera().pixel(center, 640, 480) - Eigen::Vector2d(320, 240)).norm(), 1e-9);
  const Eigen::Vector2d above = camera.camera().pixel(center + Vector3(0, 0, 0.5), 640, 480);
  EXPECT_NEAR(above.x(), 320, 1e-9) << "up is not up";
  camera.raise_center(50, 480);
  EXPECT_LT((camera.camera().pixel(center, 640, 480) - Eigen::Vector2d(320, 190)).norm(), 1e-9);
  camera.orbit(0.5, -0.3);
  camera.zoom(0.7, 0.1, 100);
  EXPECT_LT((camera.camera().pixel(center, 640, 480) - Eigen::Vector2d(320, 190)).norm(), 1e-9);
  camera.look_at(center);
  for (int i = 0; i < 100; ++i) camera.orbit(0.01, 0.2);
  EXPECT_NEAR(std::asin((camera.camera().eye - center).z() / camera.distance()), 1.5, 1e-9);
}

TEST(ViewCamera, zooms_and_pans_in_proportion_to_the_distance_of_its_target) {
  ViewCamera camera({.eye = {1, -5, 2}, .target = {0, 0, 0.3}, .up = {0, 0, 1}, .tan_half_height = 0.4});
  const double distance = camera.distance();
  camera.zoom(0.5, 0.1, 100);
  EXPECT_NEAR(camera.distance(), 0.5 * distance, 1e-12);
  camera.zoom(1e-9, 0.1, 100);
  EXPECT_NEAR(camera.distance(), 0.1, 1e-12);
  camera.zoom(1e9, 0.1, 100);
  EXPECT_NEAR(camera.distance(), 100, 1e-9);
  const Vector3 target = camera.camera().target;
  camera.pan(30, -20, 480);
  EXPECT_LT((camera.camera().pixel(target, 640, 480) - Eigen::Vector2d(350, 220)).norm(), 1e-8);
  EXPECT_NEAR(camera.distance(), 100, 1e-9);
}

TEST(ViewCamera, aims_without_another_picture) {
  ViewCamera camera({.eye = {1, -5, 2}, .target = {0.8, -4, 1.7}});
  const Eigen::Matrix4d view = camera.camera().view();
  const Vector3 center(0.1, 0.2, 0.3);
  camera.aim_near(center, 0.1);
  EXPECT_LT((camera.camera().view() - view).norm(), 1e-12);
  EXPECT_NEAR((center - camera.camera().target).dot(camera.camera().target - camera.camera().eye), 0, 1e-12);
  camera.aim_near(Vector3(1, -50, 2), 0.1);  // behind the eye
  EXPECT_NEAR(camera.distance(), 0.1, 1e-12);
}

TEST(FirstHit, is_where_a_periodic_mesh_is_drawn) {
  const Surface surface = load_surface("rectangle:8x8:4x4:periodic");
  for (const Vector3& point : {Vector3(0.1, 0.1, 0), Vector3(2.3, 1.7, 0), Vector3(3.9, 3.8, 0)}) {
    const auto hit = first_hit({point + Vector3(0, 0, 2), {0, 0, -1}}, surface.x, surface.mesh.faces,
                               surface.mesh.corner_shift);
    ASSERT_TRUE(hit);
    EXPECT_LT((hit->point - point).norm(), 1e-12);
    Vector3 low = Vector3::Constant(1e9), high = -low;  // of the triangle, as it is drawn
    for (int c = 0; c < 3; ++c) {
      const Vector3 corner =
          surface.x.col(surface.mesh.faces(c, hit->face)) + surface.mesh.corner_shift.col(3 * hit->face + c);
      low = low.cwiseMin(corner);
      high = high.cwiseMax(corner);
    }
    EXPECT_LT((high - low).norm(), 1);
  }
}

TEST(FirstHit, is_the_near_side_of_a_sphere) {
  const PictureMesh sphere = sphere_mesh(1, 64);
  const Ray ray{{0.3, -5, 0.2}, {0, 1, 0}};
  const std::optional<Hit> hit = first_hit(ray, sphere.x, sphere.faces);
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->distance, 5 - std::sqrt(1 - 0.3 * 0.3 - 0.2 * 0.2), 2e-3);
  EXPECT_NEAR(hit->weights.sum(), 1, 1e-14);
  EXPECT_GT(hit->normal.dot(-ray.along), 0.9);
  EXPECT_FALSE(first_hit({{0.3, -5, 1.2}, {0, 1, 0}}, sphere.x, sphere.faces));
  EXPECT_FALSE(first_hit({{0.3, 5, 0.2}, {0, 1, 0}}, sphere.x, sphere.faces));
}

}  // namespace
}  // namespace shoal
