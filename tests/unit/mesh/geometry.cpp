// Areas, normals, lengths and cotangents.
#include "discretizations/mesh/geometry.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "shapes.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace shoal::test {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();

/// Sums of n terms lose at most n·ε of their size; sqrt(n) is typical, n is certain.
double sum_tolerance(Index terms, double size) {
  return terms * epsilon * size;
}

double angle_at(const Vector3& corner, const Vector3& b, const Vector3& c) {
  return std::acos((b - corner).normalized().dot((c - corner).normalized()));
}

TEST(Geometry, of_a_right_triangle_is_known) {
  const Mesh mesh = make_mesh(faces_of({{0, 1, 2}}), 3);
  const Geometry geometry = make_geometry(mesh, points_of({{0, 0, 0}, {3, 0, 0}, {0, 4, 0}}));
  EXPECT_DOUBLE_EQ(geometry.face_area[0], 6);
  EXPECT_EQ(geometry.face_normal.col(0), Vector3(0, 0, 1));
  EXPECT_DOUBLE_EQ(geometry.cotangent(0, 0), 0);
  EXPECT_DOUBLE_EQ(geometry.cotangent(1, 0), 3.0 / 4);
  EXPECT_DOUBLE_EQ(geometry.cotangent(2, 0), 4.0 / 3);
  EXPECT_DOUBLE_EQ(geometry.edge_length[mesh.face_edges(0, 0)], 5);
  EXPECT_DOUBLE_EQ(geometry.edge_length[mesh.face_edges(1, 0)], 4);
  EXPECT_DOUBLE_EQ(geometry.edge_length[mesh.face_edges(2, 0)], 3);
}

TEST(Geometry, cotangents_are_those_of_the_angles) {
  const Surface surface = load_surface("blob:3");
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  // acos is accurate to about ε / sin(angle), and cot changes by 1 / sin² per radian: 15° cost a factor
  // of 60.
  constexpr double tolerance = 100 * epsilon * 15;
  for (Index face = 0; face < surface.mesh.face_count(); ++face)
    for (int c = 0; c < 3; ++c) {
      const auto x = [&](int k) -> Vector3 { return surface.x.col(surface.mesh.faces((c + k) % 3, face)); };
      EXPECT_NEAR(geometry.cotangent(c, face), 1 / std::tan(angle_at(x(0), x(1), x(2))), tolerance);
    }
}

TEST(Geometry, cotangents_of_a_triangle_satisfy_their_identity) {
  const Surface surface = load_surface("blob:3:slivers");
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  for (Index face = 0; face < surface.mesh.face_count(); ++face) {
    const auto c = geometry.cotangent.col(face);
    const double largest = c.cwiseAbs().maxCoeff();
    EXPECT_NEAR(c[0] * c[1] + c[1] * c[2] + c[2] * c[0], 1, 20 * epsilon * largest * largest);
  }
}

TEST(Geometry, vertex_areas_sum_to_the_total) {
  for (const char* name : {"icosphere:4", "torus:32x24", "rectangle:40x10:jittered", "blob:4:slivers"}) {
    const Surface surface = load_surface(name);
    const Geometry geometry = make_geometry(surface.mesh, surface.x);
    EXPECT_NEAR(geometry.vertex_area.sum(), geometry.total_area(),
                sum_tolerance(3 * surface.mesh.face_count(), geometry.total_area()));
    EXPECT_GT(geometry.vertex_area.minCoeff(), 0);
  }
}

TEST(Geometry, area_vectors_of_a_closed_surface_sum_to_zero) {
  const Surface surface = load_surface("blob:4");
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  const Vector3 sum = geometry.face_normal * geometry.face_area;
  EXPECT_LT(sum.norm(), sum_tolerance(surface.mesh.face_count(), geometry.total_area()));
}

TEST(Geometry, normals_of_a_sphere_point_outward) {
  const Surface surface = load_surface("icosphere:3");
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  for (Index face = 0; face < surface.mesh.face_count(); ++face) {
    EXPECT_NEAR(geometry.face_normal.col(face).norm(), 1, 4 * epsilon);
    EXPECT_GT(geometry.face_normal.col(face).dot(geometry.centroid(surface.mesh, face)), 0);
  }
}

TEST(Geometry, normals_at_the_vertices_of_any_triangles_on_a_sphere_are_exact) {
  for (const char* mesh : {"jittered-sphere:2", "uv-sphere:2", "random-sphere:2"}) {
    const Surface surface = load_surface(mesh);
    Points normals;
    vertex_normals(surface.mesh, make_geometry(surface.mesh, surface.x), normals);
    EXPECT_LT((normals - surface.x.colwise().normalized()).cwiseAbs().maxCoeff(), 1e-12) << mesh;
  }
}

TEST(Geometry, keeps_its_storage_when_refreshed) {
  const Surface surface = load_surface("icosphere:2");
  Geometry geometry = make_geometry(surface.mesh, surface.x);
  const double* storage[] = {geometry.x.data(),           geometry.face_normal.data(),
                             geometry.face_area.data(),   geometry.vertex_area.data(),
                             geometry.edge_length.data(), geometry.cotangent.data()};
  compute_geometry(surface.mesh, 2 * surface.x, geometry);
  const double* after[] = {geometry.x.data(),           geometry.face_normal.data(),
                           geometry.face_area.data(),   geometry.vertex_area.data(),
                           geometry.edge_length.data(), geometry.cotangent.data()};
  EXPECT_TRUE(std::equal(std::begin(storage), std::end(storage), std::begin(after)));
}

TEST(Geometry, refuses_what_has_no_area_naming_the_face) {
  const Mesh mesh = make_mesh(faces_of({{0, 1, 2}, {2, 1, 3}}), 4);
  const auto flat = [&] { make_geometry(mesh, points_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.5, 0.5, 0}})); };
  EXPECT_TRUE(contains(message_of(flat), "face 1 is degenerate"));
}

TEST(Geometry, refuses_what_is_not_finite_naming_the_vertex) {
  const Mesh mesh = make_mesh(faces_of({{0, 1, 2}}), 3);
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    const auto broken = [&] { make_geometry(mesh, points_of({{0, 0, 0}, {1, bad, 0}, {0, 1, 0}})); };
    EXPECT_TRUE(contains(message_of(broken), "vertex 1 is not finite"));
  }
}

}  // namespace
}  // namespace shoal::test
