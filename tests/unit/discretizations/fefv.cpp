// fefv: exactness of its operators, its depth variants and its limits on bad triangles.
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

namespace shoal::test {
namespace {

constexpr double round_off = 1e-11;

Configuration on(const std::string& mesh, std::map<std::string, Value> parameters = {}) {
  return {
      .mesh = mesh, .discretization = "fefv", .integrator = "explicit", .parameters = std::move(parameters)};
}

Index count_of(const Trial& simulation, const std::string& name) {
  for (const ClampCount& count : simulation.discretization->clamp_counts(simulation.state, simulation.forces))
    if (count.name == name) return count.count;
  return -1;
}

TEST(Fefv, gradient_of_a_linear_function_is_exact) {
  for (const std::string mesh :
       {"rectangle:8x6:jittered", "rectangle:8x6:16x1"}) {  // angles down to 5 degrees
    Configuration setup = on(mesh);
    const Vector3 slope(0.03, -0.07, 0);
    setup.initial.depth = [slope](const Vector3& x) { return 1 + slope.dot(x); };
    const Trial simulation(setup);
    State rate = simulation.state;
    rate[simulation.discretization->velocity()].setZero();
    simulation.right_side.add_velocity_rate(simulation.state, waves_and_forces, 1,
                                            rate[simulation.discretization->velocity()]);
    Values acceleration;
    simulation.discretization->sample(rate, simulation.forces, "velocity", acceleration);
    for (Index k = 0; k < acceleration.cols(); ++k)
      EXPECT_LT((acceleration.col(k) + gravity * slope).norm(), round_off) << mesh;
  }
}

TEST(Fefv, divergence_of_a_constant_flow_vanishes_inside) {
  Configuration setup = on("rectangle:8x6:jittered");
  setup.initial.velocity = [](const Vector3&) { return Vector3(0.8, -0.4, 0); };
  const Trial simulation(setup);
  const Mesh& mesh = simulation.surface.mesh;
  const ConstBlock flow = simulation.velocity();
  Vector out = Vector::Zero(mesh.vertex_count);
  WaveSide(simulation.right_side).add_outflow(flow, 1, Vector::Ones(mesh.face_count()), out);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e)) out[mesh.edges(0, e)] = out[mesh.edges(1, e)] = 0;
  EXPECT_LT(out.cwiseAbs().maxCoeff(), round_off);
}

TEST(Fefv, face_and_edge_depth_agree_where_the_depth_is_uniform) {
  State rate[2];
  for (const std::string depth : {"face", "edge"}) {
    Trial simulation(on("icosphere:2", {{"flux_depth", depth}}));
    simulation.velocity() = random_vector(simulation.velocity().size(), 3);
    State& r = rate[depth == "edge"];
    r = simulation.zero();
    simulation.right_side.add_depth_rate(simulation.state, waves_and_forces, 1, r);
  }
  EXPECT_LT((rate[0].q - rate[1].q).cwiseAbs().maxCoeff(), round_off);
}

TEST(Fefv, edge_depth_conserves_mass_and_differs_from_face_depth) {
  Configuration setup = on("icosphere:2", {{"flux_depth", "edge"}});
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.2 * x.x() * x.y(); };
  Trial simulation(setup);
  simulation.velocity() = random_vector(simulation.velocity().size(), 3);
  State edge = simulation.zero(), face = edge;
  simulation.right_side.add_depth_rate(simulation.state, waves_and_forces, 1, edge);
  setup.parameters.clear();
  const Trial other(setup);
  other.right_side.add_depth_rate(simulation.state, waves_and_forces, 1, face);
  EXPECT_LT(std::abs(edge.q.sum()), round_off);
  EXPECT_GT((edge.q - face.q).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Fefv, edge_depth_is_refused_by_all_but_explicit) {
  for (const std::string integrator : {"semi-implicit", "newmark", "implicit-euler"})
    EXPECT_THROW(Trial({.integrator = integrator, .parameters = {{"flux_depth", "edge"}}}), Refusal);
}

TEST(Fefv, clamping_limits_the_gradient_and_is_counted) {
  const auto clamped = [](const Trial& simulation) { return count_of(simulation, "clamped_angles"); };
  const Trial guarded(on("blob:3:slivers", {{"lower_angle", 10.0}})), free(on("blob:3:slivers"));
  EXPECT_GT(clamped(guarded), 0);
  EXPECT_EQ(clamped(free), 0);
  EXPECT_EQ(clamped(Trial(on("icosphere:3", {{"lower_angle", 10.0}}))), 0);
  EXPECT_GT(guarded.stable_dt(), free.stable_dt());
}

TEST(Fefv, clamped_operators_stay_symmetric) {
  const Trial simulation(on("blob:3:slivers", {{"lower_angle", 10.0}}));
  const WaveSide wave(simulation.right_side);
  const Eigen::Index cells = simulation.volume().size();
  const Vector ones = Vector::Ones(wave.sites()), p = random_vector(cells, 1);
  Vector flow = Vector::Zero(simulation.velocity().size()), by_operators = Vector::Zero(cells),
         by_matrix = by_operators;
  wave.add_gradient(p, 1, ones, flow);
  wave.add_outflow(flow, -1, ones, by_operators);
  wave.add_stiffness(p, 1, ones, by_matrix);
  EXPECT_LT((by_operators - by_matrix).norm(), round_off * by_matrix.norm());
}

TEST(Fefv, zeroed_cotangents_are_counted_and_serve_newmark_only) {
  const std::map<std::string, Value> zero = {{"negative_cotangents", "zero"}};
  Trial newmark({.mesh = "blob:3:slivers", .integrator = "newmark", .parameters = zero});
  Index zeroed = 0;
  for (const ClampCount& count : newmark.discretization->clamp_counts(newmark.state, newmark.forces))
    if (count.name == "clamped_cotangents") zeroed = count.count;
  EXPECT_GT(zeroed, 0);
  newmark.prepare(0.01);
  newmark.run(3);
  EXPECT_THROW(Trial({.mesh = "blob:3:slivers", .integrator = "semi-implicit", .parameters = zero}), Refusal);
}

TEST(Fefv, limited_fluxes_keep_the_mass_and_allow_longer_steps) {
  const std::map<std::string, Value> limited = {{"max_divergence_edge", "0.03"}};
  for (const std::string depth : {"face", "edge"}) {
    std::map<std::string, Value> parameters = limited;
    parameters["flux_depth"] = depth;
    Trial guarded(on("blob:3:slivers", parameters)), free(on("blob:3:slivers", {{"flux_depth", depth}}));
    EXPECT_GT(count_of(guarded, "clamped_fluxes"), 0);
    EXPECT_EQ(count_of(free, "clamped_fluxes"), 0);
    EXPECT_GT(guarded.stable_dt(), free.stable_dt());
    guarded.velocity() = random_vector(guarded.velocity().size(), 3);
    State rate = guarded.zero();
    guarded.right_side.add_depth_rate(guarded.state, waves_and_forces, 1, rate);
    EXPECT_LT(std::abs(rate.q.sum()), round_off * rate.q.lpNorm<1>()) << depth;
  }
}

TEST(Fefv, limited_fluxes_carry_no_more_than_a_dual_edge_of_that_length) {
  const double limit = 0.02;
  const Trial guarded(on("blob:3:slivers", {{"max_divergence_edge", "0.02"}})), free(on("blob:3:slivers"));
  const Mesh& mesh = free.surface.mesh;
  const Index face_count = mesh.face_count();
  // A flow in one triangle alone: what leaves its corners is cut by the same part, that of the longest dual
  // edge.
  for (Index k = 0; k < face_count; k += 7) {
    Vector flow = Vector::Zero(2 * face_count);
    flow[k] = 1;
    flow[face_count + k] = -0.3;
    Vector out[2] = {Vector::Zero(mesh.vertex_count), Vector::Zero(mesh.vertex_count)};
    for (const bool limited : {false, true})
      WaveSide((limited ? guarded : free).right_side)
          .add_outflow(flow, 1, Vector::Ones(face_count), out[limited]);
    double longest = 0;
    for (int c = 0; c < 3; ++c) {
      const Vector3 middle = 0.5 * (free.geometry.x.col(mesh.faces((c + 1) % 3, k)) +
                                    free.geometry.x.col(mesh.faces((c + 2) % 3, k)));
      longest = std::max(longest, (middle - free.geometry.centroid(mesh, k)).norm());
    }
    EXPECT_LT((out[1] - std::min(1.0, limit / longest) * out[0]).norm(), round_off * out[0].norm()) << k;
  }
}

TEST(Fefv, limits_of_the_flux_are_lengths) {
  for (const std::string wrong : {"-1", "0", "much"})
    EXPECT_THROW(Trial(on("icosphere:1", {{"max_divergence_edge", wrong}})), Error);
}

Configuration intrinsic_on(const std::string& mesh) {
  return {.mesh = mesh, .integrator = "newmark", .parameters = {{"laplacian", "intrinsic"}}};
}

TEST(Fefv, intrinsic_weights_are_those_of_the_surface_where_it_is_delaunay) {
  const Trial surface(on("icosphere:3")), intrinsic(intrinsic_on("icosphere:3"));
  EXPECT_EQ(count_of(intrinsic, "flipped_edges"), 0);
  const WaveSide a(surface.right_side), b(intrinsic.right_side);
  const Vector p = random_vector(surface.volume().size(), 1), ones = Vector::Ones(a.sites());
  Vector expected = Vector::Zero(p.size()), found = expected;
  a.add_stiffness(p, 1, ones, expected);
  b.add_stiffness(p, 1, ones, found);
  EXPECT_LT((found - expected).norm(), round_off * expected.norm());
}

TEST(Fefv, intrinsic_weights_are_never_negative) {
  const Trial simulation(intrinsic_on("blob:3:slivers"));
  EXPECT_GT(count_of(simulation, "flipped_edges"), 0);
  const WaveSide wave(simulation.right_side);
  SymmetricMatrix matrix = wave.stiffness_pattern();
  wave.assemble(Vector::Zero(matrix.cols()), 1, Vector::Ones(wave.sites()), matrix);
  for (Index column = 0; column < matrix.cols(); ++column)
    for (SymmetricMatrix::InnerIterator entry(matrix, column); entry; ++entry)
      if (entry.row() != column) {
        EXPECT_LT(entry.value(), 1e-9);
      }
}

TEST(Fefv, intrinsic_weights_are_refused_by_integrators_of_a_velocity) {
  for (const std::string integrator : {"explicit", "semi-implicit", "newmark-analytic", "ssprk3"})
    EXPECT_THROW(Trial({.integrator = integrator, .parameters = {{"laplacian", "intrinsic"}}}), Refusal);
  EXPECT_THROW(Trial({.integrator = "newmark",
                      .parameters = {{"laplacian", "intrinsic"}, {"max_divergence_edge", "0.1"}}}),
               Refusal);
}

/// A wave on a sphere that is squeezed until its triangles are bad, under newmark.
struct Squeezed {
  explicit Squeezed(const std::string& solver)
      : simulation({.mesh = "icosphere:2",
                    .integrator = "newmark",
                    .linear_solver = solver,
                    .parameters = {{"laplacian", "intrinsic"}},
                    .initial = {[](const Vector3& x) { return 1 + 0.1 * x.x(); }, {}}}) {
    simulation.prepare(0.01);
    for (int frame = 1; frame <= 20; ++frame) {
      Points x = simulation.surface.x;
      x.row(0) *= 1 + 0.2 * frame;
      simulation.move_to(x, simulation.forcing);
      simulation.run(1);
    }
  }
  Trial simulation;
};

TEST(Fefv, intrinsic_weights_follow_a_surface_that_moves) {
  const Squeezed squeezed("cholmod");
  const Trial& moved = squeezed.simulation;
  EXPECT_GT(count_of(moved, "flipped_edges"), 0);
  EXPECT_GT(moved.clock.work().analyses, 0);
  EXPECT_LT(moved.clock.work().analyses, 20);  // not where no edge flips
  EXPECT_NEAR(moved.mass() / Trial(on("icosphere:2")).mass(), 1, 1e-13);

  const auto fresh = moved.discretization_entry.make(
      moved.surface.mesh, moved.geometry, [](const Vector3&) { return 1.0; },
      Parameters(moved.discretization_entry.parameters, {{"laplacian", "intrinsic"}}));
  const Vector p = random_vector(moved.volume().size(), 1),
               ones = Vector::Ones(moved.surface.mesh.face_count());
  Vector expected = Vector::Zero(p.size()), found = expected;
  WaveSide(RightSide(*fresh)).add_stiffness(p, 1, ones, expected);
  WaveSide(moved.right_side).add_stiffness(p, 1, ones, found);
  EXPECT_LT((found - expected).norm(), 1e-9 * expected.norm());
}

TEST(Fefv, every_linear_solver_follows_a_pattern_that_changes) {
  const Squeezed reference("cholmod");
  for (const LinearSolverEntry& solver : test::catalog().linear_solvers) {
    const Squeezed squeezed(solver.name);
    constexpr double tolerance = 1e-7;  // iterative solvers stop at 1e-10 of the residual, 20 times
    EXPECT_LT((squeezed.simulation.volume() - reference.simulation.volume()).norm(),
              tolerance * reference.simulation.volume().norm())
        << solver.name;
  }
}

TEST(Fefv, accelerations_above_the_limit_are_clamped_and_counted) {
  Trial simulation(on("icosphere:1"));
  Forcing forcing{Vector::Constant(simulation.surface.mesh.vertex_count, -gravity)};
  forcing.normal_acceleration[3] = 2;
  simulation.set_forcing(forcing);
  EXPECT_EQ(simulation.discretization->clamp_counts(simulation.state, simulation.forces).front().count, 1);
  EXPECT_DOUBLE_EQ(WaveForces::of(simulation.forces).root_acceleration[3], std::sqrt(0.4905));
}

TEST(Fefv, the_limit_on_accelerations_follows_gravity) {
  Trial simulation(on("icosphere:1"));
  Forcing forcing{Vector::Constant(simulation.surface.mesh.vertex_count, -0.1), 0.1};
  simulation.set_forcing(forcing);
  EXPECT_EQ(simulation.discretization->clamp_counts(simulation.state, simulation.forces).front().count, 0);
}

TEST(Fefv, a_limit_on_accelerations_that_is_no_limit_is_refused) {
  EXPECT_THROW(Trial(on("icosphere:1", {{"normal_acceleration_max", "abc"}})), Error);
  EXPECT_THROW(Trial(on("icosphere:1", {{"normal_acceleration_max", "1"}})), Error);
}

TEST(Fefv, negative_depths_are_counted) {
  Trial simulation(on("icosphere:2"));
  simulation.volume().head(20) *= -1;
  Index clamped = 0;
  for (const ClampCount& count : simulation.discretization->clamp_counts(simulation.state, simulation.forces))
    if (count.name == "clamped_depths") clamped = count.count;
  EXPECT_GT(clamped, 0);
}

}  // namespace
}  // namespace shoal::test
