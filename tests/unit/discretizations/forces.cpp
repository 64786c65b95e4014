// Body forces: their decomposition, and their effect under every scheme and integrator.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/operators/p1.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

constexpr double round_off = 1e-12;

class EdgeWork : public testing::Test {
 protected:
  void split(const std::string& mesh, const VectorField& field) {
    surface = load_surface(mesh);
    geometry = make_geometry(surface.mesh, surface.x);
    Points a(3, surface.mesh.vertex_count);
    for (Index i = 0; i < a.cols(); ++i) a.col(i) = field(geometry.x.col(i));
    edge_work(surface.mesh, geometry.face_area, geometry.cotangent, geometry.x, a, rates);
  }
  Vector3 tangential(Index k) const {
    const auto corner = [&](int c) -> Vector3 { return geometry.x.col(surface.mesh.faces(c, k)); };
    return rates[k] * (corner(1) - corner(0)) +
           rates[surface.mesh.face_count() + k] * (corner(2) - corner(0));
  }

  Surface surface;
  Geometry geometry;
  Vector rates;
};

TEST_F(EdgeWork, is_the_tangential_part_of_a_constant_field) {
  const Vector3 a(1, -2, 0.5);
  split("torus:12x8", [&](const Vector3&) { return a; });
  for (Index k = 0; k < surface.mesh.face_count(); ++k) {
    const Vector3 n = geometry.face_normal.col(k);
    EXPECT_LT((tangential(k) - (a - a.dot(n) * n)).norm(), round_off);
  }
}

TEST_F(EdgeWork, is_nothing_where_a_sphere_breathes) {
  split("icosphere:3", [](const Vector3& x) { return x; });
  EXPECT_LT(rates.lpNorm<Eigen::Infinity>(), 1e-13);
}

TEST_F(EdgeWork, is_the_gradient_of_a_potential_where_that_is_quadratic) {
  split("rectangle:6x4", [](const Vector3& x) { return Vector3(2 * x.x(), x.z(), 0); });  // of ξ²
  for (Index k = 0; k < surface.mesh.face_count(); ++k) {
    Vector3 difference = Vector3::Zero();
    for (int c = 0; c < 3; ++c) {
      const double xi = geometry.x(0, surface.mesh.faces(c, k));
      difference += xi * xi * area_gradient(surface.mesh, geometry, k, c) / geometry.face_area[k];
    }
    EXPECT_LT((tangential(k) - difference).norm(), round_off);
  }
}

/// A basin with walls in a field (a, 0, 0), its level tilted by a/g.
test::Configuration tilted_basin(double acceleration, const std::string& scheme,
                                 const std::string& integrator) {
  test::Configuration setup{
      .mesh = "rectangle:8x4", .discretization = scheme, .integrator = integrator, .substeps = 1};
  setup.body_acceleration = [=](const Vector3&) { return Vector3(acceleration, 0, 0); };
  setup.initial.depth = [=](const Vector3& x) { return 1 + acceleration / test::gravity * (x.x() - 0.5); };
  return setup;
}

TEST(BodyForce, holds_the_level_of_a_basin_tilted_under_every_integrator) {
  for (const std::string scheme : {"fefv", "dec"})
    for (const IntegratorEntry& integrator : test::catalog().integrators) {
      if (!integrator.incompatibility(test::catalog().discretizations.find(scheme), {}).empty()) continue;
      test::Trial simulation(tilted_basin(2, scheme, integrator.name));
      const Vector start = simulation.volume();
      simulation.prepare(0.01);
      simulation.run(20);
      EXPECT_LT((simulation.volume() - start).lpNorm<Eigen::Infinity>(),
                1e-11 * start.lpNorm<Eigen::Infinity>())
          << scheme << " × " << integrator.name;
    }
}

TEST(BodyForce, sets_still_water_in_motion_alike_in_every_scheme) {
  const Vector3 a(0.3, 0.2, 0);
  for (const std::string scheme : {"fefv", "dec", "kinetic"}) {
    test::Configuration setup{.mesh = "rectangle:16x16", .discretization = scheme, .substeps = 1};
    setup.body_acceleration = [=](const Vector3&) { return a; };
    test::Trial simulation(setup);
    constexpr double dt = 1e-6;
    simulation.prepare(dt);
    simulation.run(1);
    const Values velocity = simulation.sample("velocity");
    int inside = 0;
    for (Index k = 0; k < velocity.cols(); ++k) {
      const Vector3 x = simulation.geometry.centroid(simulation.surface.mesh, k);
      if ((x - Vector3(0.5, 0.5, 0)).lpNorm<Eigen::Infinity>() > 0.3) continue;
      ++inside;
      EXPECT_LT((velocity.col(k) / dt - a).norm(), 1e-4) << scheme;
    }
    EXPECT_GT(inside, 20);
  }
}

TEST(BodyForce, joins_gravity_with_its_normal_part) {
  for (const std::string scheme : {"fefv", "dec", "kinetic"}) {
    test::Configuration setup{.mesh = "icosphere:2", .discretization = scheme};
    setup.initial.depth = [](const Vector3& x) { return 1 + 0.01 * x.z(); };
    test::Trial uniform(setup);
    setup.normal_acceleration = [](const Vector3&) { return -test::gravity - 3; };
    test::Trial heavier(setup);
    setup.body_acceleration = [](const Vector3& x) { return Vector3(3 * x.normalized()); };
    test::Trial split(setup);
    for (test::Trial* simulation : {&uniform, &heavier, &split}) {
      simulation->prepare(0.01);
      simulation->run(20);
    }
    // The normals of facets agree with those of the sphere at its vertices only approximately.
    EXPECT_LT((uniform.volume() - split.volume()).norm(), 0.05 * (uniform.volume() - heavier.volume()).norm())
        << scheme;
  }
}

}  // namespace
}  // namespace shoal
