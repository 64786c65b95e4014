// The displacement of a dragged surface.
#include "experiments/motions/drag_path.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

TEST(DragPath, is_at_rest_before_the_first_command_and_comes_to_the_last_target) {
  DragPath path;
  EXPECT_TRUE(path.empty());
  EXPECT_EQ(path.at(3), Vector3::Zero());
  path.go_to({1, 0, 0}, 1);
  path.go_to({1, 2, 0}, 1.3);
  EXPECT_EQ(path.at(0.9), Vector3::Zero());
  EXPECT_EQ(path.at(1), Vector3::Zero());
  EXPECT_LT((path.at(6) - Vector3(1, 2, 0)).norm(), 1e-12);
}

TEST(DragPath, obeys_its_equation_with_a_continuous_velocity) {
  DragPath path;
  path.go_to({1, -1, 0}, 0.5);
  path.go_to({0, 0, 2}, 0.7);
  constexpr double delta = 1e-4, omega = DragPath::rate;
  const auto velocity = [&](double t) -> Vector3 {
    return (path.at(t + delta) - path.at(t - delta)) / (2 * delta);
  };
  for (const double t : {0.55, 0.65, 0.8, 1.5}) {
    const Vector3 acceleration = (path.at(t + delta) - 2 * path.at(t) + path.at(t - delta)) / (delta * delta);
    const Vector3 target = t < 0.7 ? Vector3(1, -1, 0) : Vector3(0, 0, 2);
    const Vector3 expected = omega * omega * (target - path.at(t)) - 2 * omega * velocity(t);
    EXPECT_LT((acceleration - expected).norm(), 1e-4) << t;
  }
  EXPECT_LT((velocity(0.7 - 2 * delta) - velocity(0.7 + 2 * delta)).norm(), 0.1);
  double fastest = 0;
  for (double t = 0.5; t < 0.7; t += 0.001) fastest = std::max(fastest, velocity(t).norm());
  EXPECT_NEAR(fastest, omega / std::numbers::e * std::sqrt(2), 0.01);
}

TEST(DragPath, before_a_command_is_as_without_it) {
  DragPath one, two;
  one.go_to({1, 0, 0}, 0.2);
  two.go_to({1, 0, 0}, 0.2);
  two.go_to({5, 0, 0}, 0.9);
  for (const double t : {0.1, 0.2, 0.5, 0.89}) EXPECT_EQ(one.at(t), two.at(t));
}

}  // namespace
}  // namespace shoal
