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
    for (const DiscretizationEntry& entry : test::surface_schemes())
      for (const char* reconstruction : {"constant", "linear"})
        if (entry.transports_momentum()) list.push_back(finite_volumes(entry.name, reconstruction));
    return list;
  }();
  return schemes;
}

/// The cells of a finite-volume scheme and their water at the end of a run.
class Water {
 public:
  explicit Water(const WatchedRun& run)
      : cells_(run.simulation().discretization().cells()), volume_(run.simulation().water().volume()) {
    run.simulation().water().sample("velocity", velocity_);
  }
  Index count() const { return cells_.count(); }
  double x(Index i) const { return cells_.points(0, i); }
  double depth(Index i) const { return volume_[i] / cells_.area[i]; }
  double discharge(Index i) const { return depth(i) * velocity_(0, i); }

 private:
  const Cells& cells_;
  Vector volume_;
  Values velocity_;
};

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

/// Five seconds after the start from the exact steady flow, with 100 cells along 25 m: relative L1 errors of the depth, and
/// either the discharge before and behind the bump, or the place of the jump, which settles within its cell and sends out waves
/// of 4 % of q.
TEST(BumpFlows, StaySteady) {
  constexpr double cell = 0.25, jump = 11.665618384;
  for (const auto& [scene, discharge, constant, linear] : {std::tuple{"bump-sub", 4.42, 0.002, 0.001},
                                                           {"bump-trans", 1.53, 0.01, 0.003},
                                                           {"bump-shock", 0.18, 0.02, 0.01}})
    for (const auto& [reconstruction, bound] : {std::pair{"constant", constant}, {"linear", linear}}) {
      WatchedRun run(fmt::format("scene = '{}'\nmesh = 'rectangle:100x2:25x0.5'\nend = 5\n"
                                 "parameters.start = 'steady'\n",
                                 scene) +
                     finite_volumes("hllc", reconstruction));
      run.to_the_end();
      EXPECT_LE(run.end("l1_error"), bound) << scene << " " << reconstruction;
      const bool jumps = scene == std::string("bump-shock");
      constexpr double tolerance = 0.01;
      const Water water(run);
      double shallow = 0;  // the last x in front of the jump
      for (Index i = 0; i < water.count(); ++i) {
        if (!jumps && std::abs(water.x(i) - 10) > 2.5) {
          EXPECT_NEAR(water.discharge(i) / discharge, 1, tolerance)
              << scene << " " << reconstruction << " " << water.x(i);
        }
        if (water.x(i) < 13 && water.depth(i) < 0.16) shallow = std::max(shallow, water.x(i));
      }
      if (jumps) {
        EXPECT_NEAR(shallow, jump, cell) << reconstruction;
      }
    }
}

TEST(SlopeDrop, SlidesAndSpreads) {
  WatchedRun run("scene = 'slope-drop'\nmesh = 'rectangle:40x30:8x6'\n" + finite_volumes("hllc", "linear"));
  run.to_the_end();
  EXPECT_LE(run.end("l1_error"),
            0.06);  // of first order 0.16; a drop that stayed behind by a cell of 0.2 m: 0.1
  EXPECT_GE(run.end("min_depth"), 0);
}

TEST(CarrierGreenspan, RunsUpAndDownTheBeach) {
  WatchedRun run("scene = 'carrier-greenspan'\nmesh = 'rectangle:50x2:10x0.4'\nend = 3.8\n" +
                 finite_volumes("hllc", "linear"));
  run.to_the_end();
  EXPECT_LE(run.largest("l1_error"), 0.004);  // the wave is a tenth of the mean depth
  EXPECT_GE(run.end("min_depth"), 0);
}

/// Depth and velocity are of second order without a limiter.
TEST(StandingWave, IsApproachedAtSecondOrder) {
  const auto errors = [](int cells) {
    WatchedRun run(fmt::format("scene = 'standing-wave'\nmesh = 'rectangle:{0}x{0}:1x1:jittered'\n", cells) +
                   finite_volumes("hllc", "linear") + "parameters.limiter = 'none'\n");
    run.to_the_end();
    return std::pair{run.end("l2_error_elevation"), run.end("l2_error_velocity")};
  };
  const auto coarse = errors(16), fine = errors(32);
  EXPECT_GE(test::order(coarse.first, fine.first), 1.9);
  EXPECT_GE(test::order(coarse.second, fine.second), 1.9);
}

TEST(RadialDams, ApproachTheAxisymmetricSolution) {
  for (const auto& [setting, bound] :
       {std::pair{"scene = 'dam-radial'\nmesh = 'rectangle:50x50:200x200'\n", 0.05},
        {"scene = 'dam-radial'\nmesh = 'rectangle:50x50:200x200'\nparameters.depth_outside = 0\n", 0.08},
        {"scene = 'sphere-dam'\nmesh = 'icosphere:4'\n", 0.05}}) {
    WatchedRun run(setting + finite_volumes("hllc", "linear"));
    run.to_the_end();
    EXPECT_LE(run.end("l1_error"), bound) << setting;
    EXPECT_NEAR(run.end("mass") / run.start("mass"), 1, 1e-12) << setting;
  }
}

}  // namespace
}  // namespace shoal
