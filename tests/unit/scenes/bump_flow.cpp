// Steady flow over a bump: published numbers, the equations by differences, and the conditions at a hydraulic jump.
#include "experiments/scenes/bump_flow.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

constexpr double g = 9.81;
const ParabolicBump bump;

FlowOverBump subcritical() {
  return {bump, 4.42, 2, g};
}
FlowOverBump transcritical() {
  return {bump, 1.53, 0.66, g};
}
FlowOverBump with_jump() {
  return {bump, 0.18, 0.33, g};
}

TEST(FlowOverBump, HasTheNumbersOfAnIndependentComputation) {
  constexpr double last_digit = 5e-10;
  EXPECT_NEAR(subcritical().depth(10), 1.707347468, last_digit);
  EXPECT_NEAR(transcritical().depth(0), 1.014446798, last_digit);
  ASSERT_TRUE(with_jump().jump());
  EXPECT_NEAR(*with_jump().jump(), 11.665618384, last_digit);
}

/// (ηu)_x = 0 and u u_x + g(η + z)_x = 0, by central differences, except at the kinks of the bed and at the jump.
void expect_solution(const FlowOverBump& flow, double discharge) {
  constexpr double step = 1e-4,
                   tolerance = 1e-6;  // third derivatives of size 1/m³ and more near the crest, times step²/6
  for (const double x : {1.0, 7.9, 8.1, 8.7, 9.6, 9.9, 10.1, 10.5, 11.5, 11.9, 12.1, 24.0}) {
    EXPECT_NEAR(flow.depth(x) * flow.velocity(x), discharge, 1e-14 * discharge);
    const auto head = [&](double at) { return flow.depth(at) + bump.bed(at); };
    const double inertia =
        flow.velocity(x) * (flow.velocity(x + step) - flow.velocity(x - step)) / (2 * step);
    const double pressure = g * (head(x + step) - head(x - step)) / (2 * step);
    EXPECT_NEAR(inertia + pressure, 0, tolerance) << x;
  }
}

TEST(FlowOverBump, SatisfiesTheEquations) {
  expect_solution(subcritical(), 4.42);
  expect_solution(transcritical(), 1.53);
  expect_solution(with_jump(), 0.18);
}

double froude(const FlowOverBump& flow, double x) {
  return flow.velocity(x) / std::sqrt(g * flow.depth(x));
}

TEST(FlowOverBump, PassesTheCriticalPointAtTheCrestAlone) {
  EXPECT_LT(froude(subcritical(), 10), 0.7);
  for (const FlowOverBump& flow : {transcritical(), with_jump()}) {
    EXPECT_NEAR(froude(flow, 10), 1, 1e-12);
    EXPECT_LT(froude(flow, 9.99), 0.9999);
    EXPECT_GT(froude(flow, 10.01), 1.0001);
    EXPECT_NEAR(flow.depth(10 - 1e-9), flow.depth(10 + 1e-9), 1e-8);
  }
  EXPECT_GT(froude(transcritical(), 25), 1);
  EXPECT_LT(froude(with_jump(), 25), 1);
  EXPECT_NEAR(subcritical().depth(25), 2, 1e-14);
  EXPECT_NEAR(with_jump().depth(25), 0.33, 1e-15);
}

TEST(FlowOverBump, ConservesMomentumAndLosesEnergyInTheJump) {
  const FlowOverBump flow = with_jump();
  const double x = *flow.jump(), e = 1e-9;
  const double before = flow.depth(x - e), behind = flow.depth(x + e), q = 0.18;
  EXPECT_GT(behind, 1.5 * before);
  const auto momentum = [&](double depth) { return q * q / depth + 0.5 * g * depth * depth; };
  EXPECT_NEAR(momentum(before), momentum(behind), 1e-8);
  const auto head = [&](double depth) { return depth + q * q / (2 * g * depth * depth); };
  EXPECT_LT(head(behind), head(before) - 1e-3);
}

TEST(FlowOverBump, HasAJumpOnlyIfTheLevelHoldsItOnTheBump) {
  // From the outlet's level upwards: swept out of the channel, on the bump, drowned.
  for (const auto& [level, critical, jump] :
       {std::tuple{0.25, true, false}, {0.33, true, true}, {0.36, true, true}, {0.42, false, false}}) {
    const FlowOverBump flow(bump, 0.18, level, g);
    EXPECT_EQ(flow.critical_at_crest(), critical) << level;
    EXPECT_EQ(flow.jump().has_value(), jump) << level;
  }
}

}  // namespace
}  // namespace shoal
