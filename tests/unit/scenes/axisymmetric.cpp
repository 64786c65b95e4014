// The one-dimensional nonlinear computation, on the sphere and in the plane: rest, order, volume, and agreement with independent
// solutions.
#include "experiments/scenes/axisymmetric.hpp"
#include "experiments/scenes/legendre.hpp"
#include "experiments/scenes/stoker.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <limits>
#include <numbers>
#include <thread>
#include <utility>
#include <vector>

namespace shoal {
namespace {

using std::numbers::pi;

AxisymmetricSetting bump(double amplitude, bool advection, Index cells) {
  AxisymmetricSetting setting;
  setting.depth = [=](double angle) { return 1 + amplitude * std::exp(-angle * angle / 0.25); };
  setting.length = 0.5;
  setting.amplitude = amplitude;
  setting.advection = advection;
  setting.cells = cells;
  return setting;
}

const Vector angles = Vector::LinSpaced(501, 0, pi);

Vector depth_of(const AxisymmetricSetting& setting, double time, const Vector& at = angles) {
  AxisymmetricFlow flow(setting);
  Vector depth;
  flow.evaluate(at, time, depth);
  return depth;
}

/// ‖a − b‖/‖a − 1‖ over the sphere.
double relative_difference(const Vector& a, const Vector& b) {
  const Vector weight = angles.array().sin().max(0).sqrt();
  return weight.cwiseProduct(a - b).norm() / weight.cwiseProduct((a.array() - 1).matrix()).norm();
}

/// Independent of the code under test: a C-grid in advective form, η_t = −∂(sin θ η̄u)/(R sin θ),
/// u_t = −∂(gη + ½u²), central differences, Runge–Kutta 4; R = 1. Good only while the flow is smooth.
Vector staggered_solution(double amplitude, bool advection, Index cells, double end) {
  using Array = Eigen::ArrayXd;
  const double spacing = pi / cells, g = 9.81;
  const Array faces = Array::LinSpaced(cells + 1, 0, cells) * spacing;
  const Array centers = faces.head(cells) + spacing / 2;
  const Array sine = faces.sin(), area = faces.head(cells).cos() - faces.tail(cells).cos();
  const Index inner = cells - 1;
  Array depth = 1 + amplitude * (-centers.square() / 0.25).exp(), u = Array::Zero(inner);
  const auto rates = [&](const Array& eta, const Array& v, Array& eta_rate, Array& v_rate) {
    Array flux = Array::Zero(cells + 1), padded = Array::Zero(cells + 1);
    flux.segment(1, inner) = sine.segment(1, inner) * 0.5 * (eta.head(inner) + eta.tail(inner)) * v;
    padded.segment(1, inner) = v;
    eta_rate = (flux.head(cells) - flux.tail(cells)) / area;
    Array head = g * eta;
    if (advection) head += 0.25 * (padded.head(cells).square() + padded.tail(cells).square());
    v_rate = (head.head(inner) - head.tail(inner)) / spacing;
  };
  const int steps = static_cast<int>(std::ceil(end / (0.3 * spacing / std::sqrt(g))));
  const double dt = end / steps;
  Array k1, l1, k2, l2, k3, l3, k4, l4;
  for (int step = 0; step < steps; ++step) {
    rates(depth, u, k1, l1);
    rates(depth + dt / 2 * k1, u + dt / 2 * l1, k2, l2);
    rates(depth + dt / 2 * k2, u + dt / 2 * l2, k3, l3);
    rates(depth + dt * k3, u + dt * l3, k4, l4);
    depth += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    u += dt / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return depth.matrix();
}

class AxisymmetricFlowTest : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Advection, AxisymmetricFlowTest, testing::Bool(),
                         [](const auto& tested) { return tested.param ? "On" : "Off"; });

TEST_P(AxisymmetricFlowTest, KeepsAFlatSurfaceToRoundOff) {
  const Vector depth = depth_of(bump(0, GetParam(), 100), 1.0);
  EXPECT_LE((depth.array() - 1).abs().maxCoeff(), 1e-14);  // 45 units in the last place after 120 steps
}

TEST_P(AxisymmetricFlowTest, StartsFromTheGivenDepth) {
  const Vector depth = depth_of(bump(0.1, GetParam(), 400), 0);
  const Vector exact = 1 + 0.1 * (-angles.array().square() / 0.25).exp();
  EXPECT_LE((depth - exact).lpNorm<Eigen::Infinity>(),
            1e-8);  // cubic interpolation: (Δθ/width)⁴ of the amplitude
}

TEST_P(AxisymmetricFlowTest, ConvergesAtSecondOrder) {
  // Differences between N and 2N rings, printed and recorded for N = 250, 500, 1000.
  std::vector<Vector> depth;
  for (const Index cells : {250, 500, 1000, 2000})
    depth.push_back(depth_of(bump(0.1, GetParam(), cells), 1.0));
  const double coarse = relative_difference(depth[1], depth[0]),
               middle = relative_difference(depth[2], depth[1]),
               fine = relative_difference(depth[3], depth[2]);
  std::printf("differences %.2e, %.2e, %.2e: orders %.2f, %.2f\n", coarse, middle, fine,
              std::log2(coarse / middle), std::log2(middle / fine));
  EXPECT_GE(std::log2(coarse / middle), 1.9);
  EXPECT_GE(std::log2(middle / fine), 1.9);
  EXPECT_LE(fine, 1e-4);  // the accuracy of the scene's own resolution, 1000 rings
}

TEST_P(AxisymmetricFlowTest, AgreesWithAStaggeredSchemeInAdvectiveForm) {
  constexpr Index cells = 1000;
  const double end = 1.0;
  const Vector centers = (Vector::LinSpaced(cells, 0, cells - 1).array() + 0.5) * (pi / cells);
  const Vector ours = depth_of(bump(0.1, GetParam(), cells), end, centers);
  const Vector theirs = staggered_solution(0.1, GetParam(), cells, end);
  // Two second-order schemes with errors of about 1e-4 of the elevation; leaving out or doubling the
  // advection of momentum moves the result by 0.07 of it.
  EXPECT_LE((ours - theirs).norm() / (ours.array() - 1).matrix().norm(), 1e-3);
}

TEST_P(AxisymmetricFlowTest, TendsToTheLinearSolutionForSmallAmplitudes) {
  std::vector<double> differences;
  for (const double amplitude : {1e-2, 1e-3}) {
    const LegendreWave linear([=](double angle) { return amplitude * std::exp(-angle * angle / 0.25); }, 64,
                              1, 1, 9.81);
    Vector expected;
    linear.evaluate(angles.array().cos().matrix(), 1.0, expected);
    differences.push_back(relative_difference(expected, depth_of(bump(amplitude, GetParam(), 1000), 1.0)));
  }
  EXPECT_LE(differences[1], 5e-3);
  EXPECT_NEAR(differences[0] / differences[1], 10, 0.5);  // first order in amplitude/depth
}

TEST_P(AxisymmetricFlowTest, ConservesVolume) {
  const GaussLegendre rule = gauss_legendre(400);
  const Vector at = rule.node.array().acos();
  const auto volume = [&](double time) {
    return depth_of(bump(0.1, GetParam(), 500), time, at).dot(rule.weight);
  };
  EXPECT_NEAR(volume(1.5), volume(0), 1e-6);  // the quadrature of the interpolated rings; theirs is exact
}

TEST_P(AxisymmetricFlowTest, GivesTheSameWhateverTheOrderOfTimesAndThreads) {
  const AxisymmetricSetting setting = bump(0.1, GetParam(), 200);
  AxisymmetricFlow flow(setting);
  std::vector<Vector> depth(4);
  const double times[] = {0.9, 0.3, 0.6, 0.0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&, i] { flow.evaluate(angles, times[i], depth[i]); });
  for (std::thread& thread : threads) thread.join();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(depth[i], depth_of(setting, times[i]));
}

TEST_P(AxisymmetricFlowTest, BeginsAnewForTimesOfWhichNothingIsKept) {
  AxisymmetricSetting setting = bump(0.1, GetParam(), 200);
  const Vector early = depth_of(setting, 0.1), late = depth_of(setting, 0.9);
  setting.memory = 0;
  AxisymmetricFlow flow(setting);
  Vector depth;
  for (const double time : {0.9, 0.1, 0.9}) {
    flow.evaluate(angles, time, depth);
    EXPECT_EQ(depth, time == 0.1 ? early : late);
  }
}

TEST(AxisymmetricFlow, SaysWhatItTakes) {
  AxisymmetricSetting setting = bump(0.1, true, 500);
  const double rate = AxisymmetricFlow(setting).work_rate();
  // In a step a wave crosses 0.8 of a ring of π/500 rad, less where a frame is not a whole number of steps.
  const double steps = std::sqrt(9.81 * 1.1) / (0.8 * pi / 500);
  EXPECT_GE(rate, 500 * steps);
  EXPECT_LE(rate, 1.3 * 500 * steps);
  setting.radius = 1e-12;
  EXPECT_NEAR(AxisymmetricFlow(setting).work_rate() / rate, 1e12, 1e3);
  setting.gravity = std::numeric_limits<double>::max();
  setting.depth = [](double) { return 1e300; };
  EXPECT_EQ(AxisymmetricFlow(setting).work_rate(), std::numeric_limits<double>::infinity());
}

TEST(AxisymmetricFlow, StaysBoundedAtShocks) {
  // At 0.9 of the depth the front breaks before t = 0.6; a scheme without limiter rings at 0.1 and more.
  const Vector coarse = depth_of(bump(0.9, true, 500), 0.6), fine = depth_of(bump(0.9, true, 1000), 0.6);
  EXPECT_LE(relative_difference(fine, coarse), 0.05);
  const Vector steps = fine.tail(500) - fine.head(500);
  EXPECT_LE(steps.cwiseAbs().sum(), 2 * (fine.maxCoeff() - fine.minCoeff()) * 1.2);  // up once and down once
}

/// A circular basin with a wall at 4 m.
AxisymmetricSetting basin(std::function<double(double)> depth, double amplitude, Index cells) {
  return {
      .plane_radius = 4, .depth = std::move(depth), .length = 0.5, .amplitude = amplitude, .cells = cells};
}

const Vector distances = Vector::LinSpaced(401, 0, 4);

Vector depth_in_the_plane(const AxisymmetricSetting& setting, double time) {
  AxisymmetricFlow flow(setting);
  Vector depth;
  flow.evaluate(distances, time, depth);
  return depth;
}

/// ‖a − b‖ over the disc, in m².
double distance_in_the_plane(const Vector& a, const Vector& b) {
  return std::sqrt(distances.dot((a - b).cwiseAbs2()));
}

TEST(AxisymmetricFlowInThePlane, SwingsAsABesselFunctionForSmallAmplitudes) {
  // h = a J₀(kr) cos(√(gH) k t), J₀'(4k) = 0 at the wall.
  constexpr double zero = 3.831705970207512, a = 1e-4;
  const double k = zero / 4, frequency = std::sqrt(9.81) * k;
  const Vector mode = distances.unaryExpr([&](double r) { return std::cyl_bessel_j(0.0, k * r); });
  for (const double periods : {0.25, 0.5, 1.3}) {
    const double time = periods * 2 * pi / frequency;
    const Vector depth = depth_in_the_plane(
        basin([&](double r) { return 1 + a * std::cyl_bessel_j(0.0, k * r); }, a, 400), time);
    const Vector exact = (1 + a * std::cos(frequency * time) * mode.array()).matrix();
    EXPECT_LE((depth - exact).lpNorm<Eigen::Infinity>(), 2e-3 * a) << periods;  // 1e-4 a of it nonlinear
  }
}

TEST(AxisymmetricFlowInThePlane, ConvergesAtSecondOrder) {
  std::vector<Vector> depth;
  for (const Index cells : {250, 500, 1000, 2000})
    depth.push_back(
        depth_in_the_plane(basin([](double r) { return 1 + 0.1 * std::exp(-r * r / 0.25); }, 0.1, cells),
                           1.5));  // after the wall
  const double coarse = distance_in_the_plane(depth[1], depth[0]),
               middle = distance_in_the_plane(depth[2], depth[1]),
               fine = distance_in_the_plane(depth[3], depth[2]);
  EXPECT_GE(std::log2(coarse / middle), 1.9);
  EXPECT_GE(std::log2(middle / fine), 1.9);
}

TEST(AxisymmetricFlowInThePlane, KeepsAFlatSurfaceAndTheVolume) {
  const Vector flat = depth_in_the_plane(basin([](double) { return 1.0; }, 0, 100), 2);
  EXPECT_LE((flat.array() - 1).abs().maxCoeff(), 1e-14);
  const auto step = [](double r) { return r < 1 ? 2.0 : 0.5; };
  constexpr Index cells = 800;
  AxisymmetricFlow flow(basin(step, 0, cells));
  const Vector rings = (Vector::LinSpaced(cells, 0, cells - 1).array() + 0.5) * (4.0 / cells);
  const auto volume = [&](double time) {
    Vector depth;
    flow.evaluate(rings, time, depth);  // at the rings themselves the interpolation in space is exact
    return depth.dot(rings);
  };
  EXPECT_NEAR(volume(1.7) / volume(0), 1, 1e-13);
}

/// Near a dam far from the axis the flow is that of a plane dam, up to terms of the size of ct/r.
TEST(AxisymmetricFlowInThePlane, BreaksADamFarFromTheAxisAsInAChannel) {
  for (const double outside : {1.0, 1e-6}) {
    const double radius = 4000, time = 2;
    AxisymmetricSetting setting = {.plane_radius = radius + 100,
                                   .depth = [=](double r) { return r < radius ? 10 : outside; },
                                   .length = 7.5,  // a frame for each ring that a wave crosses
                                   .amplitude = 0,
                                   .cells = 16400};
    const StokerDamBreak dam(10, outside, setting.gravity);
    const Vector at = Vector::LinSpaced(401, radius - 40, radius + 60);
    AxisymmetricFlow flow(setting);
    Vector depth;
    flow.evaluate(at, time, depth);
    double difference = 0, total = 0;
    for (Index i = 0; i < at.size(); ++i) {
      const double exact = dam.depth((at[i] - radius) / time);
      difference += std::abs(depth[i] - exact);
      total += exact;
    }
    constexpr double within =
        0.004;  // 0.002 due to ct/r, the rest at the shock, which is two of 400 points wide
    EXPECT_LE(difference / total, within) << outside;
  }
}

}  // namespace
}  // namespace shoal
