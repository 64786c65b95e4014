// Finite volumes of second order: orders of convergence at rest and on moving surfaces, and depths that stay nonnegative.
#include "tests/support/watched_run.hpp"

namespace shoal {
namespace {

using test::WatchedRun, test::order;

std::string linear(const std::string& flux, const std::string& limiter, const std::string& integrator) {
  return fmt::format(
      "discretization = '{}'\nintegrator = '{}'\nparameters.reconstruction = 'linear'\nparameters.limiter = "
      "'{}'\n",
      flux, integrator, limiter);
}

// Levels 4 and 5: on coarser meshes the order of the velocity is still rising (rusanov after a day: 1.73, 1.78, 1.93).
TEST(LinearReconstruction, has_second_order_in_zonal_flow) {
  for (const std::string flux : {"kinetic", "rusanov", "hllc", "roe"})
    for (const std::string limiter : {"none", "barth-jespersen"})
      for (const std::string mesh : {"icosphere", "jittered-sphere"}) {
        if (flux != "hllc" && (limiter != "none" || mesh == "icosphere"))
          continue;  // neither depends on the flux
        const auto after_six_hours = [&](int level) {
          WatchedRun run(fmt::format("scene = 'williamson-2'\nmesh = '{}:{}'\ndt = 'auto'\nend = 21600\n{}",
                                     mesh, level, linear(flux, limiter, "ssprk3")));
          run.to_the_end();
          return std::pair(run.end("l2_error"), run.end("l2_error_own_velocity"));
        };
        const auto [coarse, coarse_velocity] = after_six_hours(4);
        const auto [fine, fine_velocity] = after_six_hours(5);
        EXPECT_GT(order(coarse, fine), 1.9) << flux << limiter << mesh;
        EXPECT_GT(order(coarse_velocity, fine_velocity), 1.8) << flux << limiter << mesh;
      }
}

TEST(LinearReconstruction, has_second_order_on_a_breathing_sphere) {
  const auto run = [](int level) {
    WatchedRun flow(fmt::format("scene = 'breathing-zonal-flow'\nmesh = 'icosphere:{}'\ndt = 'auto'\n{}",
                                level, linear("hllc", "none", "ssprk3")));
    flow.to_the_end();
    return std::pair(flow.end("l2_error"), flow.end("l2_error_own_velocity"));
  };
  const auto [coarse, coarse_velocity] = run(2);
  const auto [fine, fine_velocity] = run(3);
  EXPECT_GT(order(coarse, fine), 1.8);
  EXPECT_GT(order(coarse_velocity, fine_velocity), 1.8);
}

/// A film runs at most at v² = v₀² + 2gSΔx ln(η₀/dry_depth) (finite_volume.md, Films), here with the slope S = 0.28 to 0.35
/// of the land that the water wets, and v₀ = 0.7 m/s.
TEST(FiniteVolume, bounds_the_speed_of_films_on_the_land_beside_a_bowl) {
  const double along_slope = 0.1 * std::sqrt(2.0), fall = 2 * 9.81 * 0.35 * along_slope;  // of a triangle, m
  for (const double dry_depth : {1e-9, 1e-6})
    for (const std::string& scheme :
         {std::string("discretization = 'hllc'\nintegrator = 'ssprk2'\n"), linear("hllc", "none", "ssprk2"),
          linear("hllc", "barth-jespersen", "ssprk2"), linear("kinetic", "kuzmin", "ssprk2")}) {
      WatchedRun run(fmt::format("scene = 'bowl-planar'\ndt = 'auto'\n{}parameters.dry_depth = {}\n", scheme,
                                 dry_depth));
      const double fastest = run.to_the_end().largest("max_speed");
      EXPECT_LT(fastest, std::sqrt(0.7 * 0.7 + fall * std::log(0.1 / dry_depth))) << scheme << dry_depth;
      EXPECT_GT(fastest, 0.7);
    }
}

TEST(LinearReconstruction, keeps_depths_nonnegative_over_dry_hills) {
  for (const std::string flux : {"kinetic", "rusanov", "hllc"})
    for (const std::string limiter : {"none", "barth-jespersen", "venkatakrishnan", "kuzmin"})
      for (const std::string mesh : {"rectangle:16x8:2x1:jittered", "icosphere:2"}) {
        WatchedRun run(
            fmt::format("scene = 'custom'\nmesh = '{}'\ndt = 'auto'\nend = 0.3\n{}"
                        "parameters.bed_depth = '0.2+0.4*sin(7*x)*cos(5*y)'\n"
                        "parameters.initial_elevation = 'x>0.4 ? 0.3 : -0.3'\n",
                        mesh, linear(flux, limiter, "ssprk2")));
        double least = 0;
        while (run.simulation().steps_done() < run.simulation().steps() && run.step_and_note())
          least = std::min(least, run.simulation().water().volume().minCoeff());
        EXPECT_EQ(least, 0) << flux << limiter << mesh;
        constexpr double round_off = 1e-13;
        EXPECT_NEAR(run.end("mass") / run.start("mass"), 1, round_off) << flux << limiter << mesh;
      }
}

}  // namespace
}  // namespace shoal
