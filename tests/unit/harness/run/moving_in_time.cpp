// The order in time of steps on meshes that move.
#include "tests/support/trial.hpp"
#include "tests/support/watched_run.hpp"

namespace shoal {
namespace {

using test::WatchedRun, test::dec, test::fefv, test::kinetic, test::order;

const std::string squash = "scene = 'bump'\nmotion = 'squash'\nparameters.motion_amplitude = 0.1\n",
                  forced = "scene = 'pulsating-ellipsoid'\n";

/// On the way to the solution of the scheme itself, in whose error none of space is.
double order_in_time(const std::string& settings) {
  std::vector<Vector> depth;
  for (const int steps : {40, 80, 320}) {
    WatchedRun run(fmt::format("mesh = 'icosphere:1'\nend = 0.5\ndt = '0.5/{}'\n", steps) + settings);
    while (run.simulation().steps_done() < run.simulation().steps()) EXPECT_TRUE(run.step());
    depth.push_back(run.simulation().water().volume());
  }
  return std::log2((depth[0] - depth[2]).norm() / (depth[1] - depth[2]).norm());
}

TEST(MovingInTime, has_the_order_of_the_integrator_where_stages_have_their_own_geometry) {
  for (const std::string& scheme : {dec, fefv, kinetic})
    for (const std::string& scene : {squash, forced})
      EXPECT_GT(order_in_time(scene + scheme), 2.8) << scheme << scene;
}

/// The observer goes with the surface as a whole at the beginning of each step: who he is must not be felt.
TEST(MovingInTime, has_that_order_where_the_mesh_slides_on_whichever_dual) {
  const std::string sliding = "scene = 'bump'\nmotion = 'sliding'\n";
  for (const std::string& scheme :
       {fefv, kinetic, dec + "parameters.dual = 'barycentric'\n", dec + "parameters.dual = 'intrinsic'\n"})
    EXPECT_GT(order_in_time(sliding + scheme), 2.8) << scheme;
}

TEST(MovingInTime, is_of_second_order_with_half_a_move_before_and_after_the_step) {
  for (const std::string& scheme : {dec, fefv})
    for (const std::string& scene : {squash, forced})
      EXPECT_GT(order_in_time(scene + scheme + "splitting = 'strang'\n"), 1.85) << scheme << scene;
}

/// As between the frames of a sequence, without a splitting: kinetic too.
TEST(MovingInTime, is_of_second_order_with_half_moves_where_the_velocity_of_the_mesh_may_jump) {
  for (const std::string scheme : {"dec", "fefv", "kinetic"}) {
    const auto end_depth = [&](int steps) -> Vector {
      test::Configuration setup;
      setup.mesh = "icosphere:1";
      setup.discretization = scheme;
      setup.integrator = "ssprk3";
      if (scheme != "kinetic") setup.advection = "vector-invariant";
      setup.initial.depth = [](const Vector3& x) { return 1 + 0.1 * x.normalized().x(); };
      setup.initial.velocity = [](const Vector3& x) -> Vector3 { return 0.3 * Vector3(1, 2, 3).cross(x); };
      test::Trial water(setup);
      const Points rest = water.surface.x;
      const double dt = 0.5 / steps;
      water.prepare(dt);
      water.water->follow(
          [&rest](double time, Points& x) {
            x = (1 + 0.2 * std::sin(4 * time)) *
                (Eigen::AngleAxisd(time * time, Vector3::UnitY()).toRotationMatrix() * rest);
          },
          dt, false);
      water.run(steps);
      return water.volume();
    };
    const Vector finest = end_depth(1280);
    EXPECT_GT(order((end_depth(80) - finest).norm(), (end_depth(160) - finest).norm()), 1.9) << scheme;
  }
}

TEST(MovingInTime, a_model_restored_in_the_middle_goes_on_with_the_same_bits) {
  for (const std::string& scheme : {dec, fefv, kinetic}) {
    const std::string text =
        "scene = 'bump'\nmesh = 'icosphere:1'\nmotion = 'squash'\nend = 0.2\ndt = 0.01\n";
    WatchedRun whole(text + scheme), resumed(text + scheme);
    Archive saved;
    for (int i = 0; i < 20; ++i) {
      if (i == 10) whole.simulation().water().save(saved);
      ASSERT_TRUE(whole.step());
    }
    ASSERT_TRUE(resumed.step());
    const_cast<ShallowWater&>(resumed.simulation().water()).restore(saved);
    for (int i = 10; i < 20; ++i) ASSERT_TRUE(resumed.step());
    EXPECT_TRUE((whole.state().q.array() == resumed.state().q.array()).all()) << scheme;
  }
}

}  // namespace
}  // namespace shoal
