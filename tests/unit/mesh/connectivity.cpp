// Connectivity: guarantees of every mesh, and refusal of invalid ones.
#include "discretizations/mesh/edges.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "shapes.hpp"

#include <algorithm>

namespace shoal::test {
namespace {

const std::vector<std::string> meshes = {
    "icosphere:2",    "ellipsoid:2",           "torus:8x6",     "torus:5x3:structured",
    "blob:2",         "rectangle:5x4",         "rectangle:1x1", "rectangle:3x2:structured",
    "blob:3:slivers", "rectangle:6x5:jittered"};

class EveryMesh : public ::testing::TestWithParam<std::string> {
 protected:
  const Surface surface = load_surface(GetParam());
  const Mesh& mesh = surface.mesh;

  /// Whether the face runs along the edge from tail to head.
  bool runs_along(Index face, Index tail, Index head) const {
    for (int c = 0; c < 3; ++c)
      if (mesh.faces(c, face) == tail && mesh.faces((c + 1) % 3, face) == head) return true;
    return false;
  }
};

TEST_P(EveryMesh, edges_run_along_their_left_face_and_against_their_right_face) {
  for (Index edge = 0; edge < mesh.edge_count(); ++edge) {
    const Index tail = mesh.edges(0, edge), head = mesh.edges(1, edge);
    EXPECT_TRUE(runs_along(mesh.edge_faces(0, edge), tail, head)) << "edge " << edge;
    if (mesh.is_wall(edge)) continue;
    EXPECT_TRUE(runs_along(mesh.edge_faces(1, edge), head, tail)) << "edge " << edge;
  }
}

TEST_P(EveryMesh, face_edges_lie_opposite_to_their_corner) {
  for (Index face = 0; face < mesh.face_count(); ++face)
    for (int c = 0; c < 3; ++c) {
      const Index edge = mesh.face_edges(c, face);
      EXPECT_TRUE(mesh.edge_faces(0, edge) == face || mesh.edge_faces(1, edge) == face);
      EXPECT_NE(mesh.edges(0, edge), mesh.faces(c, face));
      EXPECT_NE(mesh.edges(1, edge), mesh.faces(c, face));
    }
}

TEST_P(EveryMesh, edges_are_numbered_in_the_order_in_which_faces_name_them) {
  Index next = 0;
  for (const Index edge : mesh.face_edges.reshaped()) {
    EXPECT_LE(edge, next);
    if (edge == next) ++next;
  }
  EXPECT_EQ(next, mesh.edge_count());
}

TEST_P(EveryMesh, rings_hold_every_corner_once_in_ascending_order_at_its_vertex) {
  ASSERT_EQ(mesh.ring_corner.size(), 3 * static_cast<std::size_t>(mesh.face_count()));
  std::vector<int> met(mesh.ring_corner.size(), 0);
  for (Index i = 0; i < mesh.vertex_count; ++i)
    for (Index k = mesh.ring_start[i]; k < mesh.ring_start[i + 1]; ++k) {
      const Index corner = mesh.ring_corner[k];
      ++met[corner];
      EXPECT_EQ(mesh.faces(corner % 3, corner / 3), i);
      EXPECT_TRUE(k == mesh.ring_start[i] || mesh.ring_corner[k - 1] < corner);
    }
  EXPECT_EQ(std::count(met.begin(), met.end(), 1), static_cast<std::ptrdiff_t>(met.size()));
}

TEST_P(EveryMesh, sides_of_edges_are_the_corners_of_faces) {
  Index walls = 0;
  for (Index edge = 0; edge < mesh.edge_count(); ++edge) walls += mesh.is_wall(edge);
  EXPECT_EQ(2 * mesh.edge_count() - walls, 3 * mesh.face_count());
  EXPECT_EQ(mesh.closed(), walls == 0);
}

INSTANTIATE_TEST_SUITE_P(Mesh, EveryMesh, ::testing::ValuesIn(meshes), [](const auto& instance) {
  std::string name = instance.param;
  std::replace(name.begin(), name.end(), ':', '_');
  return name;
});

TEST(MakeMesh, takes_one_triangle_and_two_that_share_an_edge) {
  EXPECT_EQ(make_mesh(faces_of({{0, 1, 2}}), 3).edge_count(), 3);
  const Mesh mesh = make_mesh(faces_of({{0, 1, 2}, {2, 1, 3}}), 4);
  EXPECT_EQ(mesh.edge_count(), 5);
  EXPECT_EQ(mesh.euler_characteristic(), 1);
  EXPECT_FALSE(mesh.closed());
}

TEST(MakeMesh, refuses_no_faces) {
  EXPECT_TRUE(contains(message_of([] { make_mesh(Faces(3, 0), 3); }), "no faces"));
}

TEST(MakeMesh, refuses_an_index_out_of_range_naming_the_face) {
  EXPECT_TRUE(contains(message_of([] {
                         make_mesh(faces_of({{0, 1, 2}, {2, 1, 4}}), 4);
                       }),
                       "face 1 names vertex 4"));
  EXPECT_TRUE(contains(message_of([] { make_mesh(faces_of({{0, 1, -1}}), 3); }), "face 0 names vertex -1"));
}

TEST(MakeMesh, refuses_a_vertex_named_twice_naming_the_face) {
  EXPECT_TRUE(contains(message_of([] { make_mesh(faces_of({{0, 1, 2}, {3, 1, 3}}), 4); }), "face 1"));
}

TEST(MakeMesh, refuses_three_faces_at_an_edge_naming_the_edge) {
  const std::string message = message_of([] { make_mesh(faces_of({{0, 1, 2}, {1, 0, 3}, {0, 1, 4}}), 5); });
  EXPECT_TRUE(contains(message, "edge (0, 1) is not manifold"));
}

TEST(MakeMesh, refuses_neighbours_of_unlike_orientation_naming_the_edge) {
  const std::string message = message_of([] { make_mesh(faces_of({{0, 1, 2}, {1, 2, 3}}), 4); });
  EXPECT_TRUE(contains(message, "edge (1, 2)"));
  EXPECT_TRUE(contains(message, "faces 0 and 1"));
}

TEST(MakeMesh, refuses_an_unused_vertex_naming_it) {
  EXPECT_TRUE(contains(message_of([] {
                         make_mesh(faces_of({{0, 1, 3}}), 4);
                       }),
                       "vertex 2 belongs to no face"));
}

TEST(MakeMesh, refuses_two_fans_at_a_vertex_naming_it) {
  const auto hourglass = [] { make_mesh(faces_of({{0, 1, 2}, {0, 3, 4}}), 5); };
  EXPECT_TRUE(contains(message_of(hourglass), "vertex 0 is not manifold"));
  const auto two_tetrahedra_at_a_tip = [] {
    make_mesh(
        faces_of({{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}, {0, 5, 4}, {0, 4, 6}, {4, 5, 6}, {0, 6, 5}}),
        7);
  };
  EXPECT_TRUE(contains(message_of(two_tetrahedra_at_a_tip), "vertex 0 is not manifold"));
}

TEST(MakeMesh, names_vertices_by_their_source) {
  const std::vector<Index> source = {10, 11, 12, 13, 14};
  const std::string message = message_of([&] { make_mesh(faces_of({{0, 1, 2}, {0, 3, 4}}), 5, &source); });
  EXPECT_TRUE(contains(message, "vertex 10 is not manifold"));
}

}  // namespace
}  // namespace shoal::test
