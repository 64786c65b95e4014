// Rigid bodies: free flight, contacts, and lossless saving.
#include "solvers/coupling/bodies.hpp"

#include "discretizations/common/error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

BodySetting ball(const std::string& name, const Vector3& position, const Vector3& velocity) {
  return {.name = name,
          .solid = std::make_shared<Ball>(0.5),
          .density = 700,
          .pose = {.position = position},
          .velocity = velocity};
}

/// Velocities first: z_n = z_0 + v_0 t − ½ g t (t + Δt).
TEST(Bodies, fall_freely) {
  Bodies bodies(Vector3(0, 0, -10));
  bodies.add(ball("ball", Vector3(1, 2, 3), Vector3(0.5, 0, 4)));
  const double dt = 0.01;
  for (int i = 0; i < 100; ++i) bodies.step(dt);
  EXPECT_NEAR((bodies.pose(0).position - Vector3(1.5, 2, 3 + 4 - 5 * 1.01)).norm(), 0, 1e-12);
  EXPECT_NEAR((bodies.velocity(0) - Vector3(0.5, 0, -6)).norm(), 0, 1e-12);
}

TEST(Bodies, take_an_impulse_where_it_acts) {
  Bodies bodies(Vector3::Zero());
  BodySetting box{.name = "box", .solid = std::make_shared<Box>(Vector3(1, 2, 3)), .density = 2};
  bodies.add(box);
  bodies.add_impulse(0, Vector3(0, 6, 0), Vector3(0.5, 0, 0));
  bodies.step(1e-9);
  EXPECT_NEAR(bodies.mass(0), 12, 1e-14);
  EXPECT_NEAR((bodies.velocity(0) - Vector3(0, 0.5, 0)).norm(), 0, 1e-12);
  // L = r × J = 3 e_z, about the axis of the longest side I = m (1 + 4)/12 = 5.
  EXPECT_NEAR((bodies.angular_velocity(0) - Vector3(0, 0, 0.6)).norm(), 0, 1e-9);
  EXPECT_NEAR(bodies.kinetic_energy(0), 0.5 * 12 * 0.25 + 0.5 * 5 * 0.36, 1e-8);
  EXPECT_NEAR((bodies.velocity_at(0, Vector3(0.5, 0, 1)) - Vector3(0, 0.5 + 0.3, 0)).norm(), 0, 1e-8);
}

/// A box that turns about its middle axis tumbles (Dzhanibekov). Its angular momentum in space is kept to round-off, its energy
/// to second order in the step, in whatever units.
TEST(Bodies, turn_freely_as_Euler_says) {
  const auto change = [](double scale, double dt) {
    Bodies bodies(Vector3::Zero());
    const Vector3 spin(0.01, 2, 0.02);
    bodies.add({.name = "box",
                .solid = std::make_shared<Box>(scale * Vector3(1, 2, 0.5)),
                .density = 500,
                .angular_velocity = spin});
    const Vector3 inertia = bodies.mass(0) / 12 * scale * scale * Vector3(4 + 0.25, 1 + 0.25, 1 + 4);
    const auto momentum = [&]() -> Vector3 {
      const Eigen::Matrix3d& r = bodies.pose(0).rotation;
      return r * inertia.asDiagonal() * r.transpose() * bodies.angular_velocity(0);
    };
    const Vector3 before = momentum();
    const double energy = bodies.kinetic_energy(0);
    double largest = 0, tilt = 1;
    for (int i = 0; i < static_cast<int>(std::lround(20 / dt)); ++i) {
      bodies.step(dt);
      largest = std::max(largest, std::abs(bodies.kinetic_energy(0) / energy - 1));
      tilt = std::min(tilt, bodies.pose(0).rotation(1, 1));
    }
    EXPECT_LT((momentum() - before).norm(), 1e-11 * before.norm()) << scale;
    EXPECT_LT(tilt, 0.999) << "it stands still in space";
    return largest;
  };
  const double coarse = change(1, 0.01), fine = change(1, 0.005);
  EXPECT_LT(coarse, 1e-3);
  EXPECT_GT(coarse / fine, 3.5);
  for (const double scale : {1e-4, 0.02, 100.0}) EXPECT_NEAR(change(scale, 0.01), coarse, 1e-11) << scale;
}

/// Two balls of equal mass that hit each other head-on leave with the part e of their velocity.
TEST(Bodies, bounce_off_each_other) {
  Bodies bodies(Vector3::Zero(), 0.5);
  bodies.add(ball("left", Vector3(-1, 0, 0), Vector3(1, 0, 0)));
  bodies.add(ball("right", Vector3(1, 0, 0), Vector3(-1, 0, 0)));
  for (int i = 0; i < 100; ++i) bodies.step(0.01);
  EXPECT_NEAR(bodies.velocity(0).x(), -bodies.velocity(1).x(), 1e-12);
  EXPECT_NEAR(bodies.velocity(1).x(), 0.25, 0.05);  // Bullet multiplies the restitutions of the two
  EXPECT_NEAR(bodies.velocity(0).tail<2>().norm(), 0, 1e-12);
}

/// In the middle of a heap of boxes that turn, slide and touch.
TEST(Bodies, go_on_with_the_same_bits_after_they_were_restored) {
  const auto heap = [](Bodies& bodies) {
    for (int i = 0; i < 6; ++i) {
      BodySetting box{.name = "box-" + std::to_string(i),
                      .solid = std::make_shared<Box>(Vector3(1, 0.8, 0.6)),
                      .pose = {.position = Vector3(0.1 * i, 0.13 * (i % 3), 0.9 * i)},
                      .velocity = Vector3(0, 0, -2.0 * i),
                      .angular_velocity = Vector3(1, 0.2 * i, -1)};
      bodies.add(box);
    }
  };
  const auto run = [](Bodies& bodies, int steps) {
    for (int i = 0; i < steps; ++i) bodies.step(0.01);
  };
  Bodies whole(Vector3(0, 0, -1)), resumed(Vector3(0, 0, -1));
  heap(whole);
  heap(resumed);
  run(whole, 40);
  Archive archive;
  whole.save(archive);
  run(whole, 60);
  run(resumed, 7);  // to reach a different state
  resumed.restore(archive);
  run(resumed, 60);
  bool touched = false;
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(whole.pose(i).position, resumed.pose(i).position) << i;
    EXPECT_EQ(whole.pose(i).rotation, resumed.pose(i).rotation) << i;
    EXPECT_EQ(whole.velocity(i), resumed.velocity(i)) << i;
    EXPECT_EQ(whole.angular_velocity(i), resumed.angular_velocity(i)) << i;
    touched = touched || std::abs(whole.velocity(i).z() + 2.0 * i + 1) > 0.1;
  }
  EXPECT_TRUE(touched);
}

TEST(Bodies, that_cannot_be_are_refused) {
  Bodies bodies(Vector3::Zero());
  bodies.add(ball("ball", Vector3::Zero(), Vector3::Zero()));
  EXPECT_THROW(bodies.add(ball("ball", Vector3(3, 0, 0), Vector3::Zero())), Error);  // the name
  BodySetting other = ball("other", Vector3(3, 0, 0), Vector3::Zero());
  other.density = 0;
  EXPECT_THROW(bodies.add(other), Error);
  other.density = 1;
  other.velocity.x() = std::nan("");
  EXPECT_THROW(bodies.add(other), Error);
  other.velocity.x() = 0;
  other.pose.rotation *= 2;
  EXPECT_THROW(bodies.add(other), Error);
  Archive two;
  other.pose.rotation *= 0.5;
  bodies.save(two);
  bodies.add(other);
  EXPECT_THROW(bodies.restore(two), Error);
}

}  // namespace
}  // namespace shoal
