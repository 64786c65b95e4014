// kinetic: consistency, walls, positivity.
#include "tests/support/simulation.hpp"

#include <gtest/gtest.h>

namespace shoal::test {
namespace {

Configuration on(const std::string& mesh) {
  return {.mesh = mesh, .discretization = "kinetic", .integrator = "explicit"};
}

State zero_rate(const Simulation& simulation) {
  State rate = simulation.state;
  rate.volume.setZero();
  rate.flow.setZero();
  simulation.discretization->add_rates(simulation.state, 1, rate);
  return rate;
}

TEST(Kinetic, a_uniform_flow_is_steady_away_from_walls) {
  Configuration setup = on("rectangle:8x6:jittered");
  setup.initial.velocity = [](const Vector3&) { return Vector3(0.7, -0.3, 0); };
  const Simulation simulation(setup);
  const State rate = zero_rate(simulation);
  const Mesh& mesh = simulation.surface.mesh;
  int inside = 0;
  for (Index k = 0; k < mesh.face_count(); ++k) {
    bool touches_wall = false;
    for (int c = 0; c < 3; ++c) touches_wall |= mesh.is_wall(mesh.face_edges(c, k));
    if (touches_wall) continue;
    ++inside;
    EXPECT_LT(std::abs(rate.volume[k]), 1e-13);
    EXPECT_LT(rate.flow.segment<3>(3 * k).norm(), 1e-12);
  }
  EXPECT_GT(inside, 50);
}

TEST(Kinetic, fluxes_are_those_of_the_equations_for_a_shear_free_state) {
  // Across a straight edge between equal states the flux is (ηu, ηu² + ½gη², ηuv): checked through the
  // momentum that a wall receives from still water, ½gη² per length, which a closed cell at rest feels as
  // zero in sum.
  const Simulation simulation(on("rectangle:2x2:structured"));
  const State rate = zero_rate(simulation);
  EXPECT_LT(rate.flow.cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Kinetic, a_wall_turns_back_the_flow_and_lets_no_mass_through) {
  Configuration setup = on("rectangle:8x6:staggered");
  setup.initial.velocity = [](const Vector3&) { return Vector3(1, 0, 0); };
  Simulation simulation(setup);
  const double mass = simulation.mass();
  simulation.prepare(0.5 * simulation.substeps * simulation.discretization->stable_dt(simulation.state));
  for (int step = 0; step < 400; ++step) simulation.run(1);
  double momentum = 0;
  for (Eigen::Index i = 0; i < simulation.state.flow.size(); i += 3) momentum += simulation.state.flow[i];
  EXPECT_NEAR(simulation.mass() / mass, 1, 1e-13);
  EXPECT_LT(std::abs(momentum), 0.5 * mass);
}

TEST(Kinetic, depths_stay_positive_up_to_the_bound) {
  Simulation simulation(on("icosphere:3"));
  const Vector uniform = random_vector(simulation.state.volume.size(), 5);
  simulation.state.volume.array() *= 0.5 + 0.5 * uniform.array();  // from dry to deep
  const Points& normals = simulation.geometry.face_normal;
  const Vector speeds = random_vector(simulation.state.flow.size(), 6);
  for (Index k = 0; k < simulation.surface.mesh.face_count(); ++k) {
    const Vector3 n = normals.col(k);
    Vector3 v = 5 * speeds.segment<3>(3 * k);
    v -= n * n.dot(v);
    simulation.state.flow.segment<3>(3 * k) = simulation.state.volume[k] * v;
  }
  for (int step = 0; step < 50; ++step) {
    simulation.prepare(simulation.substeps * simulation.discretization->stable_dt(simulation.state));
    State next = simulation.state;
    simulation.discretization->add_rates(simulation.state, simulation.dt / simulation.substeps, next);
    simulation.state = next;
    ASSERT_GE(simulation.state.volume.minCoeff(), -1e-18) << "step " << step;
  }
}

TEST(Kinetic, momentum_stays_tangential) {
  Configuration setup = on("icosphere:3");
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.3 * x.z(); };
  setup.initial.velocity = [](const Vector3& x) { return Vector3(Vector3::UnitX().cross(x)); };
  Simulation simulation(setup);
  simulation.prepare(0.5 * simulation.substeps * simulation.discretization->stable_dt(simulation.state));
  simulation.run(100);
  for (Index k = 0; k < simulation.surface.mesh.face_count(); ++k) {
    const Vector3 m = simulation.state.flow.segment<3>(3 * k), n = simulation.geometry.face_normal.col(k);
    EXPECT_LT(std::abs(m.dot(n)), 1e-13 * (1 + m.norm()));
  }
}

}  // namespace
}  // namespace shoal::test
