// dec: exactness, merged cells, the intrinsic dual.
#include "discretizations/mesh/intrinsic.hpp"
#include "tests/support/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal::test {
namespace {

Configuration on(const std::string& mesh, const std::string& dual = "circumcentric") {
  return {.mesh = mesh, .discretization = "dec", .integrator = "explicit", .parameters = {{"dual", dual}}};
}

TEST(Dec, gradient_of_a_linear_function_is_exact_between_circumcentres) {
  Configuration setup = on("rectangle:8x6:staggered");
  const Vector3 slope(0.3, -0.7, 0);
  setup.initial.depth = [slope](const Vector3& x) { return 1 + slope.dot(x); };
  setup.initial.velocity = [slope](const Vector3&) { return slope; };
  const Simulation simulation(setup);
  Vector rate = Vector::Zero(simulation.state.flow.size());
  offered<Split>(*simulation.discretization)->add_velocity_rate(simulation.state, 1, rate);
  EXPECT_LT((rate + gravity * simulation.state.flow).cwiseAbs().maxCoeff(), 1e-11);
}

TEST(Dec, velocity_of_a_constant_field_is_recovered_away_from_walls) {
  for (const std::string mesh : {"rectangle:8x6:staggered", "rectangle:8x6:structured"}) {
    Configuration setup = on(mesh);
    const Vector3 constant(0.7, 0.4, 0);
    setup.initial.velocity = [constant](const Vector3&) { return constant; };
    const Simulation simulation(setup);
    Points velocity;
    simulation.discretization->face_velocity(simulation.state, velocity);
    const Mesh& m = simulation.surface.mesh;
    int inside = 0;
    for (Index k = 0; k < m.face_count(); ++k) {
      bool touches_wall = false;
      for (int c = 0; c < 3; ++c) touches_wall |= m.is_wall(m.face_edges(c, k));
      if (touches_wall) continue;
      ++inside;
      EXPECT_LT((velocity.col(k) - constant).norm(), 1e-12) << mesh;
    }
    EXPECT_GT(inside, 20) << mesh;
  }
}

TEST(Dec, right_triangles_become_squares) {
  const Simulation simulation(on("rectangle:8x6:structured"));
  EXPECT_EQ(simulation.discretization->cells().count(), 48);
  EXPECT_NEAR(simulation.discretization->cells().area.maxCoeff(), 1.0 / 64, 1e-15);
  EXPECT_EQ(offered<Wave>(*simulation.discretization)->sites(), 7 * 6 + 8 * 5);
}

TEST(Dec, a_negative_dual_edge_is_refused_with_its_place) {
  try {
    Simulation simulation(on("blob:3:slivers"));
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("negative dual length"), std::string::npos);
    EXPECT_NE(std::string(refusal.what()).find("dual = intrinsic"), std::string::npos);
  }
}

TEST(Intrinsic, a_delaunay_mesh_is_left_alone) {
  const Surface surface = load_surface("icosphere:3");
  IntrinsicTriangulation t = intrinsic_triangulation(surface.mesh, make_geometry(surface.mesh, surface.x));
  flip_to_delaunay(t);
  EXPECT_EQ(t.flips, 0);
}

TEST(Intrinsic, flips_keep_the_area_and_end_delaunay) {
  const Surface surface = load_surface("blob:3:slivers");
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  IntrinsicTriangulation t = intrinsic_triangulation(surface.mesh, geometry);
  flip_to_delaunay(t);
  EXPECT_GT(t.flips, 10);
  EXPECT_NEAR(t.face_area.sum() / geometry.total_area(), 1, 1e-12);
  for (Index e = 0; e < t.mesh.edge_count(); ++e)
    EXPECT_GE(t.part_length(e, 0) + t.part_length(e, 1), -1e-10 * t.edge_length[e]);
}

TEST(Intrinsic, connectivity_is_consistent_after_flips) {
  const Surface surface = load_surface("blob:3:slivers");
  IntrinsicTriangulation t = intrinsic_triangulation(surface.mesh, make_geometry(surface.mesh, surface.x));
  flip_to_delaunay(t);
  for (Index e = 0; e < t.mesh.edge_count(); ++e)
    for (int side = 0; side < 2; ++side) {
      const Index face = t.mesh.edge_faces(side, e), corner = t.edge_corner(side, e);
      EXPECT_EQ(t.mesh.face_edges(corner, face), e);
      const Index from = t.mesh.faces((corner + 1) % 3, face), to = t.mesh.faces((corner + 2) % 3, face);
      EXPECT_EQ(t.mesh.edges(side, e), from);  // the left face sees tail → head, the right one head → tail
      EXPECT_EQ(t.mesh.edges(1 - side, e), to);
    }
}

TEST(Intrinsic, on_a_plane_lengths_are_distances) {
  const Surface surface = load_surface("rectangle:12x8:jittered");
  IntrinsicTriangulation t = intrinsic_triangulation(surface.mesh, make_geometry(surface.mesh, surface.x));
  flip_to_delaunay(t);
  EXPECT_GT(t.flips, 0);
  for (Index e = 0; e < t.mesh.edge_count(); ++e)
    EXPECT_NEAR(t.edge_length[e],
                (surface.x.col(t.mesh.edges(0, e)) - surface.x.col(t.mesh.edges(1, e))).norm(), 1e-13);
}

}  // namespace
}  // namespace shoal::test
