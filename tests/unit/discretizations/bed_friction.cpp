// Friction quadratic in the velocity: its laws, and what it does to the velocity of each scheme.
#include "discretizations/bed_friction.hpp"

#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace shoal {
namespace {

constexpr double n = 0.03, c = 50, g = test::gravity;
const FrictionLaw laws[] = {FrictionLaw::manning(n, g), FrictionLaw::chezy(c, g)};

TEST(FrictionLaw, is_that_of_its_name) {
  constexpr double round_off = 1e-15, depth = 0.3;
  EXPECT_NEAR(laws[0].per_length(depth), g * n * n / std::pow(depth, 4.0 / 3), round_off);
  EXPECT_NEAR(laws[1].per_length(depth), g / (c * c * depth), round_off);
  constexpr double factor = 0.093;  // of Darcy and Weisbach
  EXPECT_NEAR(FrictionLaw::chezy(std::sqrt(8 * g / factor), g).per_length(depth), factor / (8 * depth),
              round_off);
  EXPECT_FALSE(FrictionLaw().acts());
}

TEST(FrictionLaw, has_the_exact_flow) {
  constexpr double step = 1e-4, tolerance = 1e-8;  // of central differences
  for (const FrictionLaw& law : laws)
    for (const double depth : {0.05, 2.0})
      for (const double time : {0.1, 30.0}) {
        constexpr double speed = 1.7;
        const auto after = [&](double t) { return speed * law.remaining(depth, speed, t); };
        const double rate = (after(time + step) - after(time - step)) / (2 * step), v = after(time);
        EXPECT_NEAR(rate, -law.per_length(depth) * v * v, tolerance);
        // a flow: two steps are one
        EXPECT_NEAR(v * law.remaining(depth, v, time), after(2 * time), 1e-15);
      }
}

TEST(FrictionLaw, stops_water_whose_depth_tends_to_zero) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const FrictionLaw& law : laws) {
    double before = 1;
    for (double depth = 1; depth > 0; depth /= 8) {  // down to the smallest number
      const double remaining = law.remaining(depth, 3, 0.1);
      ASSERT_GE(remaining, 0);
      ASSERT_LE(remaining, before);
      before = remaining;
    }
    EXPECT_LT(before, 1e-300);
    for (const double depth : {0.0, -1.0}) EXPECT_EQ(law.remaining(depth, 3, 0.1), 0);
    for (const double depth : {0.0, 5e-324, 1.0}) EXPECT_EQ(law.remaining(depth, 0, 0.1), 1);
    EXPECT_EQ(law.remaining(1, infinite, 0.1), 0);
    EXPECT_TRUE(std::isnan(law.remaining(1, std::numeric_limits<double>::quiet_NaN(), 0.1)));
  }
  EXPECT_EQ(FrictionLaw::manning(infinite, g).remaining(1, 2, 0.1), 0);
}

class BedFrictionOf : public testing::TestWithParam<const char*> {
 protected:
  static void apply(test::Trial& trial, double dt) {
    offered<BedFriction>(*trial.discretization)
        ->apply_bed_friction(laws[0], dt, trial.forces, trial.state, trial.right_side.scratch());
  }
};
INSTANTIATE_TEST_SUITE_P(Schemes, BedFrictionOf, testing::Values("fefv", "dec", "kinetic"));

TEST_P(BedFrictionOf, slows_a_uniform_flow_as_the_law_says) {
  constexpr double depth = 0.4, dt = 20, round_off = 1e-13;
  const Vector3 v(1.5, -0.8, 0);
  test::Configuration setup{.mesh = "rectangle:12x8:3x2:jittered:periodic", .discretization = GetParam()};
  setup.parameters = {{"dual", "barycentric"}};
  setup.initial = {[](const Vector3&) { return depth; }, [v](const Vector3&) { return v; }};
  test::Trial trial(setup);
  const Vector start = trial.velocity();
  apply(trial, dt);
  const double remaining = laws[0].remaining(depth, v.norm(), dt);
  EXPECT_LT(remaining, 0.6);
  EXPECT_LT((trial.velocity() - remaining * start).lpNorm<Eigen::Infinity>(),
            round_off * start.lpNorm<Eigen::Infinity>());
}

/// The speed that belongs to a velocity site of a curved surface: solid rotation over a bed that is not level.
TEST_P(BedFrictionOf, converges_on_a_curved_surface) {
  const auto error = [](int level) {
    test::Configuration setup{.mesh = "icosphere:" + std::to_string(level), .discretization = GetParam()};
    const auto depth = [](const Vector3& x) { return 0.4 + 0.2 * x.z(); };
    setup.initial = {depth, [](const Vector3& x) { return Vector3(2 * Vector3(-x.y(), x.x(), 0)); }};
    test::Trial trial(setup), solution(setup);
    apply(trial, 1);
    setup.initial.velocity = [depth](const Vector3& x) {
      const Vector3 v = 2 * Vector3(-x.y(), x.x(), 0);
      return Vector3(laws[0].remaining(depth(x), v.norm(), 1) * v);
    };
    const Values velocity = trial.sample("velocity"), exact = test::Trial(setup).sample("velocity");
    return (velocity - exact).norm() / exact.norm();
  };
  const double coarse = error(3), fine = error(4);
  EXPECT_LT(coarse, 0.01);
  // The vectors of cells, from which dec has the speed, are of first order where triangles are not equilateral.
  const double min_order = std::string(GetParam()) == "dec" ? 1.5 : 1.8;
  EXPECT_GT(std::log2(coarse / fine), min_order) << coarse << ", " << fine;
}

TEST_P(BedFrictionOf, neither_reverses_nor_accelerates_any_flow) {
  for (const char* mesh : {"icosphere:2", "rectangle:12x8:structured", "blob:3:slivers"})
    for (const double dt : {0.01, 1e6}) {
      test::Configuration setup{.mesh = mesh, .discretization = GetParam()};
      setup.parameters = {{"dual", "intrinsic"}};
      test::Trial trial(setup);
      trial.velocity() = test::random_vector(trial.velocity().size(), 1);
      const Vector start = trial.velocity();
      apply(trial, dt);
      EXPECT_GE((trial.velocity().array() * start.array()).minCoeff(), 0);
      EXPECT_LT((trial.velocity().cwiseAbs() - start.cwiseAbs()).maxCoeff(), 0);
    }
}

TEST_P(BedFrictionOf, stops_what_has_no_depth) {
  test::Configuration setup{.mesh = "icosphere:2", .discretization = GetParam()};
  setup.initial.depth = [](const Vector3& x) { return std::max(0.0, x.z()); };
  test::Trial trial(setup);
  trial.velocity() = test::random_vector(trial.velocity().size(), 1);
  apply(trial, 0.1);
  EXPECT_TRUE(trial.velocity().allFinite());
  const Values depth = trial.sample("depth_at_faces"), velocity = trial.sample("velocity");
  for (Index k = 0; k < trial.surface.mesh.face_count(); ++k)
    if (trial.surface.x.col(trial.surface.mesh.faces(0, k)).z() < -0.5) {
      EXPECT_EQ(depth(0, k), 0);
      EXPECT_EQ(velocity.col(k).norm(), 0);
    }
}

}  // namespace
}  // namespace shoal
