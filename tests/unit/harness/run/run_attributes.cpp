// Attributes of a run that its setup determines.
#include "experiments/harness/results/results.hpp"
#include "experiments/harness/sweep/execute.hpp"

#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <map>

namespace shoal {
namespace {

TEST(RunAttributes, count_the_unknowns_of_depth_and_velocity) {
  const test::TemporaryFolder folder;
  ExecutionOptions options;
  options.output = folder / "runs.h5";
  options.quiet = true;
  options.command = "a test";
  execute(test::catalog(),
          parse_experiment(R"(
    scene = "bump"
    mesh = "icosphere:1"
    end = 0.02
    dt = 0.01
    discretization = ["fefv", "dec", "hllc"]
    integrator = ["ssprk3", "newmark"])",
                           "test.toml"),
          options);
  constexpr std::int64_t vertices = 42, edges = 120, faces = 80;
  const std::map<std::pair<std::string, std::string>, std::int64_t> expected = {
      {{"fefv", "ssprk3"}, vertices + 2 * faces},
      {{"fefv", "newmark"}, 2 * vertices},  // η and η_t
      {{"dec", "ssprk3"}, faces + edges},
      {{"dec", "newmark"}, 2 * faces},
      {{"hllc", "ssprk3"}, 3 * faces}};
  std::size_t counted = 0;
  const Results results(options.output);
  for (const RecordedRun& run : results.runs()) {
    const hdf5::Group& group = run.group();
    const auto found = expected.find({group.text("discretization"), group.text("integrator")});
    if (found == expected.end()) continue;  // refused
    EXPECT_EQ(group.integer("unknowns"), found->second) << found->first.first << ' ' << found->first.second;
    ++counted;
  }
  EXPECT_EQ(counted, expected.size());
}

}  // namespace
}  // namespace shoal
