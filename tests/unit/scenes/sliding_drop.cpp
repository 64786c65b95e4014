// The sliding drop: the equations by differences, its volume, and how far it gets.
#include "experiments/scenes/sliding_drop.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

const SlidingDrop drop = {.depth = 0.2, .radius = 1.5, .slope = 0.15};

/// η_t + ∇·(ηv) = 0 and v_t + v·∇v = −g∇(η + z), by central differences.
TEST(SlidingDrop, SatisfiesTheEquations) {
  constexpr double step = 1e-4,
                   tolerance = 1e-7;  // differences of second order of fields of size and scale one
  const auto slope = [](auto&& f) { return (f(step) - f(-step)) / (2 * step); };
  const auto flux_x = [](double x, double y, double t) {
    return drop.depth_at(x, y, t) * drop.velocity_at(x, y, t).x;
  };
  const auto flux_y = [](double x, double y, double t) {
    return drop.depth_at(x, y, t) * drop.velocity_at(x, y, t).y;
  };
  const auto surface = [](double x, double y, double t) { return drop.depth_at(x, y, t) - drop.slope * x; };
  for (const double t : {0.0, 0.4, 1.3})
    for (const auto& [right, y] : {std::pair{0.0, 0.2}, {-0.7, 0.4}, {0.6, -0.5}}) {
      const double x = right + drop.centre(t);
      ASSERT_GT(drop.depth_at(x, y, t), 0.01);
      const double mass = slope([&](double e) { return drop.depth_at(x, y, t + e); }) +
                          slope([&](double e) { return flux_x(x + e, y, t); }) +
                          slope([&](double e) { return flux_y(x, y + e, t); });
      EXPECT_NEAR(mass, 0, tolerance);
      const auto [u, v] = drop.velocity_at(x, y, t);
      const double along = slope([&](double e) { return drop.velocity_at(x, y, t + e).x; }) +
                           u * slope([&](double e) { return drop.velocity_at(x + e, y, t).x; }) +
                           v * slope([&](double e) { return drop.velocity_at(x, y + e, t).x; }) +
                           drop.gravity * slope([&](double e) { return surface(x + e, y, t); });
      const double across = slope([&](double e) { return drop.velocity_at(x, y, t + e).y; }) +
                            u * slope([&](double e) { return drop.velocity_at(x + e, y, t).y; }) +
                            v * slope([&](double e) { return drop.velocity_at(x, y + e, t).y; }) +
                            drop.gravity * slope([&](double e) { return surface(x, y + e, t); });
      EXPECT_NEAR(along, 0, tolerance);
      EXPECT_NEAR(across, 0, tolerance);
    }
}

TEST(SlidingDrop, KeepsItsVolume) {
  for (const double t : {0.0, 1.0, 3.0}) {  // ½π η(0) (λa)²
    const double width = drop.spread(t) * drop.radius;
    EXPECT_NEAR(drop.depth_at(drop.centre(t), 0, t) * width * width, drop.depth * drop.radius * drop.radius,
                1e-14);
    EXPECT_EQ(drop.depth_at(drop.centre(t) + 1.0001 * width, 0, t), 0);
    EXPECT_GT(drop.depth_at(drop.centre(t) + 0.9999 * width, 0, t), 0);
  }
}

TEST(SlidingDrop, SaysHowFarItSpreadsUphill) {
  for (const double end : {0.1, 0.5, 1.0, 2.0, 5.0}) {
    double least = 0;
    for (int i = 0; i <= 1000; ++i) {
      const double t = end * i / 1000;
      least = std::min(least, drop.centre(t) - drop.radius * drop.spread(t));
    }
    EXPECT_NEAR(drop.least_x(end), least, 1e-4);
  }
}

}  // namespace
}  // namespace shoal
