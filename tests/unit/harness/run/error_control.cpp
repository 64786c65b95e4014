// Error control in the program: the energy budget counts accepted substeps only, on moving surfaces too.
#include "experiments/harness/results/results.hpp"
#include "experiments/harness/sweep/execute.hpp"

#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

namespace shoal {
namespace {

class ErrorControlOfRuns : public testing::Test {
 protected:
  /// A sphere that is squashed within steps of 20 ms, about the stable step.
  std::map<std::string, double> end_of(const std::string& scheme, double tolerance) {
    ExecutionOptions options;
    options.output = folder_ / fmt::format("{}-{}.h5", scheme, tolerance);
    options.quiet = true;
    options.command = "a test";
    execute(test::catalog(),
            parse_experiment(fmt::format(R"(
      scene = "bump"
      mesh = "icosphere:2"
      motion = "squash"
      parameters.motion_amplitude = 0.2
      parameters.inertia = "on"
      advection = "vector-invariant"
      integrator = "dormand-prince"
      dt = 0.02
      end = 0.6
      discretization = "{}"
      parameters.error_tolerance = {}
      {})",
                                         scheme, tolerance,
                                         // so that the residual of its projections is round-off, too
                                         scheme == "fefv" ? "parameters.projection_tolerance = 1e-13" : ""),
                             "test.toml"),
            options);
    const Results results(options.output);
    const RecordedRun& run = results.runs().front();
    EXPECT_EQ(run.outcome().outcome, "finished") << run.outcome().reason;
    std::map<std::string, double> end;
    for (const char* name : {"energy_total", "work_geometry", "work_forces", "mass"})
      end[name] = run.diagnostics(name).back() - run.diagnostics(name).front();
    return end;
  }

  test::TemporaryFolder folder_;
};

TEST_F(ErrorControlOfRuns, a_large_tolerance_changes_energy_and_work_by_round_off_only) {
  constexpr double round_off = 1e-11;  // of sums over 30 steps, in another order
  for (const char* scheme : {"fefv", "dec"}) {
    auto with = end_of(scheme, 0.1), without = end_of(scheme, 0);
    for (const auto& [name, value] : without)
      EXPECT_NEAR(with[name], value, round_off * (std::abs(value) + 1)) << scheme << ' ' << name;
  }
}

TEST_F(ErrorControlOfRuns, closes_the_energy_budget_although_substeps_are_rejected) {
  for (const double tolerance : {1e-5, 1e-8}) {  // the first step of 20 ms is rejected
    auto end = end_of("fefv", tolerance);
    const double gap = end["energy_total"] - end["work_geometry"] - end["work_forces"];
    constexpr double closed = 1e-6;  // a rejected substep would add about 1/30 of the work
    EXPECT_LT(std::abs(gap), closed * std::abs(end["work_geometry"])) << tolerance;
  }
}

}  // namespace
}  // namespace shoal
