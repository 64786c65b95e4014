// cosine-bell: the formula satisfies its equation, the velocity stays what it is, and the schemes converge.
#include "tests/support/watched_run.hpp"

#include <Eigen/Geometry>

#include <numbers>

namespace shoal {
namespace {

constexpr double radius = 6.37122e6, day = 86400;
const std::string common = "scene = 'cosine-bell'\ndt = 'auto'\nintegrator = 'ssprk3'\n",
                  linear = "discretization = 'hllc'\nparameters.reconstruction = 'linear'\n",
                  centred = "parameters.background = 1000\ndiscretization = ";

TEST(CosineBell, IsTransportedByItsFlow) {
  const Surface surface = load_surface("icosphere:1", radius);
  const SceneEntry& entry = test::catalog().scenes.find("cosine-bell");
  const SceneInstance scene = entry.make(surface, make_geometry(surface.mesh, surface.x),
                                         Parameters(entry.parameters, {{"angle", 0.7}, {"background", 5.0}}));
  const auto depth = [&](const Vector3& x, double time) {
    Vector values;
    scene.references.front().depth(x, time, values);
    return values[0];
  };
  const Vector3 centre = -radius * Vector3::UnitY();
  EXPECT_NEAR(depth(centre, 0), 1005, 1e-9);
  EXPECT_NEAR(depth(centre, 12 * day), 1005, 1e-9);
  EXPECT_EQ(depth(-centre, 0), 5);
  EXPECT_NEAR(scene.initial.velocity(centre).norm(), 38.6106, 1e-4);  // 2πR/12 d
  const double step = 5e-5 * radius, seconds = 10;
  double largest = 0;
  for (const double time : {0.0, 5 * day})
    for (const double angle : {0.05, 0.2, 0.3, 0.4}) {  // on the flank of the bell; 0.4: beside it
      const Vector3 axis(-std::sin(0.7), 0, std::cos(0.7)), along = axis.cross(centre).normalized();
      const Vector3 start = std::cos(angle) * centre + radius * std::sin(angle) * (along + axis).normalized();
      const Vector3 x = Eigen::AngleAxisd(2 * std::numbers::pi * time / (12 * day), axis) * start,
                    v = scene.initial.velocity(x), unit = v.normalized();
      const double rate = (depth(x, time + seconds) - depth(x, time - seconds)) / (2 * seconds),
                   slope = (depth(x + step * unit, time) - depth(x - step * unit, time)) / (2 * step);
      EXPECT_NEAR(rate, -v.norm() * slope, 1e-6 * 1000 * v.norm() / radius);  // v is divergence-free
      largest = std::max(largest, std::abs(rate));
    }
  EXPECT_GT(largest, 1e-3);  // m/s
}

/// With every scheme, the velocity at the end is that of the start, bit for bit or, as a quotient of momentum and volume, to round-off.
TEST(CosineBell, KeepsItsVelocity) {
  for (const std::string& scheme :
       {centred + "'fefv'\n", centred + "'dec'\n", linear + "parameters.background = 1000\n"}) {
    test::WatchedRun run(common + scheme + "mesh = 'icosphere:2'\n");
    Values before, after;
    run.simulation().water().sample("velocity", before);
    const State state = run.state();
    run.to_the_end();
    run.simulation().water().sample("velocity", after);
    EXPECT_LT((after - before).cwiseAbs().maxCoeff(), 1e-11 * 38.6) << scheme;
    const Field& volume = run.simulation().discretization().volume();
    EXPECT_GT((run.state()[volume] - state[volume]).norm(), 0.01 * state[volume].norm()) << scheme;
    EXPECT_NEAR(run.state()[volume].sum() / state[volume].sum(), 1, 1e-13) << scheme;
  }
}

TEST(CosineBell, KeepsDepthsPositiveOnDryLand) {
  for (const std::string& scheme :
       {linear, linear + "parameters.limiter = 'none'\n", std::string("discretization = 'kinetic'\n")}) {
    test::WatchedRun run(common + scheme + "mesh = 'icosphere:3'\nend = 86400\n");
    run.to_the_end();
    EXPECT_GE(run.end("min_depth"), 0) << scheme;
    EXPECT_LT(run.end("max_depth"), 1000) << scheme;
  }
}

/// Relative l2 errors of the bell after a day, levels 4 and 5. The second derivative of the bell jumps at its rim. The outflows of
/// triangles that dec computes from the velocities at their edges have an error of first order, which alternates between neighbours.
TEST(CosineBell, IsApproachedWithTheOrderOfEachScheme) {
  for (const auto& [scheme, order] : {std::pair{centred + "'dec'\n", 1.1},
                                      {centred + "'fefv'\n", 1.6},
                                      {linear + "parameters.limiter = 'none'\n", 1.4}}) {
    const auto error = [&, scheme = scheme](int level) {
      test::WatchedRun run(common + scheme + test::on_level(level) +
                           "end = 86400\ndiagnostics = 'every:1000000'\n");
      return run.to_the_end().end("l2_error_elevation");
    };
    const double coarse = error(4), fine = error(5);
    EXPECT_GT(test::order(coarse, fine), order) << scheme << coarse << ", " << fine;
    EXPECT_LT(fine, 0.1) << scheme;
  }
}

TEST(CosineBell, RefusesWhatWouldChangeItsVelocity) {
  for (const std::string text :
       {"discretization = 'dec'\nintegrator = 'semi-implicit'\n",
        "discretization = 'hllc'\nintegrator = 'rosenbrock'\n",
        "discretization = 'dec'\nintegrator = 'newmark'\n",
        "discretization = 'dec'\nintegrator = 'ssprk3'\nadvection = 'vector-invariant'\n",
        "discretization = 'fefv'\nintegrator = 'explicit'\nadvection = 'semi-lagrangian'\n",
        "discretization = 'dec'\nintegrator = 'ssprk3'\nmotion = 'turning'\n",
        "discretization = 'hllc'\nintegrator = 'ssprk3'\nparameters.friction = 1e-6\n",
        "discretization = 'dec'\nintegrator = 'ssprk3'\nparameters.manning = 0.1\n",
        "discretization = 'dec'\nintegrator = 'ssprk3'\nparameters.body_acceleration = '1e-3,0,0'\n",
        "discretization = 'hllc'\nintegrator = 'ssprk3'\n"
        "inputs = ['0 push at=0,0,6.4e6 acceleration=1,0,0 width=1e6 lasting=inf']\n"})
    EXPECT_THROW(
        test::WatchedRun("scene = 'cosine-bell'\nmesh = 'icosphere:1'\ndt = 3600\n" + std::string(text)),
        Refusal)
        << text;
}

}  // namespace
}  // namespace shoal
