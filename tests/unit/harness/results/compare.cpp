// Errors against a reference run: zero for the run itself, those of the exact solution for a fine one, and refusals with their reasons.
#include "experiments/harness/results/compare.hpp"

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/sweep/execute.hpp"

#include "tests/support/catalog.hpp"
#include "tests/support/message.hpp"
#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

class Compare : public testing::Test {
 protected:
  std::filesystem::path compute(const std::string& name, const std::string& text) {
    ExecutionOptions options;
    options.output = folder_ / (name + ".h5");
    options.quiet = true;
    options.command = "a test";
    execute(test::catalog(), parse_experiment(text, "test.toml"), options);
    return options.output;
  }
  static ReferenceErrors errors(const std::filesystem::path& mine, const std::filesystem::path& theirs,
                                const ReferenceChoice& choice = {}) {
    const Results a(mine), b(theirs);
    require_readable(a);
    return errors_against(test::catalog(), a, b, choice);
  }
  /// The l2 error of a field in the last row that has it.
  static double last(const ReferenceErrors& errors, const std::string& field) {
    double value = std::nan("");
    for (const std::vector<Cell>& row : errors.table.rows)
      if (row[6] == Cell(field))
        value = std::holds_alternative<double>(row[8]) ? std::get<double>(row[8]) : std::nan("");
    return value;
  }

  test::TemporaryFolder folder_;
};

const std::string mode = R"(
  scene = "sphere-mode"
  advection = "none"
  dt = "auto"
  integrator = "ssprk3"
  snapshots = "0.3,0.5"
  end = 0.5
)";

TEST_F(Compare, a_file_with_itself_has_no_error) {
  const auto file = compute("a", mode + R"(
    discretization = ["fefv", "dec"]
    mesh = "icosphere:2")");
  for (const char* run : {"0001", "0002"}) {
    const ReferenceErrors found = errors(file, file, {run, run});
    EXPECT_TRUE(found.notes.empty());
    ASSERT_EQ(found.table.rows.size(), 9U);  // 0, 0.3 and 0.5 s; depth, elevation and velocity
    for (const std::vector<Cell>& row : found.table.rows)
      for (std::size_t i = 7; i < 10; ++i)
        if (std::get<double>(row[5]) > 0 || row[6] != Cell("velocity")) {  // it starts at rest
          EXPECT_EQ(row[i], Cell(0.0)) << std::get<std::string>(row[6]);
        }
  }
}

TEST_F(Compare, the_error_against_a_fine_run_is_that_against_the_exact_solution) {
  struct Case {
    const char *scheme, *advection, *level, *finer;
  };
  for (const auto& [scheme, advection, level, finer] :
       {Case{"fefv", "advection = 'vector-invariant'", "3", "5"}, Case{"hllc", "", "2", "4"}}) {
    const auto run = [&](const std::string& name, const char* mesh) {
      return compute(name, fmt::format(R"(
        scene = "williamson-2"
        integrator = "ssprk3"
        dt = "auto"
        end = 5400
        snapshots = "5400"
        discretization = "{}"
        {}
        mesh = "icosphere:{}")",
                                       scheme, advection, mesh));
    };
    const auto coarse = run(std::string(scheme) + "-coarse", level),
               fine = run(std::string(scheme) + "-fine", finer);
    const ReferenceErrors found = errors(coarse, fine);
    const Results results(coarse), fine_results(fine);
    const auto recorded = [](const Results& of, const std::string& error) {
      return of.runs().front().diagnostics(error).back();
    };
    constexpr double other_points = 1.3;  // the error of the fine run counts at the points of the coarse one
    for (const auto& [field, error] :
         {std::pair("depth", "l2_error"), std::pair("velocity", "l2_error_velocity")}) {
      const double exact = recorded(results, error), of_fine = recorded(fine_results, error);
      EXPECT_LE(std::abs(last(found, field) - exact), other_points * of_fine) << scheme << ' ' << field;
      EXPECT_LE(of_fine, 0.3 * exact);
    }
  }
}

TEST_F(Compare, other_parameters_are_noted_and_runs_of_another_scene_are_refused_or_left_out) {
  const auto mine = compute("mine", R"(
    scene = ["bump", "sphere-bump"]
    mesh = ["icosphere:1", "icosphere:2"]
    end = 0.1
    snapshots = "0.1"
    dt = 0.05)");
  const auto theirs = compute("theirs", R"(
    scene = "sphere-bump"
    mesh = "icosphere:1"
    end = 0.1
    snapshots = "0.1"
    dt = 0.05
    parameters.amplitude = 0.05)");
  EXPECT_EQ(test::message_of([&] {
              errors(mine, theirs, {"0001", ""});
            }),
            "run 0001: scene 'bump', but the reference is of 'sphere-bump'");
  const ReferenceErrors found = errors(mine, theirs);
  ASSERT_EQ(found.notes.size(), 2U);
  EXPECT_EQ(found.notes[0],
            "runs 0003, 0004: different from the reference run 0001 in amplitude (0.1 | 0.05)");
  EXPECT_EQ(found.notes[1], "left out runs 0001, 0002: scene 'bump', but the reference is of 'sphere-bump'");
  EXPECT_EQ(test::message_of([&] {
              errors(mine, theirs, {"0007", ""});
            }),
            "--run: the first file contains no run '0007'");
}

TEST_F(Compare, runs_without_a_common_time_and_other_surfaces_are_refused) {
  const std::string bump = "scene = 'bump'\ndt = 0.05\nend = 0.2\n";
  const auto mine = compute("mine", bump + "mesh = 'icosphere:2'\nsnapshots = '0.1,0.2'");
  const auto other = compute("other", bump + "mesh = 'torus:16x12'\nsnapshots = '0.1'");
  const auto later =
      compute("later", "scene = 'bump'\ndt = 0.05\nend = 0.15\nmesh = 'icosphere:2'\nsnapshots = '0.05'");
  EXPECT_EQ(test::message_of([&] { errors(mine, later); }),
            "run 0001: no snapshot time after the start in common with the reference run 0001: 0, 0.1, "
            "0.2 s; there 0, 0.05, 0.15 s");
  EXPECT_NE(
      test::message_of([&] { errors(mine, other); }).find("are different surfaces: a vertex of one is "),
      std::string::npos);
}

TEST_F(Compare, times_that_do_not_rise_are_refused) {
  const auto file = compute("sound", mode + R"(
    discretization = "dec"
    mesh = "icosphere:1")");
  const auto damaged = folder_ / "damaged.h5";
  for (const double time : {std::nan(""), 0.5, 0.2}) {
    std::filesystem::copy_file(file, damaged, std::filesystem::copy_options::overwrite_existing);
    hdf5::File results(damaged, hdf5::Access::update);
    hdf5::Group snapshots = results.root().open_group("runs/0001/snapshots");
    snapshots.remove("time");
    snapshots.write("time", {3}, std::vector<double>{0, 0.5, time});
    results.close();
    const std::string message = test::message_of([&] { errors(file, damaged); });
    EXPECT_NE(message.find(fmt::format("/time: {} s at place 2", time)), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace shoal
