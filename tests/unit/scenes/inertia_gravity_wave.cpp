// inertia-gravity-wave: the formula satisfies the linear equations, and the schemes converge to it.
#include "tests/support/message.hpp"
#include "tests/support/watched_run.hpp"

namespace shoal {
namespace {

SceneInstance instance(const std::string& mesh, const std::map<std::string, Value>& given = {}) {
  const Surface surface = load_surface(mesh);
  const SceneEntry& entry = test::catalog().scenes.find("inertia-gravity-wave");
  return entry.make(surface, make_geometry(surface.mesh, surface.x), Parameters(entry.parameters, given));
}

TEST(InertiaGravityWave, SatisfiesTheLinearEquations) {
  const SceneInstance scene =
      instance("rectangle:8x4:2x1:periodic",
               {{"m", 2.0}, {"n", -1.0}, {"depth", 0.5}, {"amplitude", 0.01}, {"coriolis", 3.0}});
  const Reference& solution = scene.references.front();
  const auto h = [&](const Vector3& x, double t) {
    Vector depth;
    solution.depth(x, t, depth);
    return depth[0] - 0.5;
  };
  const auto slope = [e = 1e-4](auto&& f) { return (f(e) - f(-e)) / (2 * e); };
  constexpr double tolerance =
      3e-6;  // terms of size ωa = 0.2 and fv = 0.5, relative truncation (ωe)²/6 = 1e-6
  const double t = 0.37, f = 6;
  for (const Vector3& x : {Vector3(0.3, 0.2, 0), Vector3(1.7, 0.9, 0), Vector3(1.1, 0.45, 0)}) {
    const Vector3 v = solution.velocity(x, t), turned = f * Vector3::UnitZ().cross(v);
    double divergence = 0;
    for (int axis = 0; axis < 2; ++axis) {
      const Vector3 unit = Vector3::Unit(axis);
      divergence += slope([&](double s) { return solution.velocity(x + s * unit, t)[axis]; });
      EXPECT_NEAR(slope([&](double s) { return solution.velocity(x, t + s)[axis]; }),
                  -turned[axis] - 9.81 * slope([&](double s) { return h(x + s * unit, t); }), tolerance);
    }
    EXPECT_NEAR(slope([&](double s) { return h(x, t + s); }), -0.5 * divergence, tolerance);
    EXPECT_GT(std::abs(divergence), 1e-2);
    EXPECT_GT(turned.norm(), 1e-2);
    EXPECT_NEAR(h(x + Vector3(2, 0, 0), t), h(x, t), 1e-14);
    EXPECT_NEAR(h(x + Vector3(0, 1, 0), t), h(x, t), 1e-14);
    EXPECT_NEAR(scene.initial.depth(x) - 0.5, h(x, 0), 1e-15);
    EXPECT_EQ(scene.initial.velocity(x), solution.velocity(x, 0));
  }
  EXPECT_EQ(scene.forcing.rotation, 3 * Vector3::UnitZ());
}

TEST(InertiaGravityWave, RefusesWallsAndNoWave) {
  EXPECT_THROW(instance("rectangle:8x4:2x1"), Error);
  EXPECT_THROW(instance("rectangle:8x4:2x1:periodic-x"), Error);
  EXPECT_THROW(instance("torus:8x4"), Error);
  EXPECT_THROW(instance("rectangle:8x4:2x1:periodic", {{"m", 0.0}}), Error);
  for (const double amplitude : {2, -2})
    EXPECT_NE(test::message_of([&] {
                instance("rectangle:8x4:2x1:periodic", {{"amplitude", amplitude}});
              }).find("an elevation of -2 leaves no fluid where the depth is 1; it must be greater than -1"),
              std::string::npos);
}

/// Relative l2 errors of the elevation and of the scheme's own velocity after a period. fefv has a vector per triangle where the
/// depth has a value per vertex: the part of it that the depth does not determine is excited by the rotation and of first order,
/// unless the rotation is projected (fefv.md).
TEST(InertiaGravityWave, IsApproachedWithTheOrderOfEachScheme) {
  struct Trial {
    std::string scheme;
    double depth, velocity;
  };
  const std::string rates = "integrator = 'ssprk3'\nsplitting = 'none'\n";
  for (const Trial& trial :
       {Trial{"discretization = 'dec'\n" + rates, 1.95, 1.95},
        {"discretization = 'fefv'\n" + rates, 1.9, 1.0},
        {"discretization = 'fefv'\nadvection = 'vector-invariant'\n" + rates, 1.9, 1.95},
        {"discretization = 'hllc'\nintegrator = 'ssprk3'\nparameters.reconstruction = 'linear'\n"
         "parameters.limiter = 'none'\n",
         1.95, 1.95}}) {
    const auto errors = [&](int cells) {
      test::WatchedRun run(
          fmt::format("scene = 'inertia-gravity-wave'\nmesh = 'rectangle:{0}x{0}:1x1:periodic'\ndt = 'auto'\n"
                      "parameters.n = 1\n",
                      cells) +
          trial.scheme);
      run.to_the_end();
      return std::pair(run.end("l2_error_elevation"), run.end("l2_error_own_velocity"));
    };
    const auto coarse = errors(12), fine = errors(24);
    EXPECT_GT(test::order(coarse.first, fine.first), trial.depth) << trial.scheme;
    EXPECT_GT(test::order(coarse.second, fine.second), trial.velocity) << trial.scheme;
    EXPECT_LT(fine.first, 0.1) << trial.scheme;
  }
}

}  // namespace
}  // namespace shoal
