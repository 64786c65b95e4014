// Budgets of energy that close where a surface moves and forces, openings, sources or jumps of its velocity add their part.
#include "tests/support/watched_run.hpp"

namespace shoal {
namespace {

using test::WatchedRun, test::dec, test::fefv;

const std::vector<std::string> openings = {"left = outflow", "left = discharge 0.2; right = outflow",
                                           "left = level 0.1; right = level 0",
                                           "left = inflow 0.52 0.3; right = level 0"};

/// Water 0.5 m deep, not flat.
std::string custom(const std::string& mesh, const std::string& motion) {
  return "scene = 'custom'\nmesh = '" + mesh + "'\nmotion = '" + motion +
         "'\nparameters.depth = 0.5\nparameters.initial_elevation = '0.03*cos(2*x+1)'\n";
}

std::string tank(const std::string& motion, const std::string& boundaries) {
  return custom("rectangle:12x8:3x2:structured", motion) + "end = 0.2\nboundaries = '" + boundaries + "'\n";
}

double unaccounted(const std::string& settings, double dt) {
  WatchedRun run(settings + fmt::format("dt = {}\n", dt));
  return run.to_the_end().unaccounted();
}

/// Relative to the energy: to third order, but for what is small at once.
void expect_closed(const std::string& settings, double dt) {
  constexpr double negligible = 1e-6, third_order = 4;  // 8 in the limit
  const double coarse = unaccounted(settings, dt), fine = unaccounted(settings, dt / 2);
  EXPECT_TRUE(fine < negligible || coarse / fine > third_order) << settings << ": " << coarse << ", " << fine;
}

TEST(MovingBudget, closes_at_openings_where_the_normal_acceleration_varies) {
  for (const std::string& scheme : {fefv, dec})
    for (const std::string& boundaries : openings)
      expect_closed(
          tank("translation", boundaries) + "parameters.normal_acceleration = '-9.81+4*sin(2*y)'\n" + scheme,
          0.004);
}

TEST(MovingBudget, closes_at_openings_of_a_surface_that_turns) {
  for (const std::string& scheme : {fefv, dec})
    for (const std::string& boundaries : openings)
      expect_closed(tank("turning", boundaries) +
                        "parameters.motion_axis = '0,0,1'\nparameters.motion_rate = 0.3\n"
                        "parameters.coriolis = 0.7\n" +
                        scheme,
                    0.004);
}

}  // namespace
}  // namespace shoal
