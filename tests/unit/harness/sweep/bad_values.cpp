// A field that becomes NaN ends its run, and no other, with a reason that names the field.
#include "experiments/harness/sweep/execute.hpp"

#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/table.hpp"

#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

const std::string scene = "scene = 'custom'\nmesh = 'icosphere:1'\ndt = 0.01\nend = 0.2\n";

TEST(BadValues, end_the_run_name_the_input_and_let_the_sweep_go_on) {
  const std::vector<std::pair<std::string, std::string>> inputs = {
      {"rain", "parameters.rain = ['sqrt(0.105-t)', '0.01']"},
      {"rain", "parameters.rain = ['0.01/max(0,0.105-t)', '0.01']"},
      {"rain_velocity",
       "parameters.rain = '0.01'\nparameters.rain_velocity = ['sqrt(0.105-t),0,0', '1,0,0']"},
      {"body_acceleration", "parameters.body_acceleration = ['sqrt(0.105-t),0,0', '0.01,0,0']"},
      {"normal_acceleration", "parameters.normal_acceleration = ['-9.81-sqrt(0.105-t)', '-9.81']"}};
  for (const auto& [name, text] : inputs)
    for (const std::string steps :
         {"integrator = 'explicit'", "integrator = 'ssprk3'\nmotion = 'breathing'"}) {
      SCOPED_TRACE(text + "\n" + steps);
      const test::TemporaryFolder folder;
      ExecutionOptions options;
      options.output = folder / "results.h5";
      options.quiet = true;
      options.command = "a test";
      const auto run = [&] {
        return execute(test::catalog(), parse_experiment(scene + text + "\n" + steps, "bad.toml"), options);
      };
      for (int again = 0; again < 2; ++again) {  // the second time all is there
        const Execution execution = run();
        const Results results(options.output);
        ASSERT_EQ(results.runs().size(), 2u);
        const Outcome outcome = results.runs()[0].outcome();
        EXPECT_EQ(outcome.outcome, "solver-failed");
        EXPECT_NE(outcome.reason.find("'" + name + "'"), std::string::npos) << outcome.reason;
        EXPECT_GE(outcome.steps, 9);
        EXPECT_LE(outcome.steps, 11);
        EXPECT_GE(results.runs()[0].diagnostics("time").size(), 9u);
        EXPECT_EQ(results.runs()[1].outcome().outcome, "finished") << results.runs()[1].outcome().reason;
      }
    }
}

// Rain that falls between the points of dec's cells is none.
TEST(BadValues, rain_whose_part_reaches_no_cell_is_no_mistake) {
  const test::TemporaryFolder folder;
  ExecutionOptions options;
  options.output = folder / "results.h5";
  options.quiet = true;
  options.command = "a test";
  const Execution execution = execute(
      test::catalog(),
      parse_experiment("scene = 'custom'\nmesh = 'icosphere:2'\ndiscretization = ['fefv', 'dec', 'hllc']\n"
                       "integrator = 'explicit'\ndt = 0.0025\nend = 0.5\n"
                       "parameters.rain = '0.3*(1+x*sin(3*t))-0.2*y'",
                       "rain.toml"),
      options);
  for (const Outcome& outcome : execution.outcomes) EXPECT_EQ(outcome.outcome, "finished") << outcome.reason;
}

TEST(BadValues, at_the_start_are_a_mistake) {
  const test::TemporaryFolder folder;
  ExecutionOptions options;
  options.output = folder / "results.h5";
  options.quiet = true;
  EXPECT_THROW(execute(test::catalog(),
                       parse_experiment(scene + "parameters.rain = 'sqrt(-1-t)'", "bad.toml"), options),
               Error);
}

}  // namespace
}  // namespace shoal
