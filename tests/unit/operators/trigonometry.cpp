// Vectorised angles and directions compared with those of the C library in extended precision.
#include "discretizations/operators/trigonometry.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace shoal {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr int samples = 200'000;

/// Angles in (0, π), many of them next to the ends and to π/2.
double sample(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const double near = std::pow(10, -10 * uniform(engine));
  switch (engine() % 4) {
    case 0:
      return near;
    case 1:
      return std::numbers::pi - near;
    case 2:
      return 0.5 * std::numbers::pi + (uniform(engine) < 0.5 ? near : -near);
    default:
      return std::numbers::pi * uniform(engine);
  }
}

TEST(Trigonometry, arc_cotangent_is_within_two_units_in_the_last_place) {
  std::mt19937_64 engine(1);
  for (int i = 0; i < samples; ++i) {
    const long double angle = sample(engine);
    const double cotangent = static_cast<double>(std::cos(angle) / std::sin(angle));
    const long double exact = std::atan2(1.0L, static_cast<long double>(cotangent));
    ASSERT_LE(std::abs(arc_cotangent(cotangent) - exact), 2 * epsilon * exact) << cotangent;
  }
  EXPECT_DOUBLE_EQ(arc_cotangent(0), 0.5 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(arc_cotangent(1), 0.25 * std::numbers::pi);
  EXPECT_DOUBLE_EQ(arc_cotangent(-1), 0.75 * std::numbers::pi);
}

TEST(Trigonometry, cosine_and_sine_are_those_of_the_c_library_to_round_off) {
  std::mt19937_64 engine(2);
  for (int i = 0; i < samples; ++i) {
    const double angle = 4 * sample(engine) - 2 * std::numbers::pi;
    double cosine = 0, sine = 0;
    cosine_and_sine(angle, cosine, sine);
    ASSERT_LE(std::abs(cosine - std::cos(static_cast<long double>(angle))), epsilon) << angle;
    ASSERT_LE(std::abs(sine - std::sin(static_cast<long double>(angle))), epsilon) << angle;
  }
}

}  // namespace
}  // namespace shoal
