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

TEST(Kinetic, still_water_of_two_depths_exchanges_the_pressure_difference) {
  // A wall of water: per width the left half gains ½gη_L² from its far wall and loses what crosses the jump,
  // F⁺(η_L) + F⁻(η_R) = ¼g(η_L² + η_R²): its momentum grows by ¼g(η_L² − η_R²).
  Configuration setup = on("rectangle:8x4:structured");
  constexpr double left = 1.3, right = 0.6;
  setup.initial.depth = [](const Vector3& x) { return x.x() < 0.5 ? left : right; };
  const Simulation simulation(setup);
  const State rate = zero_rate(simulation);
  double momentum = 0;
  for (Index k = 0; k < simulation.surface.mesh.face_count(); ++k)
    if (simulation.geometry.centroid(simulation.surface.mesh, k).x() < 0.5) momentum += rate.flow[3 * k];
  const double height = 0.5;
  EXPECT_NEAR(momentum, height * 0.25 * gravity * (left * left - right * right), 1e-13);
}

TEST(Kinetic, fluxes_through_a_moving_uniform_state_are_those_of_the_equations) {
  // Left half wet and moving towards an equal right half: what the left half loses through the middle and its
  // own walls. Supercritical flow along x makes every half flux one-sided, so the middle carries (ηu, ηu² +
  // ½gη², ηuv) exactly.
  Configuration setup = on("rectangle:8x4:structured");
  constexpr double depth = 0.7, u = 9, v = 0.4;
  setup.initial.depth = [](const Vector3&) { return depth; };
  setup.initial.velocity = [=](const Vector3&) { return Vector3(u, v, 0); };
  const Simulation simulation(setup);
  const Mesh& mesh = simulation.surface.mesh;
  const State rate = zero_rate(simulation);
  // Cells of one column away from the end walls: inflow equals outflow; the first column loses the outflow
  // and gets the wall's pressure on the left, where the flow leaves the wall: no particle moves in −x, so
  // that pressure is zero.
  double volume = 0, momentum_x = 0, momentum_y = 0;
  for (Index k = 0; k < mesh.face_count(); ++k) {
    if (simulation.geometry.centroid(mesh, k).x() > 0.125) continue;
    volume += rate.volume[k];
    momentum_x += rate.flow[3 * k];
    momentum_y += rate.flow[3 * k + 1];
  }
  const double height = 0.5;
  EXPECT_NEAR(volume, -height * depth * u, 1e-12);
  EXPECT_NEAR(momentum_x, -height * (depth * u * u + 0.5 * gravity * depth * depth), 1e-11);
  // Along y the column loses ηuv through the middle, and its two wall edges of length 1/8 push with twice the
  // half flux of the flow that leaves the bottom (−v) and meets the top (+v).
  const auto wall_pressure = [](double normal) {
    const double reach = std::sqrt(1.5 * gravity * depth), density = std::sqrt(depth / (6 * gravity));
    const double a = std::max(0.0, normal - reach), b = std::max(0.0, normal + reach);
    return 2 * density * (b * b * b - a * a * a) / 3;
  };
  const double walls = 0.125 * (wall_pressure(-v) - wall_pressure(v));
  EXPECT_NEAR(momentum_y, -height * depth * u * v + walls, 1e-11);
}

TEST(Kinetic, a_wall_turns_back_the_flow_and_lets_no_mass_through) {
  Configuration setup = on("rectangle:8x6:staggered");
  setup.initial.velocity = [](const Vector3&) { return Vector3(1, 0, 0); };
  Simulation simulation(setup);
  const double mass = simulation.mass();
  simulation.prepare(0.5 * simulation.substeps * simulation.discretization->stable_dt(simulation.state));
  double smallest = mass;
  for (int step = 0; step < 400; ++step) {
    simulation.run(1);
    double momentum = 0;
    for (Eigen::Index i = 0; i < simulation.state.flow.size(); i += 3) momentum += simulation.state.flow[i];
    smallest = std::min(smallest, momentum);
  }
  EXPECT_NEAR(simulation.mass() / mass, 1, 1e-13);
  EXPECT_LT(smallest, -0.3 * mass);  // reflected, less what the flux damps
}

TEST(Kinetic, depths_stay_positive_up_to_the_bound) {
  for (const std::string mesh : {"icosphere:3", "rectangle:12x8:staggered"}) {
    Simulation simulation(on(mesh));
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
      ASSERT_GE(simulation.state.volume.minCoeff(), -1e-18) << mesh << ", step " << step;
      ASSERT_TRUE(simulation.state.flow.allFinite()) << mesh << ", step " << step;
    }
  }
}

TEST(Kinetic, a_wall_cell_emptied_by_round_off_stays_finite) {
  Simulation simulation(on("rectangle:4x4:staggered"));
  simulation.state.volume.setConstant(-1e-25);
  const State rate = zero_rate(simulation);
  EXPECT_TRUE(rate.flow.allFinite());
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
