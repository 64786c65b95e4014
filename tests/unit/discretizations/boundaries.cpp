// Parsing of boundary conditions, fluxes through open boundaries, named sets of edges, and periodic rectangles.
#include "discretizations/boundaries.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/operators/boundary_flux.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace shoal {
namespace {

std::string error_message(const std::string& text) {
  try {
    parse_boundaries(text);
  } catch (const SettingError& error) {
    EXPECT_EQ(error.setting(), "boundaries");
    return error.what();
  }
  return "no complaint";
}

TEST(Boundaries, are_read_as_they_are_written) {
  const BoundaryConditions conditions =
      parse_boundaries(" left = discharge 0.3; right=outflow ;top = level 0:1, 10:1.2; loop-1 = wall;");
  ASSERT_EQ(conditions.size(), 4u);
  EXPECT_EQ(conditions[0].set, "left");
  EXPECT_EQ(conditions[0].kind, BoundaryKind::discharge);
  EXPECT_EQ(conditions[0].value.at(7), 0.3);
  EXPECT_TRUE(conditions[0].value.constant());
  EXPECT_EQ(conditions[1].kind, BoundaryKind::outflow);
  EXPECT_EQ(conditions[2].kind, BoundaryKind::level);
  EXPECT_DOUBLE_EQ(conditions[2].value.at(5), 1.1);
  EXPECT_EQ(conditions[2].value.at(-1), 1);
  EXPECT_EQ(conditions[2].value.at(100), 1.2);
  EXPECT_EQ(conditions[3].set, "loop-1");
  EXPECT_TRUE(parse_boundaries("").empty());
}

TEST(Boundaries, an_inflow_has_depth_speed_and_perhaps_a_tangential_velocity) {
  const BoundaryConditions conditions = parse_boundaries(
      "left = inflow 0.5 2; right = inflow 0:0.5, 10 : 0.6 2\t-0.3; top = level 0 : 1 , 2:3");
  ASSERT_EQ(conditions.size(), 3u);
  EXPECT_EQ(conditions[0].kind, BoundaryKind::inflow);
  EXPECT_EQ(conditions[0].value.at(0), 0.5);
  EXPECT_EQ(conditions[0].speed.at(0), 2);
  EXPECT_EQ(conditions[0].tangential.at(0), 0);
  EXPECT_FALSE(conditions[0].varies());
  EXPECT_TRUE(conditions[0].follows_state());
  EXPECT_DOUBLE_EQ(conditions[1].value.at(5), 0.55);
  EXPECT_EQ(conditions[1].speed.at(5), 2);
  EXPECT_EQ(conditions[1].tangential.at(5), -0.3);
  EXPECT_TRUE(conditions[1].varies());
  EXPECT_DOUBLE_EQ(conditions[2].value.at(1), 2);
}

TEST(Boundaries, a_sponge_is_a_wall_with_a_width_a_rate_and_perhaps_a_level) {
  const BoundaryConditions conditions = parse_boundaries("left = sponge 5 2; right = sponge 5 2 0:0,1:0.5");
  ASSERT_EQ(conditions.size(), 2u);
  EXPECT_EQ(conditions[0].kind, BoundaryKind::wall);
  EXPECT_EQ(conditions[0].value.at(0), 5);
  EXPECT_EQ(conditions[0].speed.at(0), 2);
  EXPECT_EQ(conditions[1].tangential.at(0.5), 0.25);
  EXPECT_FALSE(conditions[0].follows_state() || conditions[0].varies());
  EXPECT_TRUE(conditions[1].varies());
  for (const char* values : {"0 1", "5 -1", "0:1,1:2 1", "0 0"})
    EXPECT_NE(error_message("left = sponge " + std::string(values)).find("must be positive and constant"),
              std::string::npos);
}

TEST(Boundaries, mistakes_are_named_with_what_is_allowed) {
  EXPECT_EQ(error_message("left"),
            "boundaries: 'left' is not SET = KIND VALUE, e.g. 'left = discharge 0.3; right = outflow'");
  EXPECT_EQ(error_message("left = levle 1"),
            "boundaries: 'left = levle 1': 'levle' is not a kind of boundary; kinds: wall, discharge, "
            "level, outflow, inflow, sponge; did you mean 'level'?");
  EXPECT_EQ(error_message("left = level"),
            "boundaries: 'left = level': level requires a value (m), a number or a list T:VALUE,T:VALUE");
  const std::string inflow =
      "inflow requires DEPTH (m), SPEED (m/s) and optionally TANGENTIAL (m/s), each a number or a list "
      "T:VALUE,T:VALUE, as "
      "in "
      "'SET = inflow DEPTH SPEED [TANGENTIAL]'";
  EXPECT_EQ(error_message("left = inflow 1"), "boundaries: 'left = inflow 1': " + inflow);
  EXPECT_EQ(error_message("left = inflow 1 2 3 4"), "boundaries: 'left = inflow 1 2 3 4': " + inflow);
  EXPECT_EQ(error_message("left = wall 1"), "boundaries: 'left = wall 1': wall takes no value");
  EXPECT_EQ(
      error_message("left = level high"),
      "boundaries: 'left = level high': 'high' is neither a number nor a list T:VALUE,T:VALUE of times and "
      "values");
  EXPECT_EQ(error_message("left = level 1:2,1:3"),
            "boundaries: 'left = level 1:2,1:3': the times must increase");
  EXPECT_EQ(error_message("left = level 1:2,3"),
            "boundaries: 'left = level 1:2,3': '3' is not a pair T:VALUE of time and value");
  EXPECT_EQ(error_message("left = wall; left = outflow"), "boundaries: 'left' occurs twice");
  EXPECT_EQ(error_message("left = level nan").substr(0, 39), "boundaries: 'left = level nan': 'nan' i");
}

TEST(Boundaries, means_over_a_step_add_up_to_the_integral) {
  const TimeSeries series({0, 1, 4}, {0, 2, -1});
  EXPECT_DOUBLE_EQ(series.mean(0, 1), 1);
  EXPECT_DOUBLE_EQ(series.mean(-2, 1), 0);
  EXPECT_DOUBLE_EQ(series.mean(0, 4), (1 + 1.5) / 4);
  EXPECT_DOUBLE_EQ(series.mean(4, 2), -1);
  double sum = 0;
  for (int i = 0; i < 60; ++i) sum += 0.1 * series.mean(0.1 * i, 0.1);
  EXPECT_NEAR(sum, 1 + 1.5 - 2, 1e-13);
}

constexpr double a = 9.81;

/// Through a boundary over a bed of 0.5 m.
BoundaryFlux flux_of(BoundaryKind kind, double value, double depth, double u, double speed = 0) {
  return boundary_flux(kind, {value, speed, 0}, 0.5, depth, u, 0, a);
}

TEST(BoundaryFlux, a_discharge_takes_no_more_than_arrives_or_than_the_critical_flux) {
  for (const double depth : {0.0, 1e-12, 1e-3, 0.3})
    for (const double froude : {-3.0, -0.7, 0.0, 0.5, 0.99, 1.01, 4.0, 1e3}) {
      SCOPED_TRACE(depth);
      SCOPED_TRACE(froude);
      const double c = std::sqrt(a * depth), u = froude * c;
      const double critical = std::pow(std::max(0.0, u + 2 * c) / 3, 3) / a;
      const BoundaryFlux flux = flux_of(BoundaryKind::discharge, -1e6, depth, u);
      EXPECT_NEAR(flux.volume, froude < 1 ? critical : depth * u, 1e-14 * depth * (c + std::abs(u)));
      EXPECT_DOUBLE_EQ(flux.lacking, 1e6 - flux.volume);
    }
}

TEST(BoundaryFlux, water_that_is_held_back_sends_in_a_bore_by_rankine_and_hugoniot) {
  for (const double depth : {1e-9, 1e-3, 0.3})
    for (const double froude : {0.2, 2.0, 30.0})
      for (const double part : {0.0, 0.3, 0.9}) {  // fraction of the arriving water that leaves
        SCOPED_TRACE(depth);
        SCOPED_TRACE(froude);
        const double u = froude * std::sqrt(a * depth), arrives = depth * u;
        const BoundaryFlux flux = flux_of(BoundaryKind::discharge, -part * arrives, depth, u);
        EXPECT_DOUBLE_EQ(flux.volume, part * arrives);
        // Of momentum = q²/b + ½ab² the larger root b, by bisection.
        double low = std::cbrt(flux.volume * flux.volume / a), high = std::sqrt(2 * flux.momentum / a);
        for (int i = 0; i < 200; ++i) {
          const double b = 0.5 * (low + high);
          (flux.volume * flux.volume / b + 0.5 * a * b * b < flux.momentum ? low : high) = b;
        }
        const double bore = (flux.volume - arrives) / (low - depth);
        EXPECT_LT(bore, 0);
        const double arriving = depth * u * u + 0.5 * a * depth * depth;
        constexpr double round_off = 1e-12;
        EXPECT_NEAR((flux.momentum - arriving) / arriving, bore * (flux.volume - arrives) / arriving,
                    round_off * froude);
      }
}

TEST(BoundaryFlux, a_film_is_not_pushed_by_more_than_it_brings) {
  for (const double depth : {0.0, 1e-12, 1e-6})
    for (const double u : {-5.0, 0.0, 5.0})
      for (const BoundaryKind kind : {BoundaryKind::discharge, BoundaryKind::level, BoundaryKind::outflow}) {
        if (kind == BoundaryKind::outflow && (u <= 0 || depth == 0)) continue;  // still water stays still
        const BoundaryFlux flux = flux_of(kind, kind == BoundaryKind::level ? -0.5 : 0, depth, u);
        const double c = std::sqrt(a * depth), fastest = std::abs(u) + 2 * c;
        EXPECT_LE(flux.volume, depth * fastest);
        EXPECT_LE(flux.momentum, depth * fastest * fastest) << depth << " " << u;
      }
}

TEST(BoundaryFlux, a_level_fills_a_dry_cell_with_the_critical_velocity) {
  const double c = std::sqrt(a * 0.5);
  for (const double depth : {0.0, 1e-12})
    for (const double u : {-1.0, 0.0, 1.0}) {
      const BoundaryFlux flux = flux_of(BoundaryKind::level, 0, depth, u);
      EXPECT_DOUBLE_EQ(flux.volume, -0.5 * c);
      EXPECT_DOUBLE_EQ(flux.momentum, 1.5 * 0.5 * c * c);
    }
  EXPECT_DOUBLE_EQ(flux_of(BoundaryKind::level, 0.01, 0.5, 1.5 * c).volume,
                   0.5 * 1.5 * c);  // leaves, whatever is outside
}

TEST(BoundaryFlux, an_inflow_is_drowned_by_deep_water_alone) {
  EXPECT_DOUBLE_EQ(flux_of(BoundaryKind::inflow, 0.1, 0.1, -2, 2).volume, -0.2);
  EXPECT_DOUBLE_EQ(flux_of(BoundaryKind::inflow, 0.1, 0, 0, 2).volume, -0.2);
  EXPECT_DOUBLE_EQ(flux_of(BoundaryKind::inflow, 0.1, 0.1, 0, 2).volume, -0.2);
  EXPECT_GT(flux_of(BoundaryKind::inflow, 0.1, 0.5, 0, 2).volume, 0);
  // Below its critical speed onto dry land: through the critical state of a fan.
  const double c = std::sqrt(a * 0.1), sonic = (0.5 + 2 * c) / 3;
  EXPECT_NEAR(flux_of(BoundaryKind::inflow, 0.1, 0, 0, 0.5).volume, -sonic * sonic * sonic / a, 1e-15);
}

TEST(Boundaries, of_a_rectangle_are_its_sides_whatever_the_order_of_its_vertices) {
  for (const char* name :
       {"rectangle:5x3:2x1", "rectangle:5x3:2x1:structured", "rectangle:5x3:2x1:jittered"}) {
    const Surface surface = load_surface(name);
    const Mesh& mesh = surface.mesh;
    ASSERT_EQ(mesh.boundary_sets.size(), 4u);
    Index edges = 0;
    const double expected[] = {1, 1, 2, 2};
    for (std::size_t i = 0; i < 4; ++i) {
      double length = 0;
      for (const Index e : mesh.boundary_sets[i].edges) {
        EXPECT_TRUE(mesh.is_wall(e));
        length += (surface.x.col(mesh.edges(1, e)) - surface.x.col(mesh.edges(0, e))).norm();
        const double at[] = {0, 2, 0, 1};
        for (int end = 0; end < 2; ++end)
          EXPECT_EQ(surface.x(i < 2 ? 0 : 1, mesh.edges(end, e)), at[i]) << mesh.boundary_sets[i].name;
      }
      EXPECT_NEAR(length, expected[i], 1e-14);
      edges += mesh.boundary_sets[i].edges.size();
    }
    EXPECT_EQ(edges, (mesh.edge_faces.row(1).array() == Mesh::none).count());
    EXPECT_EQ(find_boundary_set(mesh, "top"), 3);
    EXPECT_THROW(find_boundary_set(mesh, "front"), SettingError);
  }
  EXPECT_TRUE(load_surface("icosphere:1").mesh.boundary_sets.empty());
  EXPECT_THROW(find_boundary_set(load_surface("icosphere:1").mesh, "left"), SettingError);
}

TEST(Boundaries, of_other_surfaces_are_their_loops_by_the_smallest_vertex_of_the_input) {
  // Two strips of two triangles: vertices 4 to 7 come first in the list of faces.
  Faces faces(3, 4);
  faces << 4, 4, 0, 0, 5, 6, 1, 2, 6, 7, 2, 3;
  Points x(3, 8);
  x << 0, 1, 1, 0, 5, 6, 6, 5, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0;
  const Surface surface = make_surface("strips", "test", faces, x);
  const auto& sets = surface.mesh.boundary_sets;
  ASSERT_EQ(sets.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(sets[i].name, "loop-" + std::to_string(i + 1));
    EXPECT_EQ(sets[i].edges.size(), 4);
    for (const Index e : sets[i].edges) EXPECT_EQ(surface.x(0, surface.mesh.edges(0, e)) > 3, i == 1);
  }
}

TEST(Periodic, rectangles_have_no_seam) {
  for (const char* layout : {"", ":structured", ":jittered"})
    for (const char* seam : {":periodic", ":periodic-x", ":periodic-y"}) {
      if (std::string(layout).empty() && std::string(seam) == ":periodic-y") continue;
      const Surface surface = load_surface(std::string("rectangle:6x4:3x2") + layout + seam);
      SCOPED_TRACE(surface.name);
      const Mesh& mesh = surface.mesh;
      const Geometry geometry = make_geometry(mesh, surface.x);
      EXPECT_NEAR(geometry.total_area(), 6, 1e-13);
      EXPECT_EQ(mesh.closed(), std::string(seam) == ":periodic");
      EXPECT_EQ(mesh.euler_characteristic(), 0);  // torus or ring
      EXPECT_LT(geometry.edge_length.maxCoeff(), 1.2);
      for (Index k = 0; k < mesh.face_count(); ++k) {
        EXPECT_NEAR(geometry.face_normal(2, k), 1, 1e-15);
        for (int c = 0; c < 3; ++c) {  // the edge vector is that between the corners, from either side
          const Index e = mesh.face_edges(c, k);
          const Vector3 along = geometry.corner(mesh, k, (c + 2) % 3) - geometry.corner(mesh, k, (c + 1) % 3);
          const double sign = mesh.edge_faces(0, e) == k ? 1 : -1;
          EXPECT_LT((sign * along - geometry.edge_vector(mesh, e)).norm(), 1e-14);
        }
      }
      std::set<std::string> names;
      for (const BoundarySet& set : mesh.boundary_sets) names.insert(set.name);
      EXPECT_EQ(names.count("top"), std::string(seam) == ":periodic-x" ? 1u : 0u);
      EXPECT_EQ(names.count("left"), std::string(seam) == ":periodic-y" ? 1u : 0u);
    }
}

TEST(Periodic, the_arguments_come_in_any_order) {
  EXPECT_EQ(load_surface("rectangle:periodic-x:6x4").mesh.vertex_count, 30);
  EXPECT_EQ(load_surface("rectangle:6x4:periodic:3x2").mesh.vertex_count, 24);
}

TEST(Periodic, rectangles_that_cannot_be_are_refused) {
  EXPECT_THROW(load_surface("rectangle:2x4:periodic-x"), Error);
  EXPECT_THROW(load_surface("rectangle:6x5:periodic"), Error);  // staggered, an odd number of rows
  EXPECT_THROW(load_surface("rectangle:6x4:periodic-y"), Error);
  EXPECT_THROW(load_surface("rectangle:6x4:periodc"), Error);
}

}  // namespace
}  // namespace shoal
