// spin-up and zonal-ridge: their solutions satisfy the equations in space, by finite differences.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace shoal {
namespace {

constexpr double step = 1e-4;       // of central differences, in m and s: an error of 1e-8
constexpr double tolerance = 1e-7;  // times the multiplied values

struct Fixture {
  Surface surface;
  SceneInstance scene;
  Fixture(const std::string& name, const std::map<std::string, Value>& given = {})
      : surface(load_surface("icosphere:1")) {
    const SceneEntry& entry = test::catalog().scenes.find(name);
    scene = entry.make(surface, make_geometry(surface.mesh, surface.x), Parameters(entry.parameters, given));
  }
  double depth(const Vector3& x, double time) const {
    Vector value;
    scene.references.front().depth(x, time, value);
    return value[0];
  }
  /// In space; constant along the radius, so that differences in space equal those along the sphere.
  Vector3 velocity(const Vector3& x, double time) const {
    return scene.references.front().velocity(x.normalized(), time);
  }
  Points positions(double time) const {
    Points x;
    scene.motion(time, x);
    return x;
  }
};

template <class Field>
auto derivative(const Field& field, const Vector3& x, const Vector3& along) {
  return ((field(x + step * along) - field(x - step * along)) / (2 * step)).eval();
}

const Vector3 directions[] = {Vector3(0.3, -0.5, 0.8), Vector3(-0.9, 0.1, 0.2), Vector3(0.2, 0.7, -0.6)};

TEST(ZonalRidge, is_steady_in_space_over_its_bed) {
  const Fixture ridge("zonal-ridge", {{"rate", 0.8}});
  for (const Vector3& direction : directions) {
    const Vector3 n = direction.normalized(), u = ridge.velocity(n, 0.3);
    const auto velocity = [&](const Vector3& x) { return ridge.velocity(x, 0.3); };
    Vector3 gradient = Vector3::Zero();
    double divergence = 0;
    for (int c = 0; c < 3; ++c) {
      const Vector3 e = Vector3::Unit(c);
      const auto elevation = [&](const Vector3& x) {
        return Eigen::Matrix<double, 1, 1>(ridge.depth(x, 0.3) - ridge.scene.bed_depth(x));
      };
      gradient += derivative(elevation, n, e)[0] * e;
      divergence +=
          derivative([&](const Vector3& x) -> Vector3 { return ridge.depth(x, 0.3) * velocity(x); }, n, e)
              .dot(e);
    }
    const Vector3 rest = derivative(velocity, n, u) + ridge.scene.gravity * gradient;
    EXPECT_LT((rest - n * n.dot(rest)).norm(), tolerance);
    EXPECT_NEAR(divergence, 0, tolerance);
    EXPECT_GT(gradient.norm(), 1e-3);  // so that the test is not vacuous
    EXPECT_EQ(ridge.depth(n, 0.3), ridge.depth(n, 1.7));
  }
}

TEST(ZonalRidge, takes_its_bed_along_without_changing_it_in_space) {
  const Fixture ridge("zonal-ridge");
  const Points& start = ridge.surface.x;
  const Points later = ridge.positions(0.7);
  EXPECT_GT((later - start).colwise().norm().minCoeff(), 1e-3);
  double lowest = 1, highest = 0;
  for (Eigen::Index i = 0; i < start.cols(); ++i) {
    const double bed = ridge.scene.bed_depth(start.col(i));
    EXPECT_NEAR(ridge.scene.bed_depth(later.col(i)), bed, 1e-14);
    lowest = std::min(lowest, bed);
    highest = std::max(highest, bed);
  }
  EXPECT_GT(highest - lowest, 0.3);
  // It shears: no turn of the whole sphere is its motion.
  EXPECT_GT(((later.transpose() * later) - (start.transpose() * start)).cwiseAbs().maxCoeff(), 0.1);
}

/// Ω(t) a of a sphere that turns as a body, from the positions of its vertices.
Vector3 rate_of(const Fixture& sphere, double time) {
  const Points x = sphere.positions(time),
               rate = (sphere.positions(time + step) - sphere.positions(time - step)) / (2 * step);
  Eigen::Matrix3d turn = rate * x.transpose() * (x * x.transpose()).inverse();
  return 0.5 * Vector3(turn(2, 1) - turn(1, 2), turn(0, 2) - turn(2, 0), turn(1, 0) - turn(0, 1));
}

TEST(SpinUp, follows_the_sphere_at_the_rate_of_the_friction) {
  const Fixture spin("spin-up", {{"friction", 0.7}, {"stop", 3.0}});
  const Vector3 x = Vector3(0.2, 0.5, 0.4).normalized();
  double fastest = 0;
  for (const double time : {0.3, 0.9, 1.5, 2.9, 3.4, 5.0, 7.0}) {
    const Vector3 u = spin.velocity(x, time),
                  rate = (spin.velocity(x, time + step) - spin.velocity(x, time - step)) / (2 * step);
    // u_t = −c (u − Ω×x)
    EXPECT_LT((rate + 0.7 * (u - rate_of(spin, time).cross(x))).norm(), tolerance) << time;
    fastest = std::max(fastest, u.norm());
  }
  EXPECT_GT(fastest, 0.05);
  EXPECT_LT(spin.velocity(x, 0).norm(), 1e-15);
  EXPECT_LT(rate_of(spin, 6).norm(), 1e-9);  // it has stopped
  EXPECT_NEAR(rate_of(spin, 2).norm(), 0.1, 1e-6);
}

TEST(SpinUp, has_the_depth_that_the_centrifugal_force_asks_for) {
  const Fixture spin("spin-up");
  for (const Vector3& direction : directions) {
    const Vector3 n = direction.normalized(), u = spin.velocity(n, 3);
    Vector3 rest = derivative([&](const Vector3& x) { return spin.velocity(x, 3); }, n, u);
    for (int c = 0; c < 3; ++c) {
      const Vector3 e = Vector3::Unit(c);
      rest +=
          spin.scene.gravity * (spin.depth(n + step * e, 3) - spin.depth(n - step * e, 3)) / (2 * step) * e;
    }
    EXPECT_LT((rest - n * n.dot(rest)).norm(), tolerance);
  }
}

TEST(SpinUp, has_a_solution_at_rest_without_friction) {
  const Fixture spin("spin-up", {{"friction", 0.0}});
  for (const double time : {0.5, 3.0, 6.0})
    for (const Vector3& x : directions) {
      EXPECT_EQ(spin.velocity(x, time).norm(), 0) << time;
      EXPECT_EQ(spin.depth(x, time), 1);
    }
}

}  // namespace
}  // namespace shoal
