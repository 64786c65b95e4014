// A run that is stopped and resumed from its checkpoint gives the same file, to the last bit, as an uninterrupted
// one.
#include "experiments/harness/run/saved_run.hpp"

#include "experiments/harness/results/diff.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/run/compute.hpp"
#include "experiments/harness/system/stop_signals.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <fstream>

namespace shoal {
namespace {

struct Case {
  const char* name;
  const char* text;
  std::int64_t stop_after;  ///< steps
};

std::ostream& operator<<(std::ostream& stream, const Case& one) {
  return stream << one.name;
}

class SavedRun : public testing::TestWithParam<Case> {
 protected:
  SavedRun()
      : experiment_(parse_experiment(GetParam().text, "saved.toml")),
        configuration_(expand(test::catalog(), experiment_).at(0).configuration),
        surface_(load_surface(test::catalog(), configuration_)) {}

  /// Stopped after that step, as by Ctrl-C; 0: not at all. Which step was its first.
  std::int64_t run(const std::filesystem::path& output, const SavePlan& saves, std::int64_t stop_after) {
    const StopSignals signals;
    hdf5::File file = create_results(test::catalog(), output, experiment_, "a test");
    record_mesh(file.root().open_group("meshes"), surface_);
    std::int64_t first = 0;
    RunHooks hooks;
    hooks.stepped = [&](const auto& now) {
      if (first == 0) first = now.steps_done();
      if (now.steps_done() == stop_after) std::raise(SIGINT);
    };
    outcome_ = compute(test::catalog(), file, "0001", configuration_, surface_, hooks, saves);
    file.close();
    return first;
  }

  SavePlan saves(const std::string& identity = "this") const {
    return {.file = save_path(cut_, "0001"),
            .previous = previous_results_path(cut_, "0001"),
            .identity = identity,
            .interval = 1e9};
  }

  void put_cut_run_aside() { EXPECT_TRUE(keep_partial(hdf5::File(cut_, hdf5::Access::read), "0001")); }

  void expect_equal_to(const std::filesystem::path& other) {
    const DiffReport report = diff(Results(other), Results(cut_), {});
    EXPECT_TRUE(report.equal) << report.text;
    EXPECT_EQ(Results(cut_).runs().front().timing("total").size(),
              Results(other).runs().front().timing("total").size());
  }

  test::TemporaryFolder folder_;
  std::filesystem::path cut_ = folder_ / "cut.h5", whole_ = folder_ / "whole.h5";
  const WorkFolder work_{cut_};
  Experiment experiment_;
  RunConfiguration configuration_;
  Surface surface_;
  Outcome outcome_;
};

TEST_P(SavedRun, goes_on_to_the_same_bits) {
  run(whole_, {}, 0);
  EXPECT_EQ(outcome_.outcome, "finished") << outcome_.reason;
  run(cut_, saves(), GetParam().stop_after);
  ASSERT_EQ(outcome_.outcome, "interrupted");
  put_cut_run_aside();
  EXPECT_EQ(run(cut_, saves(), 0), GetParam().stop_after + 2);  // the signal takes effect after one more
  EXPECT_EQ(outcome_.outcome, "finished") << outcome_.reason;
  expect_equal_to(whole_);
}

const Case cases[] = {
    {"explicit_with_solution_and_rare_rows", R"(
       scene = "sphere-bump"
       mesh = "icosphere:2"
       dt = 0.02
       end = 0.6
       diagnostics = "every:7"
       snapshots = "0.1,0.3"
     )",
     11},
    {"newmark_on_a_moving_surface", R"(
       scene = "bump"
       mesh = "icosphere:2"
       motion = "squash"
       integrator = "newmark"
       linear_solver = "lagged-cholesky"
       dt = 0.02
       end = 0.5
       snapshots = "every:0.1"
       diagnostics = "every:3"
       parameters.rayleigh = 2
     )",
     12},
    {"kinetic_on_a_moving_surface", R"(
       scene = "bump"
       mesh = "icosphere:2"
       discretization = "kinetic"
       integrator = "ssprk3"
       motion = "twist"
       dt = "auto"
       end = 0.3
     )",
     7},
    {"steps_that_allow_for_a_surface_that_turns_within_them", R"(
       scene = "custom"
       mesh = "icosphere:2"
       discretization = "dec"
       integrator = "ssprk3"
       advection = "vector-invariant"
       motion = "shake"
       dt = "auto"
       end = 0.1
       parameters.depth = 0.2
       parameters.motion_period = 0.1
       parameters.motion_amplitude = 0.2
     )",
     9},
    {"a_dam_break_in_steps_that_follow_it", R"(
       scene = "dam-wet"
       mesh = "rectangle:40x4:20x2"
       discretization = "roe"
       integrator = "ssprk2"
       dt = "auto"
       end = 1
       parameters.depth_left = 2
       parameters.depth_right = 0.1
       snapshots = "0.1,0.33"
       diagnostics = "every:5"
       inputs = """
         0.2 source at=5,1,0 radius=1 discharge=0.5 lasting=0.2
         0.3 change discretization=hllc
       """
     )",
     25},
    {"velocities_that_are_known", R"(
       scene = "williamson-2"
       mesh = "icosphere:2"
       discretization = "dec"
       integrator = "ssprk3"
       advection = "vector-invariant"
       dt = 600
       end = 12000
     )",
     9},
    {"implicit_with_conjugate_gradients", R"(
       scene = "bump"
       mesh = "icosphere:2"
       integrator = "semi-implicit"
       linear_solver = "eigen-cg"
       advection = "semi-lagrangian"
       dt = 0.05
       end = 1
       diagnostics = "every:4"
     )",
     10},
    {"bodies", R"(
       scene = "ball-drop"
       mesh = "icosphere:2"
       dt = "1/120"
       end = 0.6
     )",
     40},
    {"dry_land_that_is_filled", R"(
       scene = "fill-figure"
       mesh = "figure:300"
       dt = 0.02
       end = 2
       diagnostics = "every:10"
     )",
     45},
    {"forces_that_come_and_go", R"(
       scene = "bump"
       mesh = "icosphere:2"
       dt = 0.02
       end = 1
       parameters.push = 0.5
       parameters.push_time = 0.5
       parameters.push_duration = 0.3
     )",
     26},
    {"whatever_is_done_to_it", R"(
       scene = "sphere-bump"
       mesh = "icosphere:2"
       advection = "semi-lagrangian"
       dt = 0.02
       end = 1.2
       inputs = """
         0.05 throw size=0.5 at=0,0,1.6 velocity=0,0,-2
         0.1 source at=0,0,1 radius=0.3 discharge=0.1 lasting=0.6
         0.2 push at=1,0,0 acceleration=0,3,0 width=0.5 lasting=0.5
         0.3 drag to=0.2,0,0
         0.4 change integrator=newmark advection=none
         0.42 remove push=1
         0.45 source at=0,1,0 radius=0.3 discharge=0.05
         0.45 source at=0,-1,0 radius=0.3 discharge=-0.05
         0.5 change discretization=kinetic integrator=ssprk2
         0.55 remove source=2
         0.8 remove source=3
         0.9 throw size=0.4 at=1.6,0,0 velocity=-2,0,0
         1.0 change discretization=fefv integrator=explicit advection=none
       """
     )",
     31},
    {"a_character_that_walks", R"(
       scene = "character"
       mesh = "figure:300"
       substeps = "auto"
       end = 0.8
       inputs = """
         0.1 clip_speed speed=0.5 delay=0.2
         0.6 clip_speed speed=2 delay=0.1
       """
     )",
     24},
};

INSTANTIATE_TEST_SUITE_P(Of, SavedRun, testing::ValuesIn(cases),
                         [](const auto& one) { return std::string(one.param.name); });

class SavedFile : public SavedRun {};

TEST_P(SavedFile, of_another_identity_or_damaged_or_without_its_rows_is_not_gone_on_with) {
  run(whole_, {}, 0);
  run(cut_, saves(), GetParam().stop_after);
  put_cut_run_aside();
  EXPECT_EQ(run(cut_, saves("another"), 0), 1);
  expect_equal_to(whole_);

  run(cut_, saves(), GetParam().stop_after);
  put_cut_run_aside();
  {
    std::fstream file(saves().file, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(300);
    file.put('?');
  }
  EXPECT_EQ(run(cut_, saves(), 0), 1);
  expect_equal_to(whole_);

  run(cut_, saves(), GetParam().stop_after);
  std::filesystem::remove(saves().previous);
  EXPECT_EQ(run(cut_, saves(), 0), 1);
  expect_equal_to(whole_);

  run(folder_ / "short.h5", {}, 3);  // has fewer rows than were saved
  run(cut_, saves(), GetParam().stop_after);
  std::filesystem::copy_file(folder_ / "short.h5", saves().previous);
  EXPECT_EQ(run(cut_, saves(), 0), 1);
  expect_equal_to(whole_);
}

INSTANTIATE_TEST_SUITE_P(Of, SavedFile, testing::Values(cases[0]),
                         [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace shoal
