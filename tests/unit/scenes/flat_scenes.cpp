// The canonical scenes on flat beds or bumps: what the schemes must reach on them.
#include "tests/support/watched_run.hpp"

#include <string>
#include <vector>

namespace shoal {
namespace {

using test::WatchedRun;

std::string finite_volumes(const std::string& flux, const std::string& reconstruction = "constant") {
  return fmt::format(
      "discretization = '{}'\nintegrator = 'ssprk2'\nparameters.reconstruction = '{}'\ndt = 'auto'\n", flux,
      reconstruction);
}

const std::vector<std::string>& every_scheme() {
  static const std::vector<std::string> schemes = [] {
    std::vector<std::string> list = {test::fefv + "dt = 'auto'\n",
                                     test::dec + "dt = 'auto'\nparameters.dual = 'intrinsic'\n"};
    for (const DiscretizationEntry& entry : test::catalog().discretizations)
      for (const char* reconstruction : {"constant", "linear"})
        if (entry.transports_momentum()) list.push_back(finite_volumes(entry.name, reconstruction));
    return list;
  }();
  return schemes;
}

TEST(LakeAtRest, StaysAtRestWithEveryScheme) {
  constexpr double tolerance = 1e-12;  // m/s; waves run at 2 m/s
  for (const std::string& scheme : every_scheme())
    for (const std::string lake :
         {"scene = 'lake-at-rest'\nmesh = 'rectangle:50x4:25x2'\n",
          "scene = 'lake-at-rest'\nmesh = 'rectangle:50x4:25x2:jittered'\nparameters.level = 0.1\n",
          "scene = 'lake-at-rest'\nmesh = 'rectangle:50x4:25x2:structured'\nparameters.level = 0.1\n",
          "scene = 'rest'\nmesh = 'icosphere:2'\nparameters.bed = 'bumps'\n",
          "scene = 'rest'\nmesh = 'icosphere:2'\nparameters.bed = 'bumps'\nparameters.level = -0.8\n"}) {
      WatchedRun run(lake + scheme);
      run.to_the_end();
      EXPECT_LE(run.largest("max_speed"), tolerance) << scheme << lake;
      EXPECT_LE(run.largest("l1_error"), 1e-14) << scheme << lake;
    }
}

/// Relative L1 errors of the depth with 250 cells along 10 m; with four times as many they are a quarter and a third.
TEST(DamScenes, ApproachTheirSolutions) {
  const std::string mesh = "mesh = 'rectangle:250x2:10x0.08'\n";
  for (const std::string scene : {"dam-wet", "dam-dry"})
    for (const auto& [reconstruction, bound] : {std::pair{"constant", 0.01}, {"linear", 0.005}}) {
      WatchedRun run("scene = '" + scene + "'\n" + mesh + finite_volumes("hllc", reconstruction));
      run.to_the_end();
      EXPECT_LE(run.end("l1_error"), bound) << scene << " " << reconstruction;
      EXPECT_GE(run.end("min_depth"), 0) << scene;
    }
}

}  // namespace
}  // namespace shoal
