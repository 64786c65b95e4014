// The quality report.
#include "discretizations/mesh/quality.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "shapes.hpp"

namespace shoal::test {
namespace {

MeshQuality quality_of(const Surface& surface) {
  return assess(surface, make_geometry(surface.mesh, surface.x));
}

TEST(Quality, counts_handles_loops_and_components) {
  EXPECT_EQ(quality_of(load_surface("torus:8x6")).genus, 1);
  EXPECT_EQ(quality_of(load_surface("icosphere:1")).genus, 0);
  const MeshQuality flat = quality_of(load_surface("rectangle:3x3"));
  EXPECT_EQ(flat.genus, 0);
  EXPECT_EQ(flat.boundary_loops, 1);

  // A square ring of eight triangles, as large outside as 3 and inside as 1: two loops.
  const Faces ring =
      faces_of({{0, 1, 5}, {0, 5, 4}, {1, 2, 6}, {1, 6, 5}, {2, 3, 7}, {2, 7, 6}, {3, 0, 4}, {3, 4, 7}});
  const Points x =
      points_of({{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {1, 1, 0}, {2, 1, 0}, {2, 2, 0}, {1, 2, 0}});
  const MeshQuality annulus = quality_of(make_surface("ring", "test", ring, x));
  EXPECT_EQ(annulus.boundary_loops, 2);
  EXPECT_EQ(annulus.euler_characteristic, 0);
  EXPECT_EQ(annulus.genus, 0);
  EXPECT_EQ(annulus.components, 1);
}

TEST(Quality, of_a_regular_tetrahedron_is_known) {
  const Points x = points_of({{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}});
  const MeshQuality quality = quality_of(make_surface("t", "test", tetrahedron_faces(), x));
  const double edge = std::sqrt(8.0), cotangent = 1 / std::sqrt(3.0);
  EXPECT_NEAR(quality.angle.front(), 60, 1e-12);
  EXPECT_NEAR(quality.angle.back(), 60, 1e-12);
  EXPECT_NEAR(quality.dual_min, edge * cotangent, 1e-14);
  EXPECT_NEAR(quality.edge_length_mean, edge, 1e-14);
  EXPECT_EQ(quality.obtuse_faces, 0);
}

TEST(Quality, finds_the_worst_face_in_the_order_of_the_input) {
  Faces faces(3, 3);
  faces << 0, 1, 1,  //
      1, 3, 4,       //
      2, 2, 3;
  // Face 2 is a needle.
  const Points x = points_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1.05, 0.5, 0}});
  const MeshQuality quality = quality_of(make_surface("n", "test", faces, x));
  EXPECT_EQ(quality.worst_face, 2);
  EXPECT_EQ(quality.obtuse_faces, 1);
}

TEST(Quality, counts_degenerate_duals_of_right_angled_cells) {
  // One diagonal in each of 12 cells.
  const MeshQuality quality = quality_of(load_surface("rectangle:4x3:structured"));
  EXPECT_EQ(quality.degenerate_duals, 12);
  EXPECT_EQ(quality.negative_duals, 0);
}

TEST(Quality, counts_negative_duals_where_an_edge_is_not_delaunay) {
  const Faces faces = faces_of({{0, 1, 2}, {2, 1, 3}});
  const Points x = points_of({{-0.2, -0.2, 0}, {1, 0, 0}, {0, 1, 0}, {0.6, 0.6, 0}});
  const Points flipped = points_of({{0.4, 0.4, 0}, {1, 0, 0}, {0, 1, 0}, {0.6, 0.6, 0}});
  EXPECT_EQ(quality_of(make_surface("a", "test", faces, x)).negative_duals, 0 + 1);
  EXPECT_LT(quality_of(make_surface("b", "test", faces, flipped)).dual_min, 0);
}

TEST(Quality, report_says_what_there_is_and_what_was_repaired) {
  Faces faces = tetrahedron_faces();
  faces.row(1).swap(faces.row(2));
  const Surface surface = make_surface("upside", "test.obj", faces, tetrahedron_points());
  const std::string report = quality_report(surface, quality_of(surface));
  for (const char* part :
       {"4 vertices, 6 edges, 4 faces", "closed", "Euler characteristic 2", "flipped 4 faces"})
    EXPECT_TRUE(contains(report, part));
}

}  // namespace
}  // namespace shoal::test
