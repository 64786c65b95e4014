// Repair of non-manifold triangles without unnecessary loss.
#include "discretizations/mesh/quality.hpp"
#include "discretizations/mesh/repair.hpp"
#include "shapes.hpp"

#include <numeric>

namespace shoal::test {
namespace {

constexpr double tolerance = 1e-12;

struct Repaired {
  RepairReport report;
  Surface surface;
  MeshQuality quality;
};

Repaired repaired(const Faces& faces, const Points& x) {
  Triangles triangles{x, faces, std::vector<Index>(static_cast<std::size_t>(x.cols()))};
  std::iota(triangles.source_vertex.begin(), triangles.source_vertex.end(), 0);
  Repaired result;
  result.report = make_manifold(triangles);
  result.surface = make_surface("repaired", "test", triangles.faces, triangles.x);
  result.quality = assess(result.surface, make_geometry(result.surface.mesh, result.surface.x));
  return result;
}

/// Two boxes, oriented outward, that share the vertices of `second` that are less than 8.
const Points two_boxes = points_of({{0, 0, 0},
                                    {1, 0, 0},
                                    {1, 1, 0},
                                    {0, 1, 0},
                                    {0, 0, 1},
                                    {1, 0, 1},
                                    {1, 1, 1},
                                    {0, 1, 1},
                                    {1, 1, 0},
                                    {2, 1, 0},
                                    {2, 2, 0},
                                    {1, 2, 0},
                                    {1, 1, 1},
                                    {2, 1, 1},
                                    {2, 2, 1},
                                    {1, 2, 1}});
Faces box(const std::array<Index, 8>& v) {
  return faces_of({{v[0], v[2], v[1]},
                   {v[0], v[3], v[2]},
                   {v[4], v[5], v[6]},
                   {v[4], v[6], v[7]},
                   {v[0], v[1], v[5]},
                   {v[0], v[5], v[4]},
                   {v[1], v[2], v[6]},
                   {v[1], v[6], v[5]},
                   {v[2], v[3], v[7]},
                   {v[2], v[7], v[6]},
                   {v[3], v[0], v[4]},
                   {v[3], v[4], v[7]}});
}
Faces joined(const Faces& a, const Faces& b) {
  Faces all(3, a.cols() + b.cols());
  all << a, b;
  return all;
}

TEST(ManifoldRepair, leaves_a_manifold_as_it_is) {
  const Repaired result = repaired(tetrahedron_faces(), tetrahedron_points());
  EXPECT_TRUE(result.report.sentences().empty());
  EXPECT_TRUE(result.quality.closed);
}

TEST(ManifoldRepair, takes_bodies_apart_that_touch_along_an_edge) {
  const Faces faces = joined(box({0, 1, 2, 3, 4, 5, 6, 7}), box({2, 9, 10, 11, 6, 13, 14, 15}));
  EXPECT_THROW(make_surface("boxes", "test", faces, two_boxes), std::exception);
  Faces inward = faces;
  inward.row(0).swap(inward.row(1));
  for (const Faces& both : {faces, inward}) {
    const Repaired result = repaired(both, two_boxes);
    EXPECT_EQ(result.report.edges, 1);
    EXPECT_EQ(result.report.vertices, 2);
    EXPECT_TRUE(result.quality.closed);
    EXPECT_EQ(result.quality.components, 2);
    EXPECT_NEAR(result.quality.area, 12, tolerance);
  }
}

TEST(ManifoldRepair, takes_bodies_apart_that_touch_at_a_vertex) {
  Points x = two_boxes;
  for (Eigen::Index i = 8; i < 16; ++i) x.col(i) += Vector3(0, 0, 1);
  const Repaired result =
      repaired(joined(box({0, 1, 2, 3, 4, 5, 6, 7}), box({6, 9, 10, 11, 12, 13, 14, 15})), x);
  EXPECT_EQ(result.report.edges, 0);
  EXPECT_EQ(result.report.vertices, 1);
  EXPECT_TRUE(result.quality.closed);
  EXPECT_EQ(result.quality.components, 2);
}

TEST(ManifoldRepair, takes_a_fin_off_a_closed_body) {
  Points x(3, 9);
  x << two_boxes.leftCols(8), Vector3(2, 2, 0.5);
  const Repaired result = repaired(joined(box({0, 1, 2, 3, 4, 5, 6, 7}), faces_of({{2, 6, 8}})), x);
  EXPECT_EQ(result.report.edges, 1);
  EXPECT_EQ(result.quality.components, 2);
  EXPECT_EQ(result.quality.boundary_loops, 1);  // the fin's own
  EXPECT_EQ(result.quality.faces, 13);
}

TEST(ManifoldRepair, drops_faces_that_are_there_twice_or_name_a_vertex_twice) {
  const Faces more = faces_of({{0, 2, 1}, {1, 2, 0}, {3, 3, 1}, {0, 1, 0}});
  const Repaired result = repaired(joined(tetrahedron_faces(), more), tetrahedron_points());
  EXPECT_EQ(result.report.repeated, 2);
  EXPECT_EQ(result.report.twice, 2);
  EXPECT_TRUE(result.quality.closed);
  EXPECT_EQ(result.report.sentences(), (std::vector<std::string>{"dropped 2 faces with a repeated vertex",
                                                                 "dropped 2 duplicate faces"}));
}

TEST(ManifoldRepair, flips_faces_without_area_so_that_no_crack_is_left) {
  // A tetrahedron whose edge (0, 1) is split at 4 on one side, and on the other by a face without area.
  Points x(3, 5);
  x << tetrahedron_points(), Vector3(0.5, 0, 0);
  const Repaired result =
      repaired(faces_of({{0, 2, 1}, {0, 4, 3}, {4, 1, 3}, {0, 1, 4}, {1, 2, 3}, {0, 3, 2}}), x);
  EXPECT_EQ(result.report.flat, 1);
  EXPECT_TRUE(result.quality.closed);
  EXPECT_EQ(result.quality.faces, 6);
  EXPECT_EQ(result.quality.vertices, 5);
}

TEST(ManifoldRepair, cuts_all_faces_behind_the_longest_edge_of_one_without_area) {
  const Points x = points_of({{0, 0, 0}, {1, 0, 0}, {0.5, 0, 0}, {0.5, 1, 0}, {0.5, -1, 0}});
  const Repaired result = repaired(faces_of({{0, 2, 1}, {0, 1, 3}, {1, 0, 4}}), x);
  EXPECT_EQ(result.surface.mesh.face_count(), 4);
  EXPECT_NEAR(make_geometry(result.surface.mesh, result.surface.x).face_area.sum(), 1, tolerance);
}

TEST(ManifoldRepair, makes_a_surface_of_any_triangles) {
  std::uint64_t state = 1;
  const auto below = [&](Index count) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<Index>((state >> 33) % static_cast<std::uint64_t>(count));
  };
  Index repaired_count = 0;
  for (int round = 0; round < 300; ++round) {
    const Index vertices = 4 + below(8), count = 3 + below(20);
    Points x(3, vertices);
    for (double& value : x.reshaped()) value = below(1000) / 100.0;
    Faces faces(3, count);
    for (Index& vertex : faces.reshaped()) vertex = below(vertices);
    Triangles triangles{x, faces, std::vector<Index>(static_cast<std::size_t>(vertices))};
    const RepairReport report = make_manifold(triangles);
    EXPECT_EQ(triangles.source_vertex.size(), static_cast<std::size_t>(triangles.x.cols()));
    if (triangles.faces.cols() == 0) continue;
    try {
      make_surface("soup", "test", triangles.faces, triangles.x);
      repaired_count += !report.sentences().empty();
    } catch (const std::exception& error) {
      EXPECT_TRUE(contains(error.what(), "one-sided"));  // which nothing mends
    }
  }
  EXPECT_GT(repaired_count, 200);
}

}  // namespace
}  // namespace shoal::test
