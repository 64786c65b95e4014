// Zero sets as triangle meshes.
#include "discretizations/mesh/remeshing/implicit_surface.hpp"

#include "discretizations/mesh/quality.hpp"
#include "shapes.hpp"

#include <cmath>

namespace shoal::test {
namespace {

const ImplicitSurface sphere = {[](const Vector3& x) { return x.norm() - 1; }, Vector3::Constant(-1.3),
                                Vector3::Constant(1.3)};
const ImplicitSurface torus = {
    [](const Vector3& x) { return std::hypot(x.head<2>().norm() - 1, x.z()) - 0.4; },
    {-1.6, -1.6, -0.6},
    {1.6, 1.6, 0.6}};

MeshQuality quality_of(const Faces& faces, const Points& x) {
  const Surface surface = make_surface("zero set", "test", faces, x);
  EXPECT_TRUE(surface.repairs.empty()) << surface.repairs.front();
  return assess(surface, make_geometry(surface.mesh, surface.x));
}

TEST(MarchTetrahedra, gives_closed_surfaces_that_face_outward) {
  for (const double cell : {0.3, 0.13, 0.1, 0.052}) {
    const TriangleList ball = march_tetrahedra(sphere, cell), ring = march_tetrahedra(torus, cell);
    EXPECT_EQ(quality_of(ball.faces, ball.x).euler_characteristic, 2) << cell;
    EXPECT_TRUE(quality_of(ball.faces, ball.x).closed);
    EXPECT_EQ(quality_of(ring.faces, ring.x).euler_characteristic, 0) << cell;
  }
}

TEST(MarchTetrahedra, of_values_without_any_order_are_a_manifold) {
  // Every sign pattern of a cube occurs. make_surface throws at an edge or a vertex that is not manifold.
  const ImplicitSurface noise = {[](const Vector3& x) {
                                   if (x.cwiseAbs().maxCoeff() > 0.95) return 1.0;
                                   return std::sin(1e4 * x.x() + 2e4 * std::cos(3e4 * x.y() + 7e3 * x.z()));
                                 },
                                 Vector3::Constant(-1), Vector3::Constant(1)};
  const TriangleList soup = march_tetrahedra(noise, 0.1);
  const Surface surface = make_surface("noise", "test", soup.faces, soup.x);
  EXPECT_TRUE(surface.mesh.closed());
  EXPECT_GT(surface.mesh.face_count(), 10000);
}

TEST(MarchTetrahedra, takes_values_of_exactly_zero_at_grid_points) {
  const ImplicitSurface cube = {[](const Vector3& x) { return x.cwiseAbs().maxCoeff() - 0.5; },
                                Vector3::Constant(-1), Vector3::Constant(1)};
  const TriangleList marched = march_tetrahedra(cube, 0.25);
  EXPECT_EQ(quality_of(marched.faces, marched.x).euler_characteristic, 2);
}

TEST(MarchTetrahedra, refuses_what_has_no_closed_surface_in_the_box) {
  const auto refusal = [](const ScalarField& f, double cell) {
    return message_of([&] { march_tetrahedra({f, Vector3::Constant(-1), Vector3::Constant(1)}, cell); });
  };
  EXPECT_TRUE(
      contains(refusal([](const Vector3& x) { return x.norm() - 1.2; }, 0.1), "extends beyond its box"));
  EXPECT_TRUE(contains(refusal([](const Vector3&) { return 1.0; }, 0.1), "do not resolve any part"));
  EXPECT_TRUE(contains(refusal(sphere.f, 0), "cells of 0 m"));
  EXPECT_TRUE(contains(refusal(sphere.f, 1e-6), "cells of 1e-06 m"));
}

TEST(ProjectToZero, goes_to_the_zero_along_the_gradient) {
  const ScalarField f = [](const Vector3& x) { return x.squaredNorm() - 1; };
  const Vector3 direction = Vector3(1, 2, -0.5).normalized();
  // The gradient by differences over 5e-6 is off by about as much.
  for (const double distance : {0.7, 0.99, 1.0, 1.3}) {
    const Vector3 x = project_to_zero(f, distance * direction, 0.5);
    EXPECT_NEAR(f(x), 0, 0.5e-10) << distance;
    EXPECT_LT((x - direction).norm(), 5e-6) << distance;
  }
}

TEST(ProjectToZero, stays_where_there_is_no_zero) {
  const Vector3 start(0.3, 0.2, 0.1);
  EXPECT_EQ(project_to_zero([](const Vector3&) { return 1.0; }, start, 1), start);
  EXPECT_EQ(project_to_zero([](const Vector3& x) { return 1 + x.squaredNorm(); }, start, 1), start);
}

TEST(ImplicitSurface, is_meshed_on_its_zero_set_with_good_angles) {
  for (const ImplicitSurface& surface : {sphere, torus}) {
    RemeshOptions options;
    options.vertices = 800;
    const RemeshedSurface mesh = mesh_implicit_surface(surface, 0.15, options);
    const MeshQuality quality = quality_of(mesh.faces, mesh.x);
    EXPECT_EQ(quality.vertices, 800);
    EXPECT_GT(quality.angle.front(), 30);
    for (Index v = 0; v < 800; ++v) EXPECT_NEAR(surface.f(mesh.x.col(v)), 0, 1e-10 * 0.15);
  }
}

}  // namespace
}  // namespace shoal::test
