// SquareGrid: squares from triangles in any numbering and place.
#include "discretizations/grid/square_grid.hpp"
#include "discretizations/common/error.hpp"
#include "tests/support/message.hpp"
#include "tests/support/surfaces.hpp"

#include <gtest/gtest.h>

namespace shoal::test {
namespace {

SquareGrid grid_of(const Surface& surface) {
  return make_square_grid(surface.mesh, make_geometry(surface.mesh, surface.x));
}

/// 3 × 3 cells of 1 m, and as many `shift` metres away in x and y, `height` above.
Surface two_ponds(double shift, double height) {
  const Surface one = squares(3, 3, 1);
  const Index vertices = one.mesh.vertex_count, faces = one.mesh.face_count();
  Points x(3, 2 * vertices);
  x << one.x, one.x.colwise() + Vector3(shift, shift, height);
  Faces all(3, 2 * faces);
  all << one.mesh.faces, one.mesh.faces.array() + vertices;
  return make_surface("ponds", "generated", all, x);
}

TEST(SquareGrid, rows_and_neighbours_of_a_rectangle) {
  const SquareGrid grid = grid_of(load_surface("rectangle:5x3:2.5x1.5:structured"));
  EXPECT_EQ(grid.columns, 5);
  EXPECT_EQ(grid.rows, 3);
  EXPECT_NEAR(grid.side, 0.5, 1e-15);
  ASSERT_EQ(grid.count(), 15);
  for (Index c = 0; c < 15; ++c) {
    EXPECT_NEAR(grid.centre(0, c), 0.5 * (c % 5) + 0.25, 1e-14);
    EXPECT_NEAR(grid.centre(1, c), 0.5 * (c / 5) + 0.25, 1e-14);
    EXPECT_EQ(grid.neighbour[c][SquareGrid::east], c % 5 < 4 ? c + 1 : SquareGrid::none);
    EXPECT_EQ(grid.neighbour[c][SquareGrid::south], c >= 5 ? c - 5 : SquareGrid::none);
  }
  Index walls = 0, along_x = 0;
  for (const SquareGrid::Edge& edge : grid.edges) {
    walls += edge.is_wall();
    along_x += edge.axis == 0;
  }
  EXPECT_EQ(grid.edges.size(), 6 * 3 + 5 * 4);
  EXPECT_EQ(walls, 16);
  EXPECT_EQ(along_x, 18);
  for (Index c = 0; c < 15; ++c) {
    EXPECT_EQ(grid.edges[grid.edge_of[c][SquareGrid::west]].second, c);
    EXPECT_EQ(grid.edges[grid.edge_of[c][SquareGrid::north]].first, c);
  }
}

TEST(SquareGrid, a_periodic_plane_has_no_walls) {
  const SquareGrid grid = grid_of(load_surface("rectangle:6x4:6x4:structured:periodic"));
  EXPECT_EQ(grid.edges.size(), 48);
  EXPECT_EQ(grid.neighbour[0][SquareGrid::west], 5);
  EXPECT_EQ(grid.neighbour[0][SquareGrid::south], 18);
  const SquareGrid channel = grid_of(load_surface("rectangle:6x4:6x4:structured:periodic-x"));
  EXPECT_EQ(channel.neighbour[0][SquareGrid::south], SquareGrid::none);
  EXPECT_EQ(channel.neighbour[0][SquareGrid::west], 5);
}

TEST(SquareGrid, holes_and_turned_planes) {
  const auto keep = [](Index i, Index j) { return !(i == 2 && j == 1) && !(i > 3 && j > 2); };
  const Eigen::Matrix3d turn = (Eigen::AngleAxisd(0.4, Vector3(1, 2, 3).normalized())).toRotationMatrix();
  const SquareGrid grid = grid_of(squares(6, 5, 0.2, keep, turn));
  EXPECT_EQ(grid.count(), 30 - 1 - 4);
  EXPECT_NEAR(grid.side, 0.2, 1e-14);
  EXPECT_NEAR(grid.x_axis.dot(grid.y_axis), 0, 1e-14);
  Index walls = 0;
  for (const SquareGrid::Edge& edge : grid.edges) walls += edge.is_wall();
  EXPECT_EQ(walls, 22 + 4);
}

/// Two squares of 3 × 3 cells, 3 m apart in height.
TEST(SquareGrid, parts_at_two_heights_keep_their_own) {
  const SquareGrid grid = grid_of(two_ponds(5, 3));
  for (Index c = 0; c < grid.count(); ++c)
    EXPECT_NEAR(grid.centre(2, c), grid.centre(0, c) > 4 ? 3 : 0, 1e-14) << grid.centre.col(c).transpose();
  EXPECT_EQ(message_of([] { grid_of(two_ponds(1e6, 0)); }),
            "needs square cells, each cut into two triangles: the rectangle around them holds 1e+06 × 1e+06 "
            "squares, "
            "and at most 2.1e+09 are allowed; use e.g. rectangle:40x10:4x1:structured");
}

TEST(SquareGrid, says_why_a_mesh_has_no_squares) {
  const auto reason = [](const std::string& mesh) {
    return message_of([&] { grid_of(load_surface(mesh)); });
  };
  EXPECT_NE(reason("icosphere:1").find("not flat"), std::string::npos);
  EXPECT_NE(reason("rectangle:4x4:4x3:structured").find("1 by 0.75 m"), std::string::npos);
  EXPECT_NE(reason("rectangle:8x6").find("triangle"), std::string::npos);
}

}  // namespace
}  // namespace shoal::test
