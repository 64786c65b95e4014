// A dry run against the run itself.
#include "experiments/harness/sweep/dry_run.hpp"

#include "experiments/harness/results/results.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace shoal {
namespace {

namespace fs = std::filesystem;

constexpr double steps_error = 0.15, disk_error = 0.05;  // the requirements

class DryRuns : public testing::Test {
 protected:
  DryRuns() {
    options_.output = folder_ / "results.h5";
    options_.quiet = true;
  }
  /// Measures a few steps only, so that no run ends meanwhile.
  DryRun plan(const std::string& text) {
    return dry_run(test::catalog(), parse_experiment(text, "a.toml"), options_, {.steps = 8});
  }
  void run(const std::string& text) { execute(test::catalog(), parse_experiment(text, "a.toml"), options_); }

  test::TemporaryFolder folder_;
  ExecutionOptions options_;
};

TEST_F(DryRuns, predict_steps_and_disk_space_and_print_time_and_memory) {
  for (const char* text :
       {"scene = 'sphere-bump'\nmesh = 'icosphere:2'\nend = 1\ndt = '1/60'\n",
        "scene = 'sphere-bump'\nmesh = 'icosphere:3'\nend = 1\nintegrator = 'newmark'\nsnapshots = "
        "'every:0.02'\n",
        "scene = 'pulsating-ellipsoid'\nmesh = 'icosphere:2'\nintegrator = 'ssprk3'\ndt = 'auto'\n"
        "diagnostics = 'every:3'\n"}) {
    options_.single = true;
    options_.fresh = true;
    const DryRun planned = plan(text);
    run(text);
    const Results results(options_.output);
    const auto steps = static_cast<double>(results.runs().front().outcome().steps);
    const RunForecast& forecast = planned.runs.front().forecast.value();
    if (forecast.chooses_steps > 0)
      EXPECT_NEAR(forecast.steps / steps, 1, steps_error) << text;
    else
      EXPECT_EQ(forecast.steps, steps) << text;
    EXPECT_NEAR(planned.disk / static_cast<double>(fs::file_size(options_.output)), 1, disk_error) << text;
    EXPECT_GT(planned.seconds, 0) << text;
    EXPECT_GT(forecast.memory, 0) << text;
    EXPECT_NE(to_text(planned).find("1 of 1 runs to compute: "), std::string::npos) << to_text(planned);
  }
}

TEST_F(DryRuns, of_a_sweep_add_up_to_its_file_and_write_nothing) {
  const std::string text =
      "scene = 'sphere-bump'\nmesh = 'icosphere:1,2'\nend = 1\nsnapshots = '0,0.5'\n"
      "discretization = ['fefv', 'kinetic']\nintegrator = ['explicit', 'newmark']\n";
  options_.jobs = 2;
  const DryRun planned = plan(text);
  EXPECT_TRUE(fs::is_empty(folder_ / ""));
  ASSERT_EQ(planned.runs.size(), 8U);
  run(text);
  EXPECT_NEAR(planned.disk / static_cast<double>(fs::file_size(options_.output)), 1, disk_error);
  EXPECT_EQ(planned.runs[3].work.outcome.value().outcome, "refused");
  EXPECT_NE(to_text(planned).find("0004 refused: "), std::string::npos) << to_text(planned);

  const DryRun again = plan(text);
  EXPECT_NE(to_text(again).find("0 of 8 runs to compute, 8 already computed"), std::string::npos)
      << to_text(again);
  EXPECT_EQ(again.disk, 0);
}

TEST_F(DryRuns, measure_runs_of_equal_parts_and_meshes_once_if_there_are_many) {
  const std::string text =
      "scene = 'sphere-bump'\nmesh = 'icosphere:1'\nend = 1\ndt = 'geometric:1/60:1/15:4'\n";
  const DryRun planned =
      dry_run(test::catalog(), parse_experiment(text, "a.toml"), options_, {.steps = 8, .runs = 3});
  for (const DryRun::Run& run : planned.runs) {
    EXPECT_EQ(run.measured, &run == &planned.runs.front());
    EXPECT_EQ(run.forecast.value().steps, run.work.steps);
  }
  run(text);
  EXPECT_NEAR(planned.disk / static_cast<double>(fs::file_size(options_.output)), 1, disk_error);
}

}  // namespace
}  // namespace shoal
