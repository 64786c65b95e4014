// The drawn body of water: closed, and with the volume of the water.
#include "reference/view/water_volume.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numbers>

namespace shoal::test {
namespace {

struct WithNormals {
  explicit WithNormals(const std::string& name) : surface(load_surface(name)) {
    vertex_normals(surface.mesh, make_geometry(surface.mesh, surface.x), normals);
  }
  Surface surface;
  Points normals;
};

double volume(const PictureMesh& body) {
  double sum = 0;
  for (Eigen::Index k = 0; k < body.faces.cols(); ++k)
    sum += Vector3(body.x.col(body.faces(0, k)))
               .dot(Vector3(body.x.col(body.faces(1, k))).cross(Vector3(body.x.col(body.faces(2, k))))) /
           6;
  return sum;
}

/// Every edge has a face on either side if vertices at the same position are merged.
void expect_closed(const PictureMesh& body) {
  std::map<std::array<double, 3>, int> places;
  std::map<std::pair<int, int>, int> edges;
  const auto place = [&](Index i) {
    return places.try_emplace({body.x(0, i), body.x(1, i), body.x(2, i)}, static_cast<int>(places.size()))
        .first->second;
  };
  for (Eigen::Index k = 0; k < body.faces.cols(); ++k)
    for (int c = 0; c < 3; ++c) ++edges[{place(body.faces(c, k)), place(body.faces((c + 1) % 3, k))}];
  ASSERT_FALSE(edges.empty());
  for (const auto& [edge, count] : edges) {
    const auto opposite = edges.find({edge.second, edge.first});
    ASSERT_TRUE(opposite != edges.end() && opposite->second == count)
        << "from " << edge.first << " to " << edge.second;
  }
}

TEST(WaterVolume, fills_a_closed_mesh) {
  const WithNormals sphere("icosphere:4");
  const Index count = sphere.surface.mesh.vertex_count;
  WaterVolume water(sphere.surface.mesh, {});
  const Vector depth = Vector::Constant(count, 0.3), bed = Vector::Constant(count, 0.2);
  const PictureMesh body = water.update(sphere.surface.x, sphere.normals, depth, bed);
  expect_closed(body);
  constexpr double of_polyhedron = 4e-3;  // edges of 1/14 radius lie as much within
  EXPECT_NEAR(volume(body) / (4.0 / 3 * std::numbers::pi * 1.1 * 1.1 * 1.1), 1, of_polyhedron);
}

TEST(WaterVolume, of_a_part_of_a_closed_mesh_is_closed_by_a_cap) {
  const WithNormals sphere("icosphere:4");
  const Index count = sphere.surface.mesh.vertex_count;
  WaterVolume water(sphere.surface.mesh, {});
  const Vector bed = Vector::Constant(count, 1e-3);
  Vector depth(count);
  for (Index i = 0; i < count; ++i) depth[i] = sphere.surface.x(2, i) < 0.05 ? 0.02 : 0;
  const PictureMesh body = water.update(sphere.surface.x, sphere.normals, depth, bed);
  expect_closed(body);
  constexpr double line = 0.2;  // it lies up to an edge, 0.08, above 0.05: π 0.13 of 2π/3
  EXPECT_NEAR(volume(body) / (2.0 / 3 * std::numbers::pi), 1, line);
  EXPECT_GT(body.normals(2, body.normals.cols() - 1), 0.9);  // the cap looks up
}

TEST(WaterVolume, of_two_ends_has_two_caps) {
  const WithNormals sphere("icosphere:4");
  const Index count = sphere.surface.mesh.vertex_count;
  WaterVolume water(sphere.surface.mesh, {});
  const Vector depth = (sphere.surface.x.row(2).transpose().array().abs() > 0.4)
                           .select(Vector::Constant(count, 0.1), Vector::Zero(count)),
               bed = Vector::Constant(count, 1e-3);
  expect_closed(water.update(sphere.surface.x, sphere.normals, depth, bed));
}

TEST(WaterVolume, in_a_pool_is_that_of_the_water) {
  const WithNormals pool("rectangle:12x8:3x2");
  const Index count = pool.surface.mesh.vertex_count;
  FluidSurfaceOptions options;
  options.thickness = 1e-6;
  WaterVolume water(pool.surface.mesh, options);
  const Vector bed = Vector::Constant(count, 0.4), depth = Vector::Constant(count, 0.5);
  const PictureMesh body = water.update(pool.surface.x, pool.normals, depth, bed);
  expect_closed(body);
  EXPECT_NEAR(volume(body), 3 * 2 * 0.5, 1e-4);  // the bed lies 1e-6 m lower
  const PictureMesh higher = water.update(pool.surface.x, pool.normals, depth, bed, 3);
  EXPECT_NEAR(volume(higher), 3 * 2 * (0.4 + 3 * 0.1), 1e-4);
}

/// Along the front sheet; where a vertex moves from one place of a level sheet to another, the volume stays.
TEST(WaterVolume, is_shifted_in_front_only) {
  const WithNormals pool("rectangle:12x8:3x2");
  const Points& x = pool.surface.x;
  WaterVolume water(pool.surface.mesh, {});
  const Vector depth = Vector::Constant(x.cols(), 0.5), bed = Vector::Constant(x.cols(), 0.4);
  Points shift = Points::Zero(3, x.cols());
  for (Index i = 0; i < x.cols(); ++i)
    if (x(0, i) > 0.1 && x(0, i) < 2.9 && x(1, i) > 0.1 && x(1, i) < 1.9) shift(0, i) = 0.05;
  const PictureMesh still = water.update(x, pool.normals, depth, bed, 2),
                    moved = water.update(x, pool.normals, depth, bed, 2, shift);
  ASSERT_EQ(moved.faces, still.faces);
  int shifted = 0;
  for (Eigen::Index i = 0; i < moved.x.cols(); ++i) {
    const Vector3 by = moved.x.col(i) - still.x.col(i);
    if (by.norm() == 0) continue;
    EXPECT_NEAR((by - Vector3(0.05, 0, 0)).norm(), 0, 1e-15);
    EXPECT_GT(moved.x(2, i), 0);
    ++shifted;
  }
  EXPECT_EQ(shifted, (shift.row(0).array() > 0).count());
  expect_closed(moved);
  EXPECT_NEAR(volume(moved), volume(still), 1e-12);
}

TEST(WaterVolume, without_water_is_empty) {
  const WithNormals sphere("icosphere:2");
  const Index count = sphere.surface.mesh.vertex_count;
  WaterVolume water(sphere.surface.mesh, {});
  EXPECT_EQ(
      water.update(sphere.surface.x, sphere.normals, Vector::Zero(count), Vector::Ones(count)).faces.cols(),
      0);
}

TEST(Pool, has_a_bed_that_looks_up_and_walls_that_look_inwards) {
  const WithNormals rectangle("rectangle:6x4:3x2");
  const Index count = rectangle.surface.mesh.vertex_count;
  const PictureMesh pool = pool_mesh(rectangle.surface.mesh, rectangle.surface.x, rectangle.normals,
                                     Vector::Constant(count, 0.5), 0.1);
  const Vector3 middle = rectangle.surface.x.rowwise().mean();
  for (Eigen::Index k = 0; k < pool.faces.cols(); ++k) {
    const Vector3 a = pool.x.col(pool.faces(0, k)), b = pool.x.col(pool.faces(1, k)),
                  c = pool.x.col(pool.faces(2, k));
    EXPECT_GT((b - a).cross(c - a).dot(middle - (a + b + c) / 3), 0) << k;
  }
  EXPECT_DOUBLE_EQ(pool.x.row(2).minCoeff(), -0.5);
  EXPECT_DOUBLE_EQ(pool.x.row(2).maxCoeff(), 0.1);
}

}  // namespace
}  // namespace shoal::test
