// A caller that moves its own mesh, and the inertial force on the fluid.
#include "solvers/shallow_water.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/catalog.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

constexpr double gravity = 9.81;

using Given = std::map<std::string, Value>;

struct Fluid {
  explicit Fluid(int substeps, const Given& given = {}, const Fields& initial = {})
      : scheme(test::catalog().discretizations.find("fefv")),
        integrator(test::catalog().integrators.find("explicit")),
        water(
            surface.mesh, surface.x, [](const Vector3&) { return 1.0; },
            {Vector::Constant(surface.mesh.vertex_count, -gravity)},
            with_parameters({.discretization = scheme, .integrator = integrator, .substeps = substeps},
                            given),
            [&](const Discretization& discretization, const Forces&) {
              return discretization.project(initial);
            }) {}

  Surface surface = load_surface("icosphere:2");
  const DiscretizationEntry& scheme;
  const IntegratorEntry& integrator;
  ShallowWater water;
  StageClock clock;
};

TEST(Inertia, is_the_second_difference_smoothed_and_cut) {
  const auto x = [](double first, double second) {
    return Points((Points(3, 2) << first, second, 0, 0, 0, 0).finished());
  };
  Inertia inertia({.smoothing = 0.25, .limit = 7}, x(0, 0));
  const double dt = 0.5;
  inertia.move_to(x(1, 3), dt);  // 4 and 12 m/s², of which 3 and 9 are taken
  EXPECT_NEAR(inertia.acceleration()(0, 0), -3, 1e-14);
  EXPECT_NEAR(inertia.acceleration()(0, 1), -7, 1e-14);
  EXPECT_EQ(inertia.limited({0, 2}), 1);
  inertia.move_to(x(2, 6), dt);  // no acceleration; 1/4 is kept of 3 and 9
  EXPECT_NEAR(inertia.acceleration()(0, 0), -0.75, 1e-14);
  EXPECT_NEAR(inertia.acceleration()(0, 1), -2.25, 1e-14);
  EXPECT_EQ(inertia.limited({0, 2}), 0);
}

TEST(Inertia, knows_where_the_surface_came_from) {
  Points x = Points::Random(3, 5), step = Points::Constant(3, 5, 0.1);
  Inertia inertia({}, x);
  inertia.set_past(x - step, 0.1);
  inertia.move_to(x + step, 0.1);
  EXPECT_LT(inertia.acceleration().lpNorm<Eigen::Infinity>(), 1e-12);
}

TEST(ShallowWater, follows_a_mesh_that_the_caller_moves) {
  constexpr double dt = 0.002;
  Fluid fluid(3);
  const double mass = fluid.water.volume().sum();
  for (int frame = 1; frame <= 100; ++frame) {
    Points x = fluid.surface.x;
    x.row(2) *= 1 + 0.0002 * frame;  // slow: there is no advection
    fluid.water.move_to(x, dt, fluid.clock);
    ASSERT_TRUE(fluid.water.step(dt, fluid.clock).ok);
    ASSERT_EQ(fluid.water.geometry().x, x);
  }
  EXPECT_NEAR(fluid.water.volume().sum(), mass, 1e-13 * mass);
  EXPECT_GT(fluid.water.energy().kinetic, 0);
  // The energy is the work of the surface; the rest is the error of the time step.
  EXPECT_NEAR(fluid.water.energy().total() / fluid.water.ledger().work(), 1, 0.05);
}

TEST(ShallowWater, stays_where_it_was_when_a_triangle_loses_its_area) {
  constexpr double dt = 0.01;
  Fluid fluid(3);
  Points flat = fluid.surface.x;
  flat.col(fluid.surface.mesh.faces(0, 0)) = flat.col(fluid.surface.mesh.faces(1, 0));
  EXPECT_THROW(fluid.water.move_to(flat, dt, fluid.clock), Error);
  EXPECT_EQ(fluid.water.geometry().x, fluid.surface.x);
  EXPECT_TRUE(fluid.water.step(dt, fluid.clock).ok);
  EXPECT_TRUE(fluid.water.volume().allFinite());
}

TEST(ShallowWater, friction_slows_the_flow_and_its_work_is_known) {
  const auto hump = [](const Vector3& x) { return 1 + 0.01 * std::exp(4 * (x.z() - 1)); };
  Fluid fluid(3, {{"friction", 2.0}}, {hump, {}});
  const double start = fluid.water.energy().total();
  for (int step = 0; step < 500; ++step) ASSERT_TRUE(fluid.water.step(0.002, fluid.clock).ok);
  const double end = fluid.water.energy().total();
  EXPECT_LT(end, 0.3 * start);
  constexpr double tolerance = 0.02;  // of the time step and the amplitude
  EXPECT_NEAR((end - fluid.water.ledger().work_forces) / start, 1, tolerance);
}

TEST(ShallowWater, a_surface_that_accelerates_pushes_the_water_back) {
  const double dt = 0.001;
  Fluid fluid(1, {{"inertia", "on"}});
  const Vector3 acceleration(0, 0, 0.3);
  for (int step = 1; step <= 10; ++step) {
    const double time = step * dt;
    fluid.water.move_to(fluid.surface.x.colwise() + 0.5 * time * time * acceleration, dt, fluid.clock);
    ASSERT_TRUE(fluid.water.step(dt, fluid.clock).ok);
  }
  // Relative to the surface: −a t along it, and ½H∇aₙ as much as half of that again (H = R).
  Values velocity;
  fluid.water.sample("velocity", velocity);
  const Geometry& geometry = fluid.water.geometry();
  for (Index k = 0; k < fluid.surface.mesh.face_count(); ++k) {
    const Vector3 n = geometry.face_normal.col(k), tangential = acceleration - n * n.dot(acceleration);
    EXPECT_LT((velocity.col(k) + 1.5 * 10 * dt * tangential).norm(), 0.15 * 10 * dt * acceleration.norm());
  }
}

TEST(ShallowWater, a_live_change_of_options_keeps_the_state_and_acts_from_the_next_step_on) {
  const auto hump = [](const Vector3& x) { return 1 + 0.01 * std::exp(4 * (x.z() - 1)); };
  const double dt = 0.002;
  Fluid fluid(3, {{"inertia", "on"}}, {hump, {}}), same(3, {{"inertia", "on"}}, {hump, {}});
  const auto swing = [&](Fluid& one, double amplitude) {
    one.water.move_to(one.surface.x.array() + amplitude * std::sin(9 * (one.water.time() + dt)), dt,
                      one.clock);
    return one.water.step(dt, one.clock).ok;
  };
  for (int step = 0; step < 10; ++step) ASSERT_TRUE(swing(fluid, 0.01) && swing(same, 0.01));
  ASSERT_EQ(fluid.water.state().q, same.water.state().q);
  fluid.water.change(with_parameters(
      {.discretization = fluid.scheme, .integrator = fluid.integrator, .substeps = 3},
      {{"inertia", "on"}, {"inertia_smoothing", 0.5}, {"friction", 3.0}, {"lower_angle", 12.0}}));
  EXPECT_EQ(fluid.water.state().q, same.water.state().q);
  EXPECT_EQ(fluid.water.time(), same.water.time());
  ASSERT_TRUE(swing(fluid, 0.01) && swing(same, 0.01));
  EXPECT_EQ(fluid.water.forces().friction, 3);
  EXPECT_NE(WaveForces::of(fluid.water.forces()).force,
            WaveForces::of(same.water.forces()).force);  // smoothed from here on
  EXPECT_NE(fluid.water.state().q, same.water.state().q);
}

TEST(ShallowWater, a_smoothed_normal_acceleration_comes_as_a_geometric_series) {
  const double kept = 0.25, dt = 0.002;
  for (const bool as_body_force : {false, true}) {  // whose normal part joins aₙ
    Fluid fluid(2, {{"normal_smoothing", kept}}, {[](const Vector3&) { return 1.0; }, {}});
    const auto felt = [&] { return -WaveForces::of(fluid.water.forces()).root_acceleration.cwiseAbs2(); };
    ASSERT_TRUE(fluid.water.step(dt, fluid.clock).ok);
    const double before = -9.81, after = -20;
    const Vector begin = felt();
    EXPECT_LE((begin.array() - before).abs().maxCoeff(), 1e-12);
    Forcing forcing{Vector::Constant(fluid.surface.mesh.vertex_count, as_body_force ? before : after)};
    if (as_body_force) {
      Points normals;
      vertex_normals(fluid.surface.mesh, make_geometry(fluid.surface.mesh, fluid.surface.x), normals);
      forcing.body_acceleration = (after - before) * normals;
    }
    fluid.water.set_forcing(forcing);
    for (int step = 1; step <= 6; ++step) {
      ASSERT_TRUE(fluid.water.step(dt, fluid.clock).ok);
      const double expected = after + std::pow(kept, step) * (before - after);
      EXPECT_LE((felt().array() - expected).abs().maxCoeff(), 1e-12) << step;
    }
  }
}

TEST(ShallowWater, goes_on_with_the_same_bits_from_a_smoothed_normal_acceleration) {
  const auto hump = [](const Vector3& x) { return 1 + 0.01 * std::exp(4 * (x.z() - 1)); };
  const double dt = 0.002;
  Fluid fluid(2, {{"normal_smoothing", 0.7}, {"inertia", "on"}}, {hump, {}}),
      other(2, {{"normal_smoothing", 0.7}, {"inertia", "on"}}, {hump, {}});
  const auto swing = [&](Fluid& one) {
    one.water.move_to(one.surface.x.array() + 0.01 * std::sin(9 * (one.water.time() + dt)), dt, one.clock);
    return one.water.step(dt, one.clock).ok;
  };
  for (int step = 0; step < 5; ++step) ASSERT_TRUE(swing(fluid));
  Archive archive;
  fluid.water.save(archive);
  other.water.restore(archive);
  for (int step = 0; step < 5; ++step) {
    ASSERT_TRUE(swing(fluid) && swing(other));
    EXPECT_EQ(fluid.water.state().q, other.water.state().q) << step;
  }
}

TEST(ShallowWater, has_no_outputs_of_a_velocity_that_its_integrator_does_not_carry) {
  const Surface surface = load_surface("icosphere:2");
  for (const char* name : {"newmark", "implicit-euler", "explicit"}) {
    const IntegratorEntry& integrator = test::catalog().integrators.find(name);
    const DiscretizationEntry& scheme = test::catalog().discretizations.find("fefv");
    ShallowWater water(
        surface.mesh, surface.x, [](const Vector3&) { return 1.0; },
        {Vector::Constant(surface.mesh.vertex_count, -gravity)},
        with_parameters(
            {.discretization = scheme,
             .integrator = integrator,
             .linear_solver =
                 integrator.uses_linear_solver ? &test::catalog().linear_solvers.front() : nullptr},
            {}),
        [](const Discretization& discretization, const Forces&) { return discretization.project({}); });
    for (const OutputInfo& output : water.outputs())
      EXPECT_TRUE(water.has_velocity() || output.name.starts_with("depth_at_")) << name << ' ' << output.name;
    EXPECT_EQ(water.outputs().size() > 2, water.has_velocity()) << name;
  }
}

}  // namespace
}  // namespace shoal
