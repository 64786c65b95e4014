// The stability limit: bisection on a known threshold, and theory on a small mesh.
#include "experiments/harness/spectrum/frontier.hpp"

#include "experiments/harness/results/results.hpp"
#include "experiments/harness/spectrum/spectrum.hpp"

#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

Bracket bracket_of(double threshold, double start, const FrontierRule& rule = {}) {
  return find_frontier(start, rule, [threshold](double dt) { return Probe{dt, dt <= threshold, 0, 0}; });
}

TEST(Bisection, BracketsAKnownThresholdFromEitherSide) {
  for (const double start : {1e-3, 0.04, 0.05, 0.7, 30.0}) {
    const Bracket found = bracket_of(0.05, start);
    EXPECT_LE(found.stable, 0.05) << start;
    EXPECT_GT(found.unstable, 0.05) << start;
    EXPECT_LE(found.unstable / found.stable, 1.01) << start;
    EXPECT_LE(found.probes.size(), 22u) << start;
  }
}

TEST(Bisection, EndsWhereNothingIsUnstable) {
  const Bracket found = bracket_of(1e9, 0.5);
  EXPECT_EQ(found.stable, 64);  // 128 times the start
  EXPECT_TRUE(std::isinf(found.unstable));
  EXPECT_EQ(found.probes.size(), 4u);
}

TEST(Bisection, EndsWhereNothingIsStable) {
  const Bracket found = bracket_of(0, 1);
  EXPECT_EQ(found.stable, 0);
  EXPECT_LE(found.unstable, 1.0 / 1024);
}

const std::string small = R"(
  scene = "bump"
  mesh = "icosphere:1"
  discretization = ["fefv", "dec", "kinetic"]
  integrator = ["explicit", "newmark"]
  parameters.amplitude = 1e-3)";

class Frontier : public testing::Test {
 protected:
  Frontier() {
    options_.output = folder_ / "frontier.h5";
    options_.quiet = true;
    options_.command = "a test";
  }
  void map(const std::string& text = small) {
    map_frontier(test::catalog(), parse_experiment(text, "small.toml"), options_);
  }

  test::TemporaryFolder folder_;
  FrontierOptions options_;
};

TEST_F(Frontier, OfTheExplicitStepIsTwoOverTheHighestFrequency) {
  map();
  const Results results(options_.output);
  const hdf5::Group all = results.root().open_group("frontier");
  ASSERT_EQ(all.names().size(), 6u);
  for (const std::string id : {"0001", "0003"}) {
    const hdf5::Group one = all.open_group(id);
    EXPECT_EQ(one.text("outcome"), "found");
    const double theory =
        2 * static_cast<double>(one.integer("substeps")) / one.number("highest_angular_frequency");
    EXPECT_NEAR(one.number("dt_stable") / theory, 1, 0.05) << one.text("discretization");
    EXPECT_LE(one.number("dt_unstable") / one.number("dt_stable"), 1.01);
    EXPECT_EQ(one.open_group("probes").open_dataset("dt").extent(),
              one.open_group("probes").open_dataset("stable").extent());
  }
  EXPECT_EQ(all.open_group("0002").text("outcome"), "unbounded");
  EXPECT_NEAR(all.open_group("0002").number("dt_stable") / all.open_group("0002").number("dt_theory"), 128,
              1e-9);
  EXPECT_EQ(all.open_group("0006").text("outcome"), "refused");
  EXPECT_EQ(frontier_grid(results.root(), TableFormat::text).rows.size(), 6u);
}

TEST_F(Frontier, SaysHowFarTheEnergyGrewInTheLargestStableStep) {
  map();
  const Results results(options_.output);
  const hdf5::Group all = results.root().open_group("frontier");
  for (const std::string id : {"0001", "0002", "0003"}) {
    EXPECT_GE(all.open_group(id).number("max_energy_ratio"), 1) << id;
    EXPECT_LE(all.open_group(id).number("max_energy_ratio"), 10) << id;
  }
  EXPECT_NEAR(all.open_group("0002").number("max_energy_ratio"), 1, 1e-9);  // newmark conserves it
  const TextTable grid = frontier_grid(results.root(), TableFormat::text);
  EXPECT_TRUE(std::any_of(grid.headings.begin(), grid.headings.end(),
                          [](const auto& heading) { return heading.name == "max_energy_ratio"; }));
}

TEST_F(Frontier, OfTheKineticSchemeIsThatOfItsEigenvalues) {
  map("scene = 'bump'\nmesh = 'icosphere:1'\ndiscretization = 'kinetic'\nsubsteps = 1\nparameters.amplitude "
      "= 1e-3");
  SpectrumRequest request;
  request.configuration =
      expand(
          test::catalog(),
          parse_experiment("scene = 'rest'\nmesh = 'icosphere:1'\ndiscretization = 'kinetic'", "rest.toml"))
          .front()
          .configuration;
  const double limit = compute_spectrum(test::catalog(), request).forward_euler_limit;
  const Results results(options_.output);
  EXPECT_NEAR(results.runs().front().group().number("dt_stable") / limit, 1, 0.05);
  EXPECT_GT(limit, 2 * results.runs().front().group().number("dt_theory"));
}

TEST_F(Frontier, StartedAgainFillsInWhatIsMissingOnly) {
  options_.rule.steps = 20;
  map();
  const auto stable = [&](const std::string& id) {
    return Results(options_.output).root().open_group("frontier").open_group(id).number("dt_stable");
  };
  const double second = stable("0002");
  {
    hdf5::File file(options_.output, hdf5::Access::update);
    hdf5::Group all = file.root().open_group("frontier");
    all.open_group("0001").set("dt_stable", 42.0);
    all.remove("0002");
    file.close();
  }
  map();
  EXPECT_EQ(stable("0001"), 42);
  EXPECT_EQ(stable("0002"), second);
}

TEST_F(Frontier, OfAnotherRuleIsNotMixedIn) {
  options_.rule.steps = 20;
  map();
  options_.rule.steps = 30;
  EXPECT_THROW(map(), Error);
  options_.fresh = true;
  EXPECT_NO_THROW(map());
}

TEST_F(Frontier, TakesNoTimeStepFromTheExperiment) {
  for (const char* key : {"dt = 0.1", "end = 3", "diagnostics = 'every:5'"})
    EXPECT_THROW(map(small + "\n" + key), Error) << key;
  EXPECT_FALSE(std::filesystem::exists(options_.output));
}

}  // namespace
}  // namespace shoal
