// fefv: exactness of its operators, its depth variants and its guards against bad triangles.
#include "tests/support/simulation.hpp"

#include <gtest/gtest.h>

namespace shoal::test {
namespace {

constexpr double round_off = 1e-11;

Configuration on(const std::string& mesh, std::map<std::string, Value> parameters = {}) {
  return {
      .mesh = mesh, .discretization = "fefv", .integrator = "explicit", .parameters = std::move(parameters)};
}

TEST(Fefv, gradient_of_a_linear_function_is_exact) {
  Configuration setup = on("rectangle:8x6:jittered", {{"lower_angle", 0.0}});
  const Vector3 slope(0.3, -0.7, 0);
  setup.initial.depth = [slope](const Vector3& x) { return 1 + slope.dot(x); };
  const Simulation simulation(setup);
  State rate = simulation.state;
  rate.flow.setZero();
  offered<Split>(*simulation.discretization)->add_velocity_rate(simulation.state, 1, rate.flow);
  Points acceleration;
  simulation.discretization->face_velocity(rate, acceleration);
  for (Index k = 0; k < acceleration.cols(); ++k)
    EXPECT_LT((acceleration.col(k) + gravity * slope).norm(), round_off);
}

TEST(Fefv, divergence_of_a_constant_flow_vanishes_inside) {
  Configuration setup = on("rectangle:8x6:jittered");
  setup.initial.velocity = [](const Vector3&) { return Vector3(0.8, -0.4, 0); };
  const Simulation simulation(setup);
  const Mesh& mesh = simulation.surface.mesh;
  const Vector& flow = simulation.state.flow;
  Vector out = Vector::Zero(mesh.vertex_count);
  offered<Wave>(*simulation.discretization)->add_outflow(flow, 1, Vector::Ones(mesh.face_count()), out);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e)) out[mesh.edges(0, e)] = out[mesh.edges(1, e)] = 0;
  EXPECT_LT(out.cwiseAbs().maxCoeff(), round_off);
}

TEST(Fefv, face_and_edge_depth_agree_where_the_depth_is_uniform) {
  Vector rate[2];
  for (const std::string depth : {"face", "edge"}) {
    Simulation simulation(on("icosphere:2", {{"flux_depth", depth}}));
    simulation.state.flow = random_vector(simulation.state.flow.size(), 3);
    Vector& r = rate[depth == "edge"];
    r.setZero(simulation.state.volume.size());
    offered<Split>(*simulation.discretization)->add_depth_rate(simulation.state, 1, r);
  }
  EXPECT_LT((rate[0] - rate[1]).cwiseAbs().maxCoeff(), round_off);
}

TEST(Fefv, edge_depth_conserves_mass_and_differs_from_face_depth) {
  Configuration setup = on("icosphere:2", {{"flux_depth", "edge"}});
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.2 * x.x() * x.y(); };
  Simulation simulation(setup);
  simulation.state.flow = random_vector(simulation.state.flow.size(), 3);
  Vector edge = Vector::Zero(simulation.state.volume.size()), face = edge;
  offered<Split>(*simulation.discretization)->add_depth_rate(simulation.state, 1, edge);
  setup.parameters.clear();
  const Simulation other(setup);
  State state = simulation.state;
  offered<Split>(*other.discretization)->add_depth_rate(state, 1, face);
  EXPECT_LT(std::abs(edge.sum()), round_off);
  EXPECT_GT((edge - face).cwiseAbs().maxCoeff(), 1e-4);
}

TEST(Fefv, edge_depth_is_refused_by_all_but_explicit) {
  for (const std::string integrator : {"semi-implicit", "newmark", "implicit-euler"})
    EXPECT_THROW(Simulation({.integrator = integrator, .parameters = {{"flux_depth", "edge"}}}), Refusal);
}

TEST(Fefv, clamping_limits_the_gradient_and_is_counted) {
  const auto clamped = [](const Simulation& simulation) {
    for (const ClampCount& count : simulation.discretization->clamp_counts(simulation.state))
      if (count.name == "clamped_angles") return count.count;
    return Index{-1};
  };
  const Simulation guarded(on("blob:3:slivers")), free(on("blob:3:slivers", {{"lower_angle", 0.0}}));
  EXPECT_GT(clamped(guarded), 0);
  EXPECT_EQ(clamped(free), 0);
  EXPECT_EQ(clamped(Simulation(on("icosphere:3"))), 0);
  EXPECT_GT(guarded.discretization->stable_dt(guarded.state), free.discretization->stable_dt(free.state));
}

TEST(Fefv, clamped_operators_stay_symmetric) {
  const Simulation simulation(on("blob:3:slivers"));
  const Wave& wave = *offered<Wave>(*simulation.discretization);
  const Eigen::Index cells = simulation.state.volume.size();
  const Vector ones = Vector::Ones(wave.sites()), p = random_vector(cells, 1);
  Vector flow = Vector::Zero(simulation.state.flow.size()), by_operators = Vector::Zero(cells),
         by_matrix = by_operators;
  wave.add_gradient(p, 1, ones, flow);
  wave.add_outflow(flow, -1, ones, by_operators);
  wave.add_stiffness(p, 1, ones, by_matrix);
  EXPECT_LT((by_operators - by_matrix).norm(), round_off * by_matrix.norm());
}

TEST(Fefv, zeroed_cotangents_are_counted_and_serve_newmark_only) {
  const std::map<std::string, Value> zero = {{"negative_cotangents", "zero"}, {"lower_angle", 0.0}};
  Simulation newmark({.mesh = "blob:3:slivers", .integrator = "newmark", .parameters = zero});
  EXPECT_GT(newmark.discretization->clamp_counts(newmark.state).back().count, 0);
  newmark.prepare(0.01);
  newmark.run(3);
  EXPECT_THROW(Simulation({.mesh = "blob:3:slivers", .integrator = "semi-implicit", .parameters = zero}),
               Refusal);
}

TEST(Fefv, accelerations_above_the_limit_are_clamped_and_counted) {
  Simulation simulation(on("icosphere:1"));
  Forcing forcing{Vector::Constant(simulation.surface.mesh.vertex_count, -gravity)};
  forcing.normal_acceleration[3] = 2;
  simulation.discretization->set_forcing(forcing);
  EXPECT_EQ(simulation.discretization->clamp_counts(simulation.state).front().count, 1);
  EXPECT_DOUBLE_EQ(offered<Wave>(*simulation.discretization)->root_acceleration()[3], std::sqrt(0.4905));
}

TEST(Fefv, the_limit_on_accelerations_follows_gravity) {
  Simulation simulation(on("icosphere:1"));
  Forcing forcing{Vector::Constant(simulation.surface.mesh.vertex_count, -0.1), 0.1};
  simulation.discretization->set_forcing(forcing);
  EXPECT_EQ(simulation.discretization->clamp_counts(simulation.state).front().count, 0);
}

TEST(Fefv, a_limit_on_accelerations_that_is_no_limit_is_refused) {
  EXPECT_THROW(Simulation(on("icosphere:1", {{"normal_acceleration_max", "abc"}})), Error);
  EXPECT_THROW(Simulation(on("icosphere:1", {{"normal_acceleration_max", "1"}})), Error);
}

TEST(Fefv, negative_depths_are_counted) {
  Simulation simulation(on("icosphere:2"));
  simulation.state.volume.head(20) *= -1;
  Index clamped = 0;
  for (const ClampCount& count : simulation.discretization->clamp_counts(simulation.state))
    if (count.name == "clamped_depths") clamped = count.count;
  EXPECT_GT(clamped, 0);
}

}  // namespace
}  // namespace shoal::test
