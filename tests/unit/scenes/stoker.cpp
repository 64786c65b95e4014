// The dam break: the published numbers, the equations inside the fan, the jump conditions at the shock.
#include "experiments/scenes/stoker.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

constexpr double g = 9.81, left = 0.005, right = 0.001;

TEST(StokerDamBreak, HasTheNumbersOfAnIndependentComputation) {
  const StokerDamBreak dam(left, right, g);
  EXPECT_NEAR(dam.middle_depth(), 0.002539357, 5e-10);  // half a unit of the last digit given
  EXPECT_NEAR(dam.middle_velocity(), 0.127279718, 5e-10);
  EXPECT_NEAR(dam.shock_speed(), 0.209963400, 5e-10);
  EXPECT_NEAR(5 + 6 * dam.fan_begin(), 3.671166, 5e-7);
  EXPECT_NEAR(5 + 6 * dam.fan_end(), 4.816683, 5e-7);
  EXPECT_NEAR(5 + 6 * dam.shock_speed(), 6.259780, 5e-7);
  EXPECT_NEAR(StokerDamBreak(10, 1, g).middle_depth(), 3.961748168, 5e-10);
}

TEST(StokerDamBreak, OnADryBedHasTheNumbersOfRitter) {
  const StokerDamBreak dam(left, 0, g);
  EXPECT_NEAR(dam.depth(0), 4 * left / 9, 1e-17);
  EXPECT_NEAR(dam.velocity(0), 2 * std::sqrt(g * left) / 3, 1e-15);
  EXPECT_NEAR(5 + 6 * dam.shock_speed(), 7.657668, 5e-7);
  EXPECT_EQ(dam.fan_end(), dam.shock_speed());
  EXPECT_NEAR(dam.depth(dam.shock_speed() * (1 - 1e-9)), 0, 1e-18);
  EXPECT_EQ(dam.depth(dam.shock_speed() * (1 + 1e-9)), 0);
  EXPECT_EQ(dam.velocity(dam.shock_speed() * (1 + 1e-9)), 0);
}

TEST(StokerDamBreak, TendsToThatOnADryBed) {
  // The middle depth falls as h_r^½: u* = h* √(g/2h_r) for h_r → 0.
  const StokerDamBreak dry(1, 0, g), film(1, 1e-12, g);
  for (const double speed : {-2.0, 0.0, 3.0, 6.0}) {
    EXPECT_NEAR(film.depth(speed), dry.depth(speed), 1e-12);
    EXPECT_NEAR(film.velocity(speed), dry.velocity(speed), 1e-12);
  }
  EXPECT_LT(film.middle_depth(), 1e-5);
}

TEST(StokerDamBreak, SatisfiesTheEquationsInsideTheFan) {
  for (const double right_depth : {right, 0.0}) {
    const StokerDamBreak dam(left, right_depth, g);
    const auto depth = [&](double x, double t) { return dam.depth(x / t); };
    const auto velocity = [&](double x, double t) { return dam.velocity(x / t); };
    const auto flux = [&](double x, double t) { return depth(x, t) * velocity(x, t); };
    const double t = 6, e = 1e-4;
    for (const double part : {0.1, 0.4, 0.7, 0.9}) {
      const double x = t * (dam.fan_begin() + part * (dam.fan_end() - dam.fan_begin()));
      const double mass =
          (depth(x, t + e) - depth(x, t - e)) / (2 * e) + (flux(x + e, t) - flux(x - e, t)) / (2 * e);
      const double momentum = (velocity(x, t + e) - velocity(x, t - e)) / (2 * e) +
                              velocity(x, t) * (velocity(x + e, t) - velocity(x - e, t)) / (2 * e) +
                              g * (depth(x + e, t) - depth(x - e, t)) / (2 * e);
      EXPECT_NEAR(mass, 0, 1e-9 * left);          // each term is about η/t
      EXPECT_NEAR(momentum, 0, 1e-9 * g * left);  // each term is about gη per metre
    }
  }
}

TEST(StokerDamBreak, IsContinuousAtBothEndsOfTheFan) {
  const StokerDamBreak dam(left, right, g);
  for (const double end : {dam.fan_begin(), dam.fan_end()}) {
    EXPECT_NEAR(dam.depth(end - 1e-12), dam.depth(end + 1e-12), 1e-12);
    EXPECT_NEAR(dam.velocity(end - 1e-12), dam.velocity(end + 1e-12), 1e-11);
  }
}

TEST(StokerDamBreak, SatisfiesTheJumpConditionsAtTheShock) {
  for (const auto& [before, behind] :
       {std::pair{left, right}, {10.0, 1.0}, {1.0, 1e-3}, {1.0, 0.999}, {1.0, 1e-6}}) {
    const StokerDamBreak dam(before, behind, g);
    const double speed = dam.shock_speed(), e = 1e-9 * speed;
    const double h1 = dam.depth(speed - e), u1 = dam.velocity(speed - e), h2 = dam.depth(speed + e),
                 u2 = dam.velocity(speed + e);
    ASSERT_GT(h1, h2);
    const double mass = h1 * u1 - h2 * u2 - speed * (h1 - h2);
    const double momentum =
        h1 * u1 * u1 + 0.5 * g * h1 * h1 - h2 * u2 * u2 - 0.5 * g * h2 * h2 - speed * (h1 * u1 - h2 * u2);
    EXPECT_NEAR(mass, 0, 1e-13 * h1 * speed) << before << "/" << behind;
    EXPECT_NEAR(momentum, 0, 1e-12 * h1 * speed * speed) << before << "/" << behind;
  }
}

}  // namespace
}  // namespace shoal
