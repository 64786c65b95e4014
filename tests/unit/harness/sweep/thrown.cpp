// Anything thrown within a run, by any part, becomes the outcome of that run; the others are computed, and the file
// can be resumed.
#include "experiments/harness/results/results.hpp"
#include "experiments/harness/sweep/execute.hpp"
#include "experiments/scenes/common.hpp"

#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace shoal {
namespace {

/// What a part of a run throws.
using Thrower = void (*)();
const std::map<std::string, Thrower> throwers = {
    {"int", [] { throw 42; }},
    {"standard", [] { throw std::out_of_range("an index is too large"); }},
    {"error", [] { throw Error("an input is wrong"); }},
    {"refusal", [] { throw Refusal("a flow that it cannot take"); }},
    {"memory", [] { throw std::bad_alloc(); }},
    {"library", [] { throw MachineError("a library failed"); }}};

struct ThrowsOptions {
  std::string where, what = "int";
  static Options<ThrowsOptions> describe() {
    using O = ThrowsOptions;
    return Options<O>()
        .text("where", "", &O::where, "which part of the run throws")
        .text("what", "", &O::what, "and what");
  }
};

/// Still water in which one part throws, in the middle of the run if it is called that late.
SceneInstance make(const Surface& surface, const Geometry&, const ThrowsOptions& options) {
  const auto raise = [options](const std::string& where, double time) {
    constexpr double middle = 0.25;
    if (where == options.where && time > middle) throwers.at(options.what)();
  };
  raise("make", 1);
  SceneInstance instance = still_water(surface, StillWaterOptions{});
  instance.initial.depth = [raise](const Vector3&) {
    raise("initial", 1);
    return 1.0;
  };
  instance.end = 0.5;
  instance.sample_times = {0.1, 0.2, 0.3, 0.4, 0.5};
  instance.forces = {
      {.add = [raise](double time, const WaterNow&, double, ForceSum&) { raise("forcing", time); }}};
  Reference still{.name = "", .depth = [raise](const Points& points, double time, Vector& depth) {
                    raise("reference", time);
                    depth.setOnes(points.cols());
                  }};
  instance.references = {still};
  if (options.where == "motion")
    instance.motion = [raise, x = surface.x](double time, Points& now) {
      raise("motion", time);
      now = x;
    };
  return instance;
}

class Thrown : public testing::TestWithParam<const char*> {
 protected:
  Thrown() {
    catalog_.scenes.add(describe_scene({.name = "throws",
                                        .summary = "throws",
                                        .source = "a test",
                                        .default_mesh = "icosphere:1",
                                        .default_dt = 0.1},
                                       make));
    options_.output = folder_ / "results.h5";
    options_.quiet = true;
    options_.command = "a test";
  }
  Execution sweep(const std::string& where, const std::string& what) {
    return execute(catalog_,
                   parse_experiment("scene = 'throws'\nparameters.what = '" + what +
                                        "'\nparameters.where = ['none', '" + where + "', 'nothing']",
                                    "thrown.toml"),
                   options_);
  }

  Catalog catalog_ = builtin();
  test::TemporaryFolder folder_;
  ExecutionOptions options_;
};

TEST_P(Thrown, is_the_outcome_of_its_run_alone) {
  const std::string where = GetParam();
  for (const std::string what : {"int", "standard", "error", "refusal"}) {
    // A mistake found when a run is set up is the user's, before anything is computed.
    if ((where == "make" || where == "initial") && what == "error") continue;
    options_.fresh = true;
    const Execution first = sweep(where, what);
    options_.fresh = false;
    const Execution again = sweep(where, what);
    for (const Execution& execution : {first, again}) {
      ASSERT_EQ(execution.outcomes.size(), 3U) << where << what;
      EXPECT_EQ(execution.outcomes[0].outcome, "finished") << where << what << execution.outcomes[0].reason;
      EXPECT_EQ(execution.outcomes[2].outcome, "finished") << where << what << execution.outcomes[2].reason;
      const Outcome& thrown = execution.outcomes[1];
      const bool at_once = where == "make" || where == "initial";
      EXPECT_EQ(thrown.outcome, at_once && what == "refusal" ? "refused" : "solver-failed") << where << what;
      EXPECT_FALSE(thrown.reason.empty()) << where << what;
      EXPECT_EQ(thrown.steps > 0, !at_once) << where << what << thrown.t_reached;
      if (what != "int") {
        const std::map<std::string, const char*> said = {{"standard", "an index is too large"},
                                                         {"error", "an input is wrong"},
                                                         {"refusal", "a flow that it cannot take"}};
        EXPECT_NE(thrown.reason.find(said.at(what)), std::string::npos) << thrown.reason;
      }
    }
    const Results results(options_.output);
    if (results.runs()[1].group().has("diagnostics")) {
      const std::vector<double> time = results.runs()[1].diagnostics("time");
      EXPECT_TRUE(time.empty() || time.back() <= first.outcomes[1].t_reached + 1e-12);
      const hdf5::Group snapshots = results.runs()[1].group().open_group("snapshots");
      for (const std::string& name : snapshots.names())
        EXPECT_EQ(snapshots.open_dataset(name).rows(), snapshots.open_dataset("time").rows()) << name;
    }
  }
}

TEST_P(Thrown, for_want_of_memory_leaves_the_run_to_be_computed_again) {
  const std::string where = GetParam();
  for (const std::string what : {"memory", "library"}) {
    if (what == "library" && where != "forcing" && where != "motion") continue;  // of a step
    options_.fresh = true;
    EXPECT_THROW(sweep(where, what), MachineError) << where << what;
    const Results results(options_.output);
    ASSERT_EQ(results.runs().size(), 3U) << where << what;
    EXPECT_EQ(results.runs()[0].outcome().outcome, "finished");
    EXPECT_EQ(results.runs()[1].outcome().outcome, "interrupted") << results.runs()[1].outcome().reason;
    EXPECT_EQ(results.runs()[2].outcome().outcome, "finished");
  }
}

INSTANTIATE_TEST_SUITE_P(Sweep, Thrown, testing::Values("make", "initial", "forcing", "reference", "motion"),
                         [](const auto& instance) { return instance.param; });

TEST(SweepOfThrown, a_run_that_is_refused_on_its_way_ends_alone) {
  const test::TemporaryFolder folder;
  ExecutionOptions options;
  options.output = folder / "results.h5";
  options.quiet = true;
  options.command = "a test";
  // `newmark` and similar integrators support sources only if they conserve mass: the ball enters at 0.3 s.
  const Experiment experiment = parse_experiment(
      "scene = 'ball-drop'\nmesh = 'random-sphere:1'\ndt = 0.0273\nend = 0.5\ndiscretization = 'dec'\n"
      "integrator = ['explicit', 'implicit-euler-velocity', 'newmark']",
      "refused.toml");
  for (int start = 0; start < 2; ++start) {
    const Execution execution = execute(test::catalog(), experiment, options);
    ASSERT_EQ(execution.outcomes.size(), 3U);
    for (const Outcome& outcome : execution.outcomes) {
      EXPECT_NE(outcome.outcome, "interrupted") << outcome.reason;
      EXPECT_EQ(outcome.outcome == "finished", outcome.reason.empty() || outcome.steps == 19)
          << outcome.reason;
    }
  }
}

TEST(SweepOfThrown, a_mesh_that_is_one_cell_is_refused_and_costs_no_other_run) {
  const test::TemporaryFolder folder;
  std::ofstream(folder / "tri.obj") << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  ExecutionOptions options;
  options.output = folder / "results.h5";
  options.quiet = true;
  options.command = "a test";
  const Execution execution =
      execute(test::catalog(),
              parse_experiment("scene = 'rest'\nmesh = ['icosphere:1', 'rectangle:1x1:structured', '" +
                                   (folder / "tri.obj").string() +
                                   "']\ndt = 0.01\nend = 0.05\ndiscretization = ['fefv', 'dec']",
                               "cells.toml"),
              options);
  ASSERT_EQ(execution.outcomes.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i) {
    const bool one_cell = i == 3 || i == 5;
    EXPECT_EQ(execution.outcomes[i].outcome, one_cell ? "refused" : "finished")
        << i << execution.outcomes[i].reason;
    if (one_cell) {
      EXPECT_NE(execution.outcomes[i].reason.find("water cannot flow across any edge"), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace shoal
