// dec: exactness, merged cells, the intrinsic dual.
#include "discretizations/mesh/intrinsic.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/threads.hpp"
#include "tests/support/trial.hpp"

#include <Eigen/Eigenvalues>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

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
  const Trial simulation(setup);
  Vector rate = Vector::Zero(simulation.velocity().size());
  simulation.right_side.add_velocity_rate(simulation.state, waves_and_forces, 1, rate);
  EXPECT_LT((rate + gravity * simulation.velocity()).cwiseAbs().maxCoeff(), 1e-11);
}

/// [sites] the share of the first cell's depth in h_e, and the edge's two parts of the dual, of a squashed
/// sphere, some of whose triangles are obtuse and some of whose edges are not Delaunay.
struct Shares {
  Vector share, first, second;
  Index held = 0, cut = 0;
};

Shares shares_on_a_sphere_squashed_by(double amount) {
  Trial simulation(on("icosphere:2"));
  const Vector3 axis = Vector3(0.3, 0.5, 0.8).normalized();
  const Mesh& mesh = simulation.surface.mesh;
  simulation.geometry =
      make_geometry(mesh, simulation.surface.x - amount * axis * (axis.transpose() * simulation.surface.x));
  Discretization& dec = *simulation.discretization;
  offered<MovesWithSurface>(dec)->refresh(&simulation.state);
  const WaveSide wave(simulation.right_side);
  const IntrinsicTriangulation triangulation = intrinsic_triangulation(mesh, simulation.geometry);
  Shares result;
  for (Vector* v : {&result.share, &result.first, &result.second}) v->resize(wave.sites());
  Vector at_sites;
  for (Index e = 0; e < wave.sites(); ++e) {  // without walls or squares every edge is a site
    const Index left = mesh.edge_faces(0, e);
    wave.site_depth(dec.cells().area[left] * Vector::Unit(dec.cells().count(), left), at_sites);
    result.share[e] = at_sites[e];
    result.first[e] = triangulation.part_length(e, 0);
    result.second[e] = triangulation.part_length(e, 1);
  }
  for (const ClampCount& count : dec.clamp_counts(simulation.state, simulation.forces)) {
    if (count.name == "clamped_duals") result.held = count.count;
    if (count.name == "clamped_shares") result.cut = count.count;
  }
  return result;
}

TEST(Dec, weights_depths_without_advection_with_the_dual_or_where_a_triangle_is_obtuse_its_absolute_lengths) {
  const Shares shares = shares_on_a_sphere_squashed_by(0.5);
  Index acute = 0, obtuse = 0, between = 0;
  for (Index e = 0; e < shares.share.size(); ++e) {
    const double first = shares.first[e], second = shares.second[e], share = shares.share[e];
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    constexpr double min_length = 0.1 * 0.33;  // no edge is longer
    if (std::min(first, second) < 0) {
      ++obtuse;
      if (first + second < 0) {
        EXPECT_NEAR(share, 0.5, 1e-13);
      } else if (first + second > min_length) {
        ++between;
        EXPECT_NEAR(share, std::abs(first) / (std::abs(first) + std::abs(second)), 1e-13);
      }
    } else if (first + second > min_length) {
      ++acute;
      EXPECT_NEAR(share, first / (first + second), 1e-13);
    }
  }
  EXPECT_GT(acute, 200);
  EXPECT_EQ(obtuse, shares.cut);
  EXPECT_GT(between, 0);
  EXPECT_GT(shares.held, 10);
}

TEST(Dec, weights_of_depths_change_continuously_while_edges_cease_to_be_delaunay) {
  constexpr double step = 1e-3;
  Shares before = shares_on_a_sphere_squashed_by(0.3);
  Index more = 0;
  for (double amount = 0.3 + step; amount < 0.6; amount += step) {
    const Shares after = shares_on_a_sphere_squashed_by(amount);
    EXPECT_LT((after.share - before.share).lpNorm<Eigen::Infinity>(), 20 * step) << amount;
    more += after.held > before.held || after.cut > before.cut;
    before = after;
  }
  EXPECT_GT(more, 5);
}

TEST(Dec, velocity_of_a_constant_field_is_recovered_away_from_walls) {
  for (const std::string mesh :
       {"rectangle:8x6:staggered", "rectangle:8x6:structured", "rectangle:16x12:jittered"}) {
    Configuration setup = on(mesh);
    setup.parameters["dual"] = "intrinsic";
    setup.parameters["max_froude"] = 1.0;  // merges a quarter of the random triangles
    const Vector3 constant(0.7, 0.4, 0);
    setup.initial.velocity = [constant](const Vector3&) { return constant; };
    const Trial simulation(setup);
    const Values velocity = simulation.sample("velocity");
    const Mesh* own = simulation.discretization->own_triangulation();
    const Mesh& m = own ? *own : simulation.surface.mesh;
    const Array<Index>& cell = simulation.discretization->cells().of_element;
    Array<char> at_wall(cell.size(), 0);
    for (Index e = 0; e < m.edge_count(); ++e)
      if (m.is_wall(e)) at_wall[cell[m.edge_faces(0, e)]] = 1;
    int inside = 0;
    for (Index k = 0; k < m.face_count(); ++k) {
      if (at_wall[cell[k]]) continue;
      ++inside;
      EXPECT_LT((velocity.col(k) - constant).norm(), 1e-12) << mesh;
    }
    EXPECT_GT(inside, 20) << mesh;
  }
}

TEST(Dec, velocity_of_a_constant_field_is_recovered_on_merged_trapezoids) {
  // A polar grid: every quadrilateral is a cyclic trapezoid, whose diagonal carries no unknown.
  constexpr Index around = 24, rings = 5;
  Points x(3, around * rings);
  Faces faces(3, 2 * around * (rings - 1));
  for (Index r = 0; r < rings; ++r)
    for (Index a = 0; a < around; ++a) {
      const double angle = 2 * std::numbers::pi * a / around, radius = 1 + 0.25 * r;
      x.col(r * around + a) << radius * std::cos(angle), radius * std::sin(angle), 0;
      if (r + 1 == rings) continue;
      const Index next = (a + 1) % around, here = r * around + a, right = r * around + next;
      const Index above = here + around, diagonal = right + around;
      faces.col(2 * here) << here, above, diagonal;
      faces.col(2 * here + 1) << here, diagonal, right;
    }
  const Surface surface = make_surface("polar grid", "test", faces, x);
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  const DiscretizationEntry& entry = test::catalog().discretizations.find("dec");
  const auto scheme = entry.make(
      surface.mesh, geometry, [](const Vector3&) { return 1.0; }, Parameters(entry.parameters, {}));
  EXPECT_EQ(scheme->cells().count(), around * (rings - 1));
  const Vector3 constant(0.7, 0.4, 0);
  Fields fields;
  fields.velocity = [constant](const Vector3&) { return constant; };
  Values velocity;
  scheme->sample(scheme->project(fields), {}, "velocity", velocity);
  int inside = 0;
  for (Index k = 0; k < surface.mesh.face_count(); ++k) {
    const double radius = geometry.centroid(surface.mesh, k).norm();
    if (radius < 1.25 || radius > 1.75) continue;  // cells at a wall lack its flow
    ++inside;
    EXPECT_LT((velocity.col(k) - constant).norm(), 1e-12);
  }
  EXPECT_GT(inside, 40);
}

/// Two triangles in the plane with the edge (0, −½) (0, ½) in common and the third corners at (−left, 0) and (right, 0).
Index cells_of_a_pair(double left, double right, double max_froude) {
  Points x(3, 4);
  x.col(0) << 0, -0.5, 0;
  x.col(1) << 0, 0.5, 0;
  x.col(2) << -left, 0, 0;
  x.col(3) << right, 0, 0;
  Faces faces(3, 2);
  faces.col(0) << 0, 1, 2;
  faces.col(1) << 1, 0, 3;
  const Surface surface = make_surface("pair", "test", faces, x);
  const DiscretizationEntry& entry = test::catalog().discretizations.find("dec");
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  try {
    return entry
        .make(
            surface.mesh, geometry, [](const Vector3&) { return 1.0; },
            Parameters(entry.parameters, {{"max_froude", max_froude}}))
        ->cells()
        .count();
  } catch (const Refusal&) {  // water has nowhere to flow in a single cell
    return 1;
  }
}

/// ½ Σ q_a Γ_a, with the circulations Γ_a of the Voronoi cells in the absolute flow and Σ_b q_b ∫ φ_a φ_b η = Γ_a, by a direct
/// solver; and its rate of change for given rates of the state.
struct Enstrophy {
  double value, rate, magnitude;
};

Enstrophy potential_enstrophy(const Trial& simulation, const State& change, const Vector3& rotation) {
  const Discretization& dec = *simulation.discretization;
  const Mesh& mesh = simulation.surface.mesh;
  const auto circulation = [&](State state) {
    offered<MovesWithSurface>(dec)->lower(state);
    Vector sum = Vector::Zero(mesh.vertex_count);
    for (Index e = 0; e < mesh.edge_count(); ++e) {  // no walls, no merged cells: every edge is a site
      sum[mesh.edges(1, e)] += state[dec.velocity()][e];
      sum[mesh.edges(0, e)] -= state[dec.velocity()][e];
    }
    return sum;
  };
  const auto mass = [&](const Vector& volume) {
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(mesh.vertex_count, mesh.vertex_count);
    for (Index k = 0; k < mesh.face_count(); ++k)
      for (int c = 0; c < 3; ++c)
        for (int d = 0; d < 3; ++d)
          matrix(mesh.faces(c, k), mesh.faces(d, k)) += volume[k] / (c == d ? 6 : 12);
    return matrix;
  };
  const auto at_vertex = [&](Index i) { return 2 * rotation.dot(simulation.geometry.x.col(i).normalized()); };
  Vector of_frame = Vector::Zero(mesh.vertex_count);
  for (Index i = 0; i < mesh.vertex_count; ++i) of_frame[i] = at_vertex(i);
  const Vector gamma = circulation(simulation.state) + mass(simulation.geometry.face_area) * of_frame;
  const Vector q = mass(simulation.volume()).llt().solve(gamma);
  const Vector by_flow = q.cwiseProduct(circulation(change));
  const Vector by_depth = -0.5 * q.cwiseProduct(mass(change[dec.volume()]) * q);
  return {0.5 * q.dot(gamma), by_flow.sum() + by_depth.sum(),
          by_flow.cwiseAbs().sum() + by_depth.cwiseAbs().sum()};
}

TEST(LinearVorticity, keeps_the_potential_enstrophy_of_any_flow_on_irregular_triangles) {
  for (const auto& [vorticity, keeps] : {std::pair("linear", true), std::pair("cell", false)}) {
    Configuration setup = on("jittered-sphere:2:jitter=0.15");
    setup.parameters["vorticity"] = vorticity;
    setup.parameters["vorticity_tolerance"] = 1e-13;
    setup.parameters["max_froude"] = 0.0;
    setup.rotation = {0.3, -0.4, 0.8};
    setup.initial.depth = [](const Vector3& x) { return 1 + 0.3 * std::cos(2 * x.y() - x.z()); };
    Trial simulation(setup);
    simulation.velocity() = random_vector(simulation.velocity().size(), 3);
    State rate = simulation.zero();
    simulation.discretization->add_rates(simulation.state, simulation.forces,
                                         Term::gravity | Term::advection | Term::coriolis, 1, rate);
    const Enstrophy enstrophy = potential_enstrophy(simulation, rate, setup.rotation);
    EXPECT_GT(enstrophy.value, 0);
    if (keeps)
      EXPECT_LT(std::abs(enstrophy.rate), 1e-12 * enstrophy.magnitude);
    else
      EXPECT_GT(std::abs(enstrophy.rate), 1e-4 * enstrophy.magnitude);
  }
}

TEST(LinearVorticity, has_the_same_bits_with_any_number_of_threads) {
  Configuration setup = on("icosphere:4");
  setup.integrator = "ssprk3";
  setup.advection = "vector-invariant";
  setup.parameters["vorticity"] = "linear";
  setup.rotation = {0.3, -0.4, 0.8};
  setup.initial.velocity = [](const Vector3& x) { return Vector3(0.3, -0.2, 0.5).cross(x); };
  EXPECT_EQ(state_on_threads(1, setup), state_on_threads(2, setup));
}

TEST(LinearVorticity, is_refused_in_films) {
  EXPECT_THROW(
      Trial({.discretization = "dec", .parameters = {{"vorticity", "linear"}, {"dry_outflow", "closed"}}}),
      Refusal);
}

TEST(Dec, triangles_merge_where_a_flow_would_make_their_edge_unstable) {
  // The linear system of u_e and the two depths, of a flow v through the edge, g = η = 1; the rates follow from
  // moving each of the unknowns.
  const auto growth = [](double left, double right, double v) {
    const double d_left = 0.5 * (left - 0.25 / left), d_right = 0.5 * (right - 0.25 / right),
                 d = d_left + d_right, area_left = 0.5 * left, area_right = 0.5 * right;
    Eigen::Matrix3d rate;                                                        // of (u, η_L, η_R)
    rate << v * (d_left / area_left - d_right / area_right) / d, 1 / d, -1 / d,  //
        -1 / area_left, -v * d_left / d / area_left, -v * d_right / d / area_left, 1 / area_right,
        v * d_left / d / area_right, v * d_right / d / area_right;
    return rate.eigenvalues().real().maxCoeff();
  };
  for (const auto& [left, right] : {std::pair(0.3, 0.9), {0.35, 0.75}, {0.4, 0.65}, {0.3, 1.5}}) {
    double stable = 0, unstable = 10;  // speeds; the Froude number is the same
    ASSERT_LT(growth(left, right, stable), 1e-7);
    ASSERT_GT(growth(left, right, unstable), 1e-3);
    while (unstable - stable > 1e-6) {
      const double middle = 0.5 * (stable + unstable);
      (growth(left, right, middle) < 1e-5 ? stable : unstable) = middle;
    }
    EXPECT_EQ(cells_of_a_pair(left, right, 0.999 * stable), 2) << left << ' ' << right;
    EXPECT_EQ(cells_of_a_pair(left, right, 1.001 * unstable), 1) << left << ' ' << right;
  }
  EXPECT_EQ(cells_of_a_pair(0.8, 0.8, 10), 2);  // equal triangles are stable
}

TEST(Dec, refuses_to_make_one_cell_of_all_triangles) {
  Configuration setup = on("random-sphere:1:seed=451");
  setup.parameters["max_froude"] = 10.0;
  setup.parameters["degenerate_dual"] = 0.1;
  try {
    const Trial simulation(setup);
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("degenerate_dual = 0.1 and max_froude = 10"),
              std::string::npos)
        << refusal.what();
  }
}

TEST(Dec, right_triangles_become_squares) {
  const Trial simulation(on("rectangle:8x6:structured"));
  EXPECT_EQ(simulation.discretization->cells().count(), 48);
  EXPECT_NEAR(simulation.discretization->cells().area.maxCoeff(), 1.0 / 64, 1e-15);
  EXPECT_EQ(WaveSide(simulation.right_side).sites(), 7 * 6 + 8 * 5);
}

TEST(Dec, a_negative_dual_edge_is_refused_with_its_place) {
  try {
    Trial simulation(on("blob:3:slivers"));
    FAIL();
  } catch (const Refusal& refusal) {
    EXPECT_NE(std::string(refusal.what()).find("negative dual length"), std::string::npos);
    EXPECT_NE(std::string(refusal.what()).find("dual = intrinsic"), std::string::npos);
  }
}

TEST(BarycentricDual, is_the_circumcentric_one_on_equilateral_triangles) {
  Vector rate[2];
  for (const bool barycentric : {false, true}) {
    Configuration setup = on("icosphere:0");
    setup.parameters = {{"dual", barycentric ? "barycentric" : "circumcentric"}};
    setup.initial.depth = [](const Vector3& x) { return 1 + 0.1 * x.x() * x.y(); };
    const Trial simulation(setup);
    rate[barycentric].setZero(simulation.velocity().size());
    simulation.right_side.add_velocity_rate(simulation.state, waves_and_forces, 1, rate[barycentric]);
  }
  EXPECT_LT((rate[0] - rate[1]).norm(), 1e-13 * rate[0].norm());
}

TEST(BarycentricDual, bears_any_triangles) {
  Configuration setup = on("blob:3:slivers");
  setup.parameters = {{"dual", "barycentric"}};
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.01 * x.x(); };
  Trial simulation(setup);
  EXPECT_EQ(simulation.discretization->cells().count(), simulation.surface.mesh.face_count());
  simulation.prepare(0.5 * simulation.stable_dt());
  const double mass = simulation.mass(), energy = simulation.energy();
  simulation.run(2000);
  EXPECT_NEAR(simulation.mass() / mass, 1, 1e-13);
  EXPECT_NEAR(simulation.energy() / energy, 1, 0.02);  // the oscillation of the energy under symplectic Euler
}

TEST(BarycentricDual, reconstructs_a_constant_velocity) {
  Configuration setup = on("rectangle:12x8:jittered");
  setup.parameters = {{"dual", "barycentric"}};
  const Vector3 constant(0.7, 0.4, 0);
  setup.initial.velocity = [constant](const Vector3&) { return constant; };
  const Trial simulation(setup);
  const Values velocity = simulation.sample("velocity");
  const Mesh& mesh = simulation.surface.mesh;
  for (Index k = 0; k < mesh.face_count(); ++k) {
    bool inside = true;
    for (int c = 0; c < 3; ++c) inside = inside && !mesh.is_wall(mesh.face_edges(c, k));
    if (!inside) continue;
    EXPECT_LT((velocity.col(k) - constant).norm(), 1e-13) << k;
  }
}

TEST(Intrinsic, a_delaunay_mesh_is_left_alone) {
  const Surface surface = load_surface("icosphere:3");
  IntrinsicTriangulation t = intrinsic_triangulation(surface.mesh, make_geometry(surface.mesh, surface.x));
  flip_to_delaunay(t);
  EXPECT_EQ(t.flips.size(), 0u);
}

TEST(Intrinsic, flips_keep_the_area_and_end_delaunay) {
  const Surface surface = load_surface("blob:3:slivers");
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  IntrinsicTriangulation t = intrinsic_triangulation(surface.mesh, geometry);
  flip_to_delaunay(t);
  EXPECT_GT(t.flips.size(), 10u);
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
  EXPECT_GT(t.flips.size(), 0u);
  for (Index e = 0; e < t.mesh.edge_count(); ++e)
    EXPECT_NEAR(t.edge_length[e],
                (surface.x.col(t.mesh.edges(0, e)) - surface.x.col(t.mesh.edges(1, e))).norm(), 1e-13);
}

}  // namespace
}  // namespace shoal::test
