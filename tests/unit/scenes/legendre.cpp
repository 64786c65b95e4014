// Legendre expansions: the quadrature, the start, and the linear wave equation they must satisfy.
#include "experiments/scenes/legendre.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

constexpr double radius = 1.5, depth = 0.7, gravity = 9.81;

double bump(double angle) {
  return 0.1 * std::exp(-angle * angle / 0.25);
}
LegendreWave wave() {
  return LegendreWave(bump, 64, radius, depth, gravity);
}

double depth_at(const LegendreWave& linear, double angle, double time) {
  Vector value;
  linear.evaluate(Vector::Constant(1, std::cos(angle)), time, value);
  return value[0];
}

TEST(GaussLegendre, IntegratesPolynomialsUpToTwiceItsNodesLessOne) {
  constexpr Index nodes = 12;
  const GaussLegendre rule = gauss_legendre(nodes);
  for (int power = 0; power <= 2 * nodes - 1; ++power) {
    const double integral = (rule.node.array().pow(power) * rule.weight.array()).sum();
    EXPECT_NEAR(integral, power % 2 == 0 ? 2.0 / (power + 1) : 0.0, 1e-14) << "x^" << power;
  }
  // The next power must not be exact: the error of 2/(2n+1) is about 2^(-2n).
  EXPECT_GT(std::abs((rule.node.array().pow(2 * nodes) * rule.weight.array()).sum() - 2.0 / (2 * nodes + 1)),
            1e-8);
}

TEST(LegendreWave, ReproducesTheInitialElevation) {
  const LegendreWave linear = wave();
  for (int i = 0; i <= 200; ++i) {
    const double angle = std::numbers::pi * i / 200;
    EXPECT_NEAR(depth_at(linear, angle, 0) - depth, bump(angle), 1e-10 * bump(0)) << "at angle " << angle;
  }
}

TEST(LegendreWave, ExpandsASingleHarmonicExactly) {
  const LegendreWave linear([](double angle) { return 1.5 * std::cos(angle) * std::cos(angle) - 0.5; }, 8,
                            radius, depth, gravity);
  EXPECT_NEAR((linear.coefficients() - Vector::Unit(9, 2)).lpNorm<Eigen::Infinity>(), 0, 1e-14);
  EXPECT_DOUBLE_EQ(linear.angular_frequency(2), std::sqrt(gravity * depth * 6) / radius);
}

TEST(LegendreWave, SatisfiesTheLinearWaveEquation) {
  const LegendreWave linear = wave();
  const double e = 1e-3, celerity_squared = gravity * depth / (radius * radius);
  for (const double time : {0.05, 0.4, 1.1})
    for (const double angle : {0.2, 0.8, 1.6, 2.9}) {
      const auto h = [&](double a, double t) { return depth_at(linear, a, t); };
      const double h_tt = (h(angle, time + e) - 2 * h(angle, time) + h(angle, time - e)) / (e * e);
      const double flux_after = std::sin(angle + e / 2) * (h(angle + e, time) - h(angle, time)) / e;
      const double flux_before = std::sin(angle - e / 2) * (h(angle, time) - h(angle - e, time)) / e;
      const double laplacian = (flux_after - flux_before) / (e * std::sin(angle));
      // Terms are of size gH·amplitude/width² ≈ 2.7; differences of step 1e-3 are off by e²/width⁴ and
      // round-off by 1e-9.
      EXPECT_NEAR(h_tt, celerity_squared * laplacian, 1e-4) << "t = " << time << ", angle " << angle;
    }
}

TEST(LegendreWave, StartsAtRest) {
  const LegendreWave linear = wave();
  const double e = 1e-4;
  for (const double angle : {0.0, 0.5, 2.0})
    EXPECT_NEAR(depth_at(linear, angle, e), depth_at(linear, angle, -e), 1e-15);
}

}  // namespace
}  // namespace shoal
