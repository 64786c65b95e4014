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

/// The others then move as if it had never been, and keep their numbers and the bits after they were restored.
TEST(Bodies, that_are_removed_touch_nothing_any_more) {
  const Vector3 gravity(0, 0, -10);
  Bodies bodies(gravity), alone(gravity), resumed(gravity);
  for (Bodies* each : {&bodies, &resumed}) {
    each->add(ball("first", Vector3::Zero(), Vector3::Zero()));
    each->add(ball("second", Vector3(0, 0, 1.2), Vector3(0, 0, -6)));
  }
  alone.add(ball("second", Vector3(0, 0, 1.2), Vector3(0, 0, -6)));
  bodies.add_impulse(0, Vector3(1, 2, 3), Vector3::Zero());
  bodies.remove(0);
  Archive archive;
  bodies.save(archive);
  resumed.restore(archive);
  for (int i = 0; i < 50; ++i)
    for (Bodies* each : {&bodies, &alone, &resumed}) each->step(0.01);
  ASSERT_EQ(bodies.count(), 2);
  EXPECT_FALSE(bodies.is_present(0));
  EXPECT_FALSE(resumed.is_present(0));
  EXPECT_TRUE(resumed.is_present(1));
  EXPECT_LT(alone.pose(0).position.z(), -2) << "it flies through the place of the other";
  for (const Bodies* each : {&bodies, &resumed}) {
    EXPECT_EQ(each->pose(1).position, alone.pose(0).position);
    EXPECT_EQ(each->velocity(1), alone.velocity(0));
    EXPECT_EQ(each->energy(), alone.energy());
  }
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

/// A plane through the origin, at this angle about y, under bodies 0 … count − 1: n × n squares, each divided in two.
std::vector<Ground> plane(int count, double angle, double friction, const Vector3& shift = Vector3::Zero()) {
  constexpr int n = 12;
  constexpr double width = 6;
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(angle, Vector3::UnitY()).toRotationMatrix();
  const auto at = [&](int i, int j) -> Vector3 {
    return shift + turn * (width * Vector3(i - 0.53 * n, j - 0.47 * n, 0) / n);
  };
  Ground ground{.corners = Points(3, 6 * n * n), .friction = friction};
  Eigen::Index next = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (const Vector3& corner :
           {at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j), at(i + 1, j + 1), at(i, j + 1)})
        ground.corners.col(next++) = corner;
  std::vector<Ground> grounds;
  for (ground.body = 0; ground.body < count; ++ground.body) grounds.push_back(ground);
  return grounds;
}

constexpr double g = 9.81;

BodySetting box_on(double angle, double side, double height) {
  BodySetting box{.name = "box", .solid = std::make_shared<Box>(Vector3::Constant(side))};
  box.pose.rotation = Eigen::AngleAxisd(angle, Vector3::UnitY()).toRotationMatrix();
  box.pose.position = box.pose.rotation * Vector3(0, 0, 0.5 * side + height);
  return box;
}

/// A box that falls lies on the ground, whatever its size, and does not sink into it. Its weight is the impulse of the ground.
TEST(Ground, holds_a_box_that_fell_on_it) {
  for (const double side : {0.1, 1.0}) {
    const double dt = 2e-3 * std::sqrt(side);
    Bodies bodies(Vector3(0, 0, -g));
    bodies.add(box_on(0, side, side));
    const std::vector<Ground> floor = plane(1, 0, 0.5);
    const int steps = 1500;
    for (int i = 0; i < steps; ++i) bodies.step(dt, floor);
    EXPECT_NEAR(bodies.pose(0).position.z(), 0.5 * side, 1e-6 * side);
    EXPECT_LT(bodies.pose(0).position.head<2>().norm(),
              0.05 * side);  // its corners do not meet all triangles at once
    EXPECT_LT(bodies.velocity(0).norm(), 1e-6 * std::sqrt(g * side));
    const Vector3 balance = bodies.mass(0) * (bodies.velocity(0) + Vector3(0, 0, g * steps * dt));
    EXPECT_NEAR((bodies.ground_impulse() - balance).norm(), 0, 1e-10 * balance.norm());
  }
}

/// On a slope, a box slides with g (sin α − μ cos α), or lies still if the friction exceeds the slope.
TEST(Ground, resists_sliding_by_Coulombs_law) {
  const double angle = 0.4, dt = 1e-3, time = 0.4;
  for (const double friction : {0.0, 0.2, 0.35, 0.6}) {
    Bodies bodies(Vector3(0, 0, -g));
    bodies.add(box_on(angle, 0.2, 0));
    const std::vector<Ground> slope = plane(1, angle, friction);
    const Vector3 start = bodies.pose(0).position;
    for (int i = 0; i < std::lround(time / dt); ++i) bodies.step(dt, slope);
    const double acceleration = std::max(0.0, g * (std::sin(angle) - friction * std::cos(angle)));
    const Vector3 down(std::cos(angle), 0, -std::sin(angle));
    EXPECT_NEAR(bodies.velocity(0).dot(down), acceleration * time, 0.02 * g * time) << friction;
    EXPECT_NEAR((bodies.pose(0).position - start).dot(down), 0.5 * acceleration * time * time,
                0.02 * 0.5 * g * time * time)
        << friction;
  }
}

/// In one step it would pass through the plane.
TEST(Ground, stops_a_fast_ball) {
  Bodies bodies(Vector3(0, 0, -g));
  bodies.add(ball("ball", Vector3(0, 0, 3.5), Vector3(0, 0, -400)));
  const std::vector<Ground> floor = plane(1, 0, 0.5);
  for (int i = 0; i < 200; ++i) bodies.step(0.01, floor);
  EXPECT_GT(bodies.pose(0).position.z(), 0);
}

/// Of a box on a peak, only a corner of the ground touches it; of a mesh on a plane, one of its own; of a ball in a corner of the ground,
/// whatever is nearest.
TEST(Ground, holds_bodies_at_corners_of_either) {
  const auto height_on = [](const std::shared_ptr<const Solid>& solid, const Pose& pose,
                            const Ground& ground) {
    Bodies bodies(Vector3(0, 0, -g));
    bodies.add({.name = "body", .solid = solid, .pose = pose});
    for (int i = 0; i < 150; ++i) bodies.step(2e-3, {ground});
    EXPECT_LT(bodies.velocity(0).norm(), 0.01);  // the upright octahedron begins to fall
    return bodies.pose(0).position.z();
  };
  Ground peak{.corners = Points(3, 12), .friction = 0.5};
  const Vector3 top(0, 0, 0.3), base[] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
  for (int i = 0; i < 4; ++i) {
    peak.corners.col(3 * i) = base[i];
    peak.corners.col(3 * i + 1) = base[(i + 1) % 4];
    peak.corners.col(3 * i + 2) = top;
  }
  EXPECT_NEAR(
      height_on(std::make_shared<Box>(Vector3(0.5, 0.5, 0.4)), {.position = Vector3(0, 0, 0.51)}, peak), 0.5,
      1e-4);
  EXPECT_NEAR(height_on(std::make_shared<Ball>(0.2), {.position = Vector3(0, 0, 0.51)}, peak), 0.5, 1e-4);
  peak.corners.row(2) *= -1;  // a funnel, in which a ball touches all sides
  for (int i = 0; i < 4; ++i) peak.corners.col(3 * i).swap(peak.corners.col(3 * i + 1));
  peak.corners.row(0) *= -1;
  const double slope = std::hypot(1, 0.3);
  EXPECT_NEAR(height_on(std::make_shared<Ball>(0.2), {.position = Vector3(0, 0, -0.08)}, peak),
              -0.3 + 0.2 * slope, 2e-3);
  const auto octahedron = std::make_shared<TriangleSolid>(
      (Faces(3, 8) << 0, 1, 2, 3, 1, 2, 3, 0, 1, 2, 3, 0, 0, 1, 2, 3, 4, 4, 4, 4, 5, 5, 5, 5).finished(),
      (Points(3, 6) << 0.2, 0, -0.2, 0, 0, 0, 0, 0.2, 0, -0.2, 0, 0, 0, 0, 0, 0, 0.2, -0.2).finished());
  EXPECT_NEAR(height_on(octahedron, {.position = Vector3(0, 0, 0.21)}, plane(1, 0, 0.5).front()), 0.2, 1e-4);
}

/// The ground moves along and rises: friction carries the box along, and contact lifts it.
TEST(Ground, carries_a_box_along) {
  const double dt = 2e-3;
  const Vector3 velocity(0.3, 0.2, 0.25);
  Bodies bodies(Vector3(0, 0, -g));
  bodies.add(box_on(0, 0.2, 0));
  for (int i = 0; i < 500; ++i) {
    std::vector<Ground> floor = plane(1, 0, 0.8, i * dt * velocity);
    floor.front().velocity = velocity;
    bodies.step(dt, floor);
  }
  EXPECT_NEAR((bodies.velocity(0) - velocity).norm(), 0, 0.02 * velocity.norm());
  EXPECT_NEAR(bodies.pose(0).position.z(), 0.1 + 500 * dt * velocity.z(), 2e-3);
}

/// Boxes that fell over each other, on the ground.
TEST(Ground, leaves_the_same_bits_after_bodies_were_restored) {
  const std::vector<Ground> floor = plane(5, 0.1, 0.4);
  const auto heap = [](Bodies& bodies) {
    for (int i = 0; i < 5; ++i) {
      BodySetting box{.name = "box-" + std::to_string(i),
                      .solid = std::make_shared<Box>(Vector3(0.3, 0.25, 0.2)),
                      .pose = {.position = Vector3(0.05 * i, 0.04 * (i % 3), 0.2 + 0.3 * i)},
                      .angular_velocity = Vector3(1, 0.2 * i, -1)};
      bodies.add(box);
    }
  };
  const auto run = [&](Bodies& bodies, int steps) {
    for (int i = 0; i < steps; ++i) bodies.step(5e-3, floor);
  };
  Bodies whole(Vector3(0, 0, -g)), resumed(Vector3(0, 0, -g));
  heap(whole);
  heap(resumed);
  run(whole, 100);
  Archive archive;
  whole.save(archive);
  run(whole, 200);
  resumed.restore(archive);
  run(resumed, 200);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(whole.pose(i).position, resumed.pose(i).position) << i;
    EXPECT_EQ(whole.pose(i).rotation, resumed.pose(i).rotation) << i;
    EXPECT_EQ(whole.velocity(i), resumed.velocity(i)) << i;
  }
  EXPECT_EQ(whole.ground_impulse(), resumed.ground_impulse());
  EXPECT_GT(whole.ground_impulse().z(), 0);
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
