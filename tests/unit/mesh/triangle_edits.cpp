// Single edge splits, flips and collapses.
#include "discretizations/mesh/remeshing/triangle_edits.hpp"

#include "discretizations/mesh/generators/random.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "shapes.hpp"

namespace shoal::test {
namespace {

/// make_mesh throws unless it is a manifold of one orientation without unused vertices.
Mesh checked(TriangleEdits edits) {
  edits.compact();
  return make_mesh(edits.faces(), edits.vertex_end());
}

TEST(TriangleEdits, give_back_what_they_were_made_of) {
  const Surface surface = load_surface("torus:8x6");
  TriangleEdits edits(surface.mesh, surface.x);
  edits.compact();
  EXPECT_EQ(edits.faces(), surface.mesh.faces);
  EXPECT_EQ(edits.positions(), surface.x);
}

TEST(TriangleEdits, split_and_collapse_undo_each_other) {
  const Surface surface = load_surface("icosphere:1");
  TriangleEdits edits(surface.mesh, surface.x);
  const Index a = edits.tail(0), b = edits.head(0);
  const Index middle = edits.split(0, 0.5 * (edits.x(a) + edits.x(b)));
  EXPECT_EQ(edits.degree(middle), 4);
  EXPECT_FALSE(edits.are_neighbours(a, b));
  EXPECT_EQ(checked(edits).euler_characteristic(), 2);
  EXPECT_EQ(edits.head(0), middle);
  ASSERT_TRUE(edits.can_collapse(edits.twin(0)));
  edits.collapse(edits.twin(0));
  EXPECT_FALSE(edits.has_vertex(middle));
  EXPECT_TRUE(edits.are_neighbours(a, b));
  EXPECT_EQ(edits.vertex_count(), surface.mesh.vertex_count);
  EXPECT_EQ(checked(edits).euler_characteristic(), 2);
}

TEST(TriangleEdits, flip_joins_the_apexes) {
  const Surface surface = load_surface("icosphere:1");
  TriangleEdits edits(surface.mesh, surface.x);
  const Index a = edits.tail(5), b = edits.head(5), c = edits.apex(5), d = edits.apex(edits.twin(5));
  ASSERT_TRUE(edits.can_flip(5));
  edits.flip(5);
  EXPECT_FALSE(edits.are_neighbours(a, b));
  EXPECT_TRUE(edits.are_neighbours(c, d));
  EXPECT_EQ(checked(edits).euler_characteristic(), 2);
}

TEST(TriangleEdits, of_a_tetrahedron_neither_collapse_nor_flip) {
  const Mesh mesh = make_mesh(tetrahedron_faces(), 4);
  const TriangleEdits edits(mesh, tetrahedron_points());
  for (Index h = 0; h < edits.half_edge_count(); ++h) {
    EXPECT_FALSE(edits.can_collapse(h));
    EXPECT_FALSE(edits.can_flip(h));
  }
}

TEST(TriangleEdits, across_a_tube_of_three_vertices_do_not_collapse) {
  // The edges around the tube have the third vertex around it as a common neighbour that is no apex.
  const Surface tube = load_surface("torus:9x3:structured");
  const TriangleEdits edits(tube.mesh, tube.x);
  int refused = 0;
  for (Index h = 0; h < edits.half_edge_count(); ++h) refused += !edits.can_collapse(h);
  EXPECT_EQ(refused, 2 * 9 * 3);
}

TEST(TriangleEdits, at_random_keep_a_manifold_of_the_same_genus) {
  const Surface surface = load_surface("torus:10x8");
  TriangleEdits edits(surface.mesh, surface.x);
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const Index h = static_cast<Index>(random() % static_cast<std::uint64_t>(edits.half_edge_count()));
    if (!edits.has_half_edge(h)) continue;
    switch (random() % 3) {
      case 0:
        edits.split(h, 0.5 * (edits.x(edits.tail(h)) + edits.x(edits.head(h))));
        break;
      case 1:
        if (edits.can_collapse(h)) edits.collapse(h);
        break;
      default:
        if (edits.can_flip(h)) edits.flip(h);
    }
    if (i % 100 == 0) {
      const Mesh mesh = checked(edits);
      ASSERT_EQ(mesh.euler_characteristic(), 0) << i;
      ASSERT_TRUE(mesh.closed());
      ASSERT_EQ(mesh.vertex_count, edits.vertex_count());
    }
  }
}

}  // namespace
}  // namespace shoal::test
