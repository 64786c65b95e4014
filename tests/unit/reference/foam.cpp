// Foam: its random numbers, the means of its spray, paths on and above the water, and its numbers.
#include "reference/view/foam.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "reference/view/run_view.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

constexpr double g = 10;

/// Water on a mesh, given by functions of a point.
struct Scene {
  explicit Scene(const std::string& name) : surface(load_surface(name)) {
    move_to(surface.x);
    bed = Vector::Constant(surface.mesh.vertex_count, 1);
    depth = bed;
    velocity = Values::Zero(3, surface.mesh.face_count());
  }
  void move_to(const Points& x) {
    geometry = make_geometry(surface.mesh, x);
    vertex_normals(surface.mesh, geometry, normals);
  }
  template <class Function>
  void set_elevation(Function h) {
    for (Index i = 0; i < surface.mesh.vertex_count; ++i) depth[i] = bed[i] + h(Vector3(geometry.x.col(i)));
  }
  template <class Function>
  void set_velocity(Function v) {
    for (Index k = 0; k < surface.mesh.face_count(); ++k) {
      const Vector3 n = geometry.face_normal.col(k), there = v(geometry.centroid(surface.mesh, k));
      velocity.col(k) = there - n.dot(there) * n;
    }
  }
  FoamWater at(double time) {
    drawn = geometry.x + normals * (depth - bed).asDiagonal();
    return {time, g, 1e-3, 1, geometry, normals, drawn, depth, bed, velocity};
  }

  Surface surface;
  Geometry geometry;
  Points normals, drawn;
  Vector depth, bed;
  Values velocity;
};

Vector3 place_of(const Scene& scene, const Points& x, const Foam::Place& place) {
  Vector3 point = Vector3::Zero();
  for (int c = 0; c < 3; ++c) point += place.weight[c] * x.col(scene.surface.mesh.faces(c, place.face));
  return point;
}

double total_foam(const Foam& foam) {
  double sum = 0;
  for (const Foam::Drifting& one : foam.drifting()) sum += one.foam;
  return sum;
}

TEST(CounterRandom, has_the_moments_of_its_distributions) {
  CounterRandom random(7), same(7), other(8);
  constexpr int count = 40000;
  double mean = 0, square = 0;
  for (int i = 0; i < count; ++i) {
    const double u = random.uniform();
    EXPECT_EQ(u, same.uniform());
    EXPECT_NE(u, other.uniform());
    mean += u / count;
    square += u * u / count;
  }
  EXPECT_NEAR(mean, 0.5, 4 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(square, 1.0 / 3, 4 * std::sqrt(4.0 / 45 / count));
  for (const double expected : {0.01, 1.0, 30.0}) {
    double sum = 0, squares = 0;
    for (int i = 0; i < count; ++i) {
      const double n = random.poisson(expected);
      sum += n / count;
      squares += n * n / count;
    }
    EXPECT_NEAR(sum, expected, 4 * std::sqrt(expected / count));
    EXPECT_NEAR(squares - sum * sum, expected, 4 * std::sqrt((expected + 2 * expected * expected) / count));
  }
}

/// ∇²(x² + ½y²) = 3; on the unit sphere ∇²z = −2z, up to the irregularity of its vertices.
TEST(Foam, takes_the_laplacian_by_cotangents) {
  const Scene plane("rectangle:24x20:3x2");
  const Points& x = plane.geometry.x;
  const Vector bowl = x.row(0).array().square() + 0.5 * x.row(1).array().square();
  const Vector bent = laplacian_at_vertices(plane.surface.mesh, plane.geometry, bowl);
  int inside = 0;
  for (Index i = 0; i < plane.surface.mesh.vertex_count; ++i) {
    if (x(0, i) < 0.1 || x(0, i) > 2.9 || x(1, i) < 0.1 || x(1, i) > 1.9) continue;
    // On this mesh the dual cells vary with the number of triangles, of which each holds a third.
    EXPECT_NEAR(bent[i] * plane.geometry.vertex_area[i] / (3.0 / 24 * 2 / 20), 3, 1e-9);
    ++inside;
  }
  EXPECT_GT(inside, 300);
  const Scene ball("icosphere:4");
  const Vector z = ball.geometry.x.row(2).transpose();
  const Vector of_z = laplacian_at_vertices(ball.surface.mesh, ball.geometry, z);
  EXPECT_LT((of_z + 2 * z).norm(), 0.03 * z.norm());
}

/// Over a ridge, and without gravity, nothing comes down: the particles are as many as (8.2) and (8.6) say.
TEST(Foam, starts_as_many_particles_as_its_means) {
  constexpr double dt = 0.1;
  struct Case {
    double speed, bend, rising, speed_power, curvature_power, rate_power;
  };
  for (const Case& one : {Case{2, 0.5, 0, 2, 1, 1}, Case{2, 0.5, 0, 1, 2, 1}, Case{0.5, 0, 0.8, 2, 1, 2}}) {
    Scene pool("rectangle:30x20:3x2:structured");
    FoamOptions options;
    options.roughness = options.accumulation = 1000;
    options.speed_power = one.speed_power;
    options.curvature_power = one.curvature_power;
    options.rate_power = one.rate_power;
    options.spread = options.air = 0;
    options.buoyancy = 1;
    options.step = dt;
    pool.set_velocity([&](const Vector3&) { return Vector3(0, one.speed, 0); });
    const auto bowl = [&](const Vector3& x) { return -0.5 * one.bend * x.y() * x.y(); };
    pool.set_elevation(bowl);
    Foam foam(pool.surface.mesh, options);
    foam.advance(pool.at(0));
    EXPECT_TRUE(foam.flying().empty());
    pool.set_elevation([&](const Vector3& x) { return bowl(x) + one.rising * dt; });
    foam.advance(pool.at(dt));
    // Away from the walls, upstream of which there is no water, and beyond which the spray leaves.
    const double first = 0.4, last = 1.6;
    const Vector bent = laplacian_at_vertices(pool.surface.mesh, pool.geometry, pool.depth - pool.bed);
    double expected = 0;
    for (Index k = 0; k < pool.surface.mesh.face_count(); ++k) {
      const double y = pool.geometry.centroid(pool.surface.mesh, k).y();
      if (y < first || y > last) continue;
      double bend = 0;
      for (int c = 0; c < 3; ++c) bend += std::abs(bent[pool.surface.mesh.faces(c, k)]) / 3;
      const double rough = options.roughness * std::pow(one.speed, one.speed_power) *
                           std::pow(bend, one.curvature_power),
                   piled = options.accumulation * std::pow(one.rising, one.rate_power);
      expected += (rough + piled) * pool.geometry.face_area[k] * dt;
    }
    EXPECT_GT(expected, 150);
    int count = 0;
    for (const Foam::Flying& drop : foam.flying()) {
      const double start = drop.at.y() - one.speed * dt;
      if (start < first || start > last) continue;
      ++count;
      EXPECT_NEAR(
          (drop.velocity - Vector3(0, one.speed, one.rising - one.speed * one.bend * (start - 0.05))).norm(),
          0, 0.06 * one.speed * one.bend + 1e-9);
    }
    EXPECT_NEAR(count, expected, 4 * std::sqrt(expected));
  }
}

/// Down a slope the spray leaves along the surface, (8.4).
TEST(Foam, starts_spray_along_the_surface) {
  Scene slope("rectangle:30x20:3x2:structured");
  slope.set_velocity([](const Vector3&) { return Vector3(2, 0, 0); });
  slope.set_elevation([](const Vector3& x) { return -0.3 * x.x() + 0.05 * x.y() * x.y(); });
  FoamOptions options;
  options.roughness = 1e5;
  options.spread = options.air = 0;
  options.buoyancy = 1;
  Foam foam(slope.surface.mesh, options);
  foam.advance(slope.at(0));
  foam.advance(slope.at(1e-3));
  int far = 0;
  for (const Foam::Flying& drop : foam.flying())
    if (drop.at.x() > 0.3) {
      EXPECT_NEAR((drop.velocity - Vector3(2, 0, -0.6)).norm(), 0, 1e-9);
      ++far;
    }
  EXPECT_GT(far, 3);
}

/// A particle thrown up by rising water follows a parabola, comes down after 2 v/g, and leaves foam that then fades.
TEST(Foam, comes_down_and_leaves_foam_that_fades) {
  Scene pool("rectangle:30x20:3x2:structured");
  FoamOptions options;
  options.accumulation = 500;
  options.rate_power = 1;
  options.spread = options.air = options.bounce = 0;
  options.bounce_speed = 1e9;
  options.lifetime = 0.5;
  Foam foam(pool.surface.mesh, options);
  foam.advance(pool.at(0));
  const double rising = 2, dt = 0.005;
  pool.set_elevation([&](const Vector3&) { return rising * dt; });
  foam.advance(pool.at(dt));
  const auto thrown = foam.flying().size();
  EXPECT_GT(thrown, 10);
  double time = dt;
  while (time < 2 * rising / g - 3 * dt) foam.advance(pool.at(time += dt));
  EXPECT_EQ(foam.flying().size(), thrown);
  EXPECT_EQ(total_foam(foam), 0);
  while (time < 2 * rising / g + 4 * dt) foam.advance(pool.at(time += dt));
  EXPECT_TRUE(foam.flying().empty());
  const double left = total_foam(foam);
  EXPECT_GT(left, 0.5 * options.deposit * static_cast<double>(thrown));
  for (const double end = time + 0.5; time < end - 0.5 * dt;) foam.advance(pool.at(time += dt));
  EXPECT_NEAR(total_foam(foam) / left, std::exp(-1), 0.05);
  EXPECT_FALSE(foam.draw(pool.at(time)).corners.empty());
}

/// With a resistance a|w|w, a particle without gravity slows down as 1/(1 + a w₀ t).
TEST(Foam, is_slowed_by_the_air) {
  Scene pool("rectangle:30x20:30x20:structured");
  FoamOptions options;
  options.accumulation = 5;
  options.rate_power = 1;
  options.spread = 0;
  options.air = 0.7;
  options.buoyancy = 1;
  Foam foam(pool.surface.mesh, options);
  foam.advance(pool.at(0));
  const double rising = 3, dt = 0.002, end = 1;
  pool.set_elevation([&](const Vector3&) { return rising * dt; });
  foam.advance(pool.at(dt));
  for (int i = 2; i * dt < end + 0.5 * dt; ++i) foam.advance(pool.at(i * dt));
  ASSERT_FALSE(foam.flying().empty());
  for (const Foam::Flying& drop : foam.flying())
    EXPECT_NEAR(drop.velocity.norm(), rising / (1 + options.air * rising * end), 0.01);
}

/// On a turning sphere, foam turns with the water, and its patches keep their numbers.
TEST(Foam, drifts_with_the_water_on_any_surface) {
  Scene ball("icosphere:4");
  ball.set_velocity([](const Vector3& x) { return Vector3::UnitZ().cross(x); });
  FoamOptions options;
  options.roughness = options.accumulation = 0;
  options.patch = 0.1;
  options.fade = 10;  // nothing disappears meanwhile, so that the first ones stay the first
  Foam foam(ball.surface.mesh, options);
  foam.advance(ball.at(0));
  const std::vector<Foam::Drifting> before = foam.drifting();
  ASSERT_GT(before.size(), 100);
  const double time = 1;
  for (int i = 1; i <= 50; ++i) foam.advance(ball.at(time * i / 50));
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(time, Vector3::UnitZ()).toRotationMatrix();
  double worst = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Vector3 from = place_of(ball, ball.geometry.x, before[i].place),
                  to = place_of(ball, ball.geometry.x, foam.drifting()[i].place);
    worst = std::max(worst, (turn * from - to).norm());
  }
  EXPECT_LT(worst, 0.05);
  std::vector<int> count(static_cast<std::size_t>(foam.patch_count()), 0);
  for (const Foam::Drifting& one : foam.drifting())
    if (!one.leaving) ++count[static_cast<std::size_t>(foam.patch_of(one.place.face))];
  for (const int n : count) {
    EXPECT_GE(n, options.min_count);
    EXPECT_LE(n, options.max_count);
  }
}

/// Where the surface moves, foam moves with it, and spray starts with its velocity.
TEST(Foam, moves_with_a_moving_surface) {
  Scene ball("icosphere:3");
  FoamOptions options;
  options.accumulation = 500;
  options.rate_power = 1;
  options.spread = options.air = 0;
  options.buoyancy = 1;
  Foam foam(ball.surface.mesh, options);
  foam.advance(ball.at(0));
  const std::vector<Foam::Drifting> before = foam.drifting();
  const Vector3 velocity(3, -2, 1);
  const double dt = 0.01, rising = 0.5;
  ball.move_to(ball.surface.x.colwise() + dt * velocity);
  ball.depth.array() += rising * dt;
  foam.advance(ball.at(dt));
  for (std::size_t i = 0; i < before.size(); ++i)
    EXPECT_EQ(before[i].place.weight, foam.drifting()[i].place.weight);
  EXPECT_GT(foam.flying().size(), 10);
  for (const Foam::Flying& drop : foam.flying()) {
    const Vector3 out = (drop.at - dt * velocity).normalized();
    EXPECT_NEAR((drop.velocity - velocity - rising * out).norm(), 0, 0.05);
  }
}

/// Also on land: nothing is on it.
TEST(Foam, stays_on_the_water) {
  Scene beach("rectangle:30x20:3x2:structured");
  for (Index i = 0; i < beach.surface.mesh.vertex_count; ++i)
    beach.depth[i] = std::max(0.0, 1.5 - beach.geometry.x(0, i));
  FoamOptions options;
  options.roughness = 1000;
  beach.set_velocity([](const Vector3&) { return Vector3(1, 0, 0); });
  Foam foam(beach.surface.mesh, options);
  for (int i = 0; i < 100; ++i) foam.advance(beach.at(0.01 * i));
  int shown = 0;
  for (const Foam::Drifting& one : foam.drifting())
    if (!one.leaving) {
      EXPECT_LT(place_of(beach, beach.geometry.x, one.place).x(), 1.55);
      ++shown;
    }
  EXPECT_GT(shown, 100);
  for (const FoamSet::Corner& corner : foam.draw(beach.at(1)).corners)
    if (corner.image != FoamSet::drop && corner.at.x() > 1.6) {
      EXPECT_EQ(corner.opacity, 0);
    }
}

TEST(Foam, is_the_same_for_the_same_water_and_begins_anew_after_a_gap) {
  Scene pool("rectangle:30x20:3x2:structured");
  pool.set_velocity([](const Vector3& x) { return Vector3(std::sin(x.y()), x.x(), 0); });
  FoamOptions options;
  options.roughness = 2000;
  const auto run = [&](Foam& foam, double until) {
    for (int i = 0; i <= 40; ++i) {
      pool.set_elevation([&](const Vector3& x) { return 0.1 * std::sin(3 * x.x() - 4 * 0.01 * i); });
      foam.advance(pool.at(0.01 * i));
      if (0.01 * i > until) foam.draw(pool.at(0.01 * i));  // drawing changes nothing
    }
  };
  Foam one(pool.surface.mesh, options), other(pool.surface.mesh, options);
  run(one, 1);
  run(other, 0.2);
  const FoamSet first = one.draw(pool.at(0.4)), second = other.draw(pool.at(0.4));
  ASSERT_EQ(first.corners.size(), second.corners.size());
  ASSERT_GT(first.corners.size(), 100);
  for (std::size_t i = 0; i < first.corners.size(); ++i) {
    EXPECT_EQ(first.corners[i].at, second.corners[i].at);
    EXPECT_EQ(first.corners[i].cover, second.corners[i].cover);
  }
  options.seed = 2;
  Foam another(pool.surface.mesh, options);
  run(another, 1);
  EXPECT_NE(another.draw(pool.at(0.4)).corners.size(), first.corners.size());
  one.advance(pool.at(0.4 + 2 * options.gap));
  EXPECT_EQ(total_foam(one), 0);
  run(one, 1);  // back in time
  EXPECT_EQ(one.draw(pool.at(0.4)).corners.size(), first.corners.size());
}

TEST(Foam, refuses_options_in_a_sentence) {
  EXPECT_EQ(FoamOptions::parse("roughness=7, lifetime=1/2").lifetime, 0.5);
  for (const char* wrong : {"rough=1", "roughness", "roughness=-1", "roughness=x", "min_count=5", ""})
    EXPECT_THROW(FoamOptions::parse(wrong), Error) << wrong;
}

/// By C ∇(gh) towards the crest, unless that is too far; along walls.
TEST(ChoppyWaves, gather_vertices_at_crests) {
  Scene pool("rectangle:80x20:4x1:structured");
  const double k = 2 * std::numbers::pi, a = 0.05;
  const auto wave = [&](const Vector3& x) { return a * std::cos(k * x.x()); };
  pool.set_elevation(wave);
  const auto shift_of = [&](double c) {
    return choppy_shift(pool.surface.mesh, pool.geometry, pool.normals, pool.depth - pool.bed, g, c);
  };
  const double c = 2e-3;
  const Points gentle = shift_of(c), strong = shift_of(100 * c), none = shift_of(0);
  EXPECT_EQ(none.norm(), 0);
  const double shortest = 0.05;
  double longest = 0;
  for (Index i = 0; i < pool.surface.mesh.vertex_count; ++i) {
    const Vector3 x = pool.geometry.x.col(i);
    const bool at_end = x.x() < 1e-9 || x.x() > 4 - 1e-9, at_side = x.y() < 1e-9 || x.y() > 1 - 1e-9;
    // Beside a wall the triangles around a vertex lie on one side of it, and the gradient is of first order.
    const double error = at_side ? 0.2 : 0.02;
    EXPECT_NEAR(gentle(0, i), at_end ? 0 : -c * g * a * k * std::sin(k * x.x()), error * c * g * a * k);
    EXPECT_NEAR(gentle(1, i), 0, 1e-15);
    if (at_end) {
      EXPECT_NEAR(strong(0, i), 0, 1e-15);
    }
    EXPECT_LT(strong.col(i).norm(), 0.5 * shortest);
    longest = std::max(longest, strong.col(i).norm());
  }
  EXPECT_GT(longest, 0.45 * shortest);
  Points moved = pool.at(0).surface + strong;  // no triangle turns over
  const Geometry after = make_geometry(pool.surface.mesh, moved);
  EXPECT_GT(after.face_normal.row(2).minCoeff(), 0);
}

/// Along a curved surface.
TEST(ChoppyWaves, move_vertices_along_the_surface) {
  Scene ball("icosphere:4");
  ball.set_elevation([](const Vector3& x) { return 0.1 * x.z(); });
  const Points shift =
      choppy_shift(ball.surface.mesh, ball.geometry, ball.normals, ball.depth - ball.bed, g, 1e-3);
  for (Index i = 0; i < ball.surface.mesh.vertex_count; ++i) {
    const Vector3 x = ball.geometry.x.col(i);
    EXPECT_NEAR(x.dot(shift.col(i)), 0, 1e-6);
    EXPECT_NEAR((shift.col(i) - 1e-3 * g * 0.1 * (Vector3::UnitZ() - x.z() * x)).norm(), 0, 5e-5);
  }
}

}  // namespace
}  // namespace shoal
