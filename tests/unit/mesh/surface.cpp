// Repairs, refusals and order of raw triangles.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "shapes.hpp"

#include <algorithm>
#include <numeric>

namespace shoal::test {
namespace {

Surface surface_of(const Faces& faces, const Points& x, bool weld = true) {
  return make_surface("test", "test", faces, x, weld ? std::optional(WeldTolerance()) : std::nullopt);
}

double enclosed_volume(const Surface& surface) {
  double volume = 0;
  for (Index face = 0; face < surface.mesh.face_count(); ++face) {
    Eigen::Matrix3d corners;
    for (int c = 0; c < 3; ++c) corners.col(c) = surface.x.col(surface.mesh.faces(c, face));
    volume += corners.determinant() / 6;
  }
  return volume;
}

/// The faces of a surface in the input's order and numbering.
Faces input_faces(const Surface& surface) {
  Faces faces(3, surface.mesh.face_count());
  for (Index k = 0; k < surface.mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      faces(c, surface.input_face[k]) = surface.input_vertex[surface.mesh.faces(c, k)];
  return faces;
}

Points input_points(const Surface& surface) {
  Points x(3, surface.mesh.vertex_count);
  for (Index i = 0; i < surface.mesh.vertex_count; ++i) x.col(surface.input_vertex[i]) = surface.x.col(i);
  return x;
}

bool is_permutation(std::vector<Index> order) {
  std::sort(order.begin(), order.end());
  for (std::size_t i = 0; i < order.size(); ++i)
    if (order[i] != static_cast<Index>(i)) return false;
  return true;
}

TEST(Order, is_a_permutation_that_leads_back_to_the_input) {
  const Surface generated = load_surface("blob:3");
  // A source in an order of its own: ours reversed.
  Points x = generated.x.rowwise().reverse();
  Faces faces = generated.mesh.faces.rowwise().reverse();
  faces = (generated.mesh.vertex_count - 1 - faces.array()).matrix().eval();
  const Surface surface = surface_of(faces, x);
  EXPECT_TRUE(is_permutation(surface.input_vertex));
  EXPECT_TRUE(is_permutation(surface.input_face));
  EXPECT_EQ(input_points(surface), x);
  EXPECT_EQ(input_faces(surface), faces);
  EXPECT_TRUE(surface.source_vertex.empty());
}

Index bandwidth(const Mesh& mesh) {
  return (mesh.edges.row(0) - mesh.edges.row(1)).cwiseAbs().maxCoeff();
}

TEST(Order, keeps_neighbours_near) {
  // A level of the breadth-first walk of icosphere:4 is at most 5·2⁴ = 80 vertices wide.
  EXPECT_LE(bandwidth(load_surface("icosphere:4").mesh), 2 * 80);
  EXPECT_LE(bandwidth(load_surface("rectangle:200x3").mesh), 2 * 5);
}

TEST(Order, covers_all_components) {
  Points x(3, 8);
  x << tetrahedron_points(), tetrahedron_points().colwise() + Vector3(10, 0, 0);
  Faces faces(3, 8);
  faces << tetrahedron_faces(), (tetrahedron_faces().array() + 4).matrix();
  const Surface surface = surface_of(faces, x);
  EXPECT_TRUE(is_permutation(surface.input_vertex));
  EXPECT_EQ(surface.mesh.euler_characteristic(), 4);
  EXPECT_TRUE(surface.repairs.empty());
}

TEST(Weld, joins_vertices_at_one_place_and_tells_which) {
  // Every face with three vertices of its own, as STL has them.
  Points x(3, 12);
  Faces faces(3, 4);
  for (Index k = 0; k < 4; ++k)
    for (Index c = 0; c < 3; ++c) {
      x.col(3 * k + c) = tetrahedron_points().col(tetrahedron_faces()(c, k));
      faces(c, k) = 3 * k + c;
    }
  const Surface surface = surface_of(faces, x);
  EXPECT_EQ(surface.mesh.vertex_count, 4);
  EXPECT_TRUE(surface.mesh.closed());
  EXPECT_EQ(surface.source_vertex, (std::vector<Index>{0, 1, 2, 5}));
  ASSERT_EQ(surface.repairs.size(), 1u);
  EXPECT_EQ(surface.repairs[0], "welded 8 vertices at the place of another");
  const Surface apart = surface_of(faces, x, false);
  EXPECT_EQ(apart.mesh.vertex_count, 12);
}

TEST(Weld, forgives_rounding_but_no_more) {
  const Faces faces = faces_of({{0, 1, 2}, {3, 4, 5}});
  const auto two_triangles = [&](double gap) {
    return surface_of(faces,
                      points_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, gap}, {1, 0, gap}, {1, 1, 0}}));
  };
  EXPECT_EQ(two_triangles(1e-13).mesh.vertex_count, 4);
  EXPECT_EQ(two_triangles(-1e-13).mesh.vertex_count, 4);
  EXPECT_EQ(two_triangles(1e-11).mesh.vertex_count, 6);
}

TEST(Weld, refuses_a_face_that_loses_a_corner_naming_it) {
  const Faces faces = faces_of({{0, 1, 2}, {2, 1, 3}});
  const Points x = points_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}});
  EXPECT_TRUE(
      contains(message_of([&] { surface_of(faces, x); }), "face 1 is degenerate: its vertices 3 and 2"));
}

TEST(Unused, vertices_are_dropped_and_the_others_keep_their_names) {
  const Surface surface =
      surface_of(faces_of({{1, 2, 4}}), points_of({{9, 9, 9}, {0, 0, 0}, {1, 0, 0}, {8, 8, 8}, {0, 1, 0}}));
  EXPECT_EQ(surface.mesh.vertex_count, 3);
  EXPECT_EQ(surface.source_vertex, (std::vector<Index>{1, 2, 4}));
  EXPECT_EQ(surface.repairs, std::vector<std::string>{"dropped 2 vertices in no face"});
}

TEST(Orientation, of_a_closed_surface_is_outward) {
  Faces inside_out = tetrahedron_faces();
  inside_out.row(1).swap(inside_out.row(2));
  const Surface surface = surface_of(inside_out, tetrahedron_points());
  EXPECT_GT(enclosed_volume(surface), 0);
  EXPECT_EQ(input_faces(surface), tetrahedron_faces());
  EXPECT_EQ(surface.repairs,
            std::vector<std::string>{
                "flipped 4 faces for a consistent orientation with closed parts facing outward"});
}

TEST(Orientation, is_mended_where_neighbours_differ) {
  const Surface sphere = load_surface("icosphere:2");
  Faces mixed = sphere.mesh.faces;
  for (Index face = 0; face < mixed.cols(); face += 3) std::swap(mixed(1, face), mixed(2, face));
  const Surface surface = surface_of(mixed, sphere.x);
  EXPECT_EQ(input_faces(surface), sphere.mesh.faces);
  EXPECT_EQ(surface.repairs.size(), 1u);
}

TEST(Orientation, with_boundary_is_that_of_the_majority) {
  const Surface flat = load_surface("rectangle:4x4:structured");
  Faces mostly_down = flat.mesh.faces;
  mostly_down.row(1).swap(mostly_down.row(2));
  const Surface down = surface_of(mostly_down, flat.x);
  EXPECT_TRUE(down.repairs.empty());
  EXPECT_EQ(input_faces(down), mostly_down);
  Faces mixed = mostly_down;
  for (Index face = 0; face < 5; ++face) std::swap(mixed(1, face), mixed(2, face));
  EXPECT_EQ(input_faces(surface_of(mixed, flat.x)), mostly_down);
}

TEST(Orientation, of_a_moebius_band_is_refused_naming_an_edge) {
  // Five triangles in a ring with a half twist.
  const Faces band = faces_of({{0, 1, 2}, {1, 2, 3}, {2, 3, 4}, {3, 4, 0}, {4, 0, 1}});
  const Points x = points_of({{1, 0, 0}, {0, 1, 0.3}, {-1, 0, 0}, {0, -1, 0.5}, {0.3, 0.2, 1}});
  const std::string message = message_of([&] { surface_of(band, x); });
  EXPECT_TRUE(contains(message, "edge ("));
  EXPECT_TRUE(contains(message, "one-sided"));
}

TEST(Refusal, of_three_faces_at_an_edge_names_it_in_the_source_numbering) {
  // Vertex 0 is unused, so that the numbers shift by one.
  const Faces faces = faces_of({{1, 2, 3}, {2, 1, 4}, {1, 2, 5}});
  const Points x = points_of({{7, 7, 7}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}});
  EXPECT_TRUE(contains(message_of([&] { surface_of(faces, x); }), "edge (1, 2) is not manifold"));
}

TEST(Refusal, of_two_fans_names_the_vertex_in_the_source_numbering) {
  const Faces faces = faces_of({{1, 2, 3}, {1, 4, 5}});
  const Points x = points_of({{7, 7, 7}, {0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}});
  EXPECT_TRUE(contains(message_of([&] { surface_of(faces, x); }), "vertex 1 is not manifold"));
}

TEST(Refusal, of_a_face_without_area_names_it) {
  const Faces faces = faces_of({{0, 1, 2}, {2, 1, 3}});
  const auto with_last = [&](double x, double y) {
    return message_of([&] { surface_of(faces, points_of({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {x, y, 0}})); });
  };
  EXPECT_TRUE(contains(with_last(0.5, 0.5), "face 1 is degenerate"));
  // A needle of 1e-15 of its length is as bad.
  EXPECT_TRUE(contains(with_last(0.5, 0.5 + 1e-15), "face 1 is degenerate"));
}

TEST(Refusal, of_what_is_not_finite_or_out_of_range_or_empty) {
  const Faces faces = faces_of({{0, 1, 2}});
  EXPECT_TRUE(contains(message_of([&] {
                         surface_of(faces, points_of({{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}}));
                       }),
                       "vertex 1 is not finite"));
  EXPECT_TRUE(contains(message_of([&] {
                         surface_of(faces, points_of({{0, 0, 0}, {1, 0, 0}}));
                       }),
                       "face 0 names vertex 2"));
  EXPECT_TRUE(contains(message_of([&] { surface_of(Faces(3, 0), Points(3, 0)); }), "no faces"));
  EXPECT_TRUE(contains(message_of([&] {
                         surface_of(faces, points_of({{0, 0, 0}, {1e200, 0, 0}, {0, 1e200, 0}}));
                       }),
                       "apart"));
}

}  // namespace
}  // namespace shoal::test
