// kinetic: consistency, walls, positivity.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <random>

namespace shoal::test {
namespace {

Configuration on(const std::string& mesh) {
  return {.mesh = mesh, .discretization = "kinetic", .integrator = "explicit"};
}

/// Waves and advection come together.
constexpr Terms flux = Term::gravity | Term::advection;

State rates(const Trial& simulation) {
  State rate = simulation.zero();
  simulation.discretization->add_rates(simulation.state, simulation.forces, flux, 1, rate);
  return rate;
}

/// The momenta of all faces (or their rates) as vectors in space, [3, nF].
Values momenta(const Trial& simulation, const State& state) {
  State unit = state;  // velocity = momentum if the volume is one
  unit[simulation.discretization->volume()].setOnes();
  Values momentum;
  simulation.discretization->sample(unit, simulation.forces, "velocity", momentum);
  return momentum;
}

TEST(Kinetic, a_uniform_flow_is_steady_away_from_walls) {
  Configuration setup = on("rectangle:8x6:jittered");
  setup.initial.velocity = [](const Vector3&) { return Vector3(0.7, -0.3, 0); };
  const Trial simulation(setup);
  const State rate = rates(simulation);
  const ConstBlock volume_rate = rate[simulation.discretization->volume()];
  const Values momentum = momenta(simulation, rate);
  const Mesh& mesh = simulation.surface.mesh;
  int inside = 0;
  for (Index k = 0; k < mesh.face_count(); ++k) {
    bool touches_wall = false;
    for (int c = 0; c < 3; ++c) touches_wall |= mesh.is_wall(mesh.face_edges(c, k));
    if (touches_wall) continue;
    ++inside;
    EXPECT_LT(std::abs(volume_rate[k]), 1e-13);
    EXPECT_LT(momentum.col(k).norm(), 1e-12);
  }
  EXPECT_GT(inside, 50);
}

TEST(Kinetic, still_water_of_two_depths_exchanges_the_pressure_difference) {
  // A wall of water: per width the left half gains ½gη_L² from its far wall and loses what crosses the jump,
  // F⁺(η_L) + F⁻(η_R) = ¼g(η_L² + η_R²): its momentum grows by ¼g(η_L² − η_R²).
  Configuration setup = on("rectangle:8x4:structured");
  constexpr double left = 1.3, right = 0.6;
  setup.initial.depth = [](const Vector3& x) { return x.x() < 0.5 ? left : right; };
  const Trial simulation(setup);
  const Values momentum_rate = momenta(simulation, rates(simulation));
  double momentum = 0;
  for (Index k = 0; k < simulation.surface.mesh.face_count(); ++k)
    if (simulation.geometry.centroid(simulation.surface.mesh, k).x() < 0.5) momentum += momentum_rate(0, k);
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
  const Trial simulation(setup);
  const Mesh& mesh = simulation.surface.mesh;
  const State rate = rates(simulation);
  const ConstBlock volume_rate = rate[simulation.discretization->volume()];
  // Cells of one column away from the end walls: inflow equals outflow; the first column loses the outflow
  // and gets the wall's pressure on the left, where the flow leaves the wall: no particle moves in −x, so
  // that pressure is zero.
  const Values momentum_rate = momenta(simulation, rate);
  double volume = 0, momentum_x = 0, momentum_y = 0;
  for (Index k = 0; k < mesh.face_count(); ++k) {
    if (simulation.geometry.centroid(mesh, k).x() > 0.125) continue;
    volume += volume_rate[k];
    momentum_x += momentum_rate(0, k);
    momentum_y += momentum_rate(1, k);
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
  Trial simulation(setup);
  const double mass = simulation.mass();
  simulation.prepare(0.5 * simulation.substeps * simulation.stable_dt());
  double smallest = mass;
  for (int step = 0; step < 400; ++step) {
    simulation.run(1);
    const double momentum = momenta(simulation, simulation.state).row(0).sum();
    smallest = std::min(smallest, momentum);
  }
  EXPECT_NEAR(simulation.mass() / mass, 1, 1e-13);
  EXPECT_LT(smallest, -0.3 * mass);  // reflected, minus the damping of the flux
}

TEST(Kinetic, depths_stay_positive_up_to_the_bound) {
  for (const std::string mesh : {"icosphere:3", "rectangle:12x8:staggered"}) {
    Configuration setup = on(mesh);
    std::mt19937_64 engine(5);
    std::uniform_real_distribution<double> depth(0, 1), speed(-5, 5);  // from dry to deep
    setup.initial.depth = [&](const Vector3&) { return depth(engine); };
    setup.initial.velocity = [&](const Vector3&) {
      return Vector3(speed(engine), speed(engine), speed(engine));
    };
    Trial simulation(setup);
    for (int step = 0; step < 50; ++step) {
      simulation.prepare(simulation.substeps * simulation.stable_dt());
      State next = simulation.state;
      simulation.discretization->add_rates(simulation.state, simulation.forces, flux,
                                           simulation.dt / simulation.substeps, next);
      simulation.state = next;
      ASSERT_GE(simulation.volume().minCoeff(), -1e-18) << mesh << ", step " << step;
      ASSERT_TRUE(simulation.velocity().allFinite()) << mesh << ", step " << step;
    }
  }
}

TEST(Kinetic, a_wall_cell_emptied_by_round_off_stays_finite) {
  Trial simulation(on("rectangle:4x4:staggered"));
  simulation.volume().setConstant(-1e-25);
  EXPECT_TRUE(rates(simulation).q.allFinite());
}

TEST(Kinetic, velocities_come_back_tangential_as_they_were_given) {
  Configuration setup = on("icosphere:3");
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.3 * x.z(); };
  setup.initial.velocity = [](const Vector3& x) { return Vector3(Vector3::UnitX().cross(x) + x); };
  const Trial simulation(setup);
  const Values velocity = simulation.sample("velocity");
  for (Index k = 0; k < simulation.surface.mesh.face_count(); ++k) {
    const Vector3 n = simulation.geometry.face_normal.col(k);
    const Vector3 given = setup.initial.velocity(simulation.geometry.centroid(simulation.surface.mesh, k));
    EXPECT_LT((velocity.col(k) - (given - n * n.dot(given))).norm(), 1e-14);
  }
}

TEST(Kinetic, a_flow_crosses_a_fold_as_if_the_surface_were_flat) {
  // The neighbour's velocity is rotated about the edge: folding a strip changes no rate.
  std::vector<Vector> volume, speed;
  for (const double fold : {0.0, 1.2}) {
    Surface surface = load_surface("rectangle:8x4:structured");
    for (Index i = 0; i < surface.x.cols(); ++i)
      if (const double beyond = surface.x(0, i) - 0.5; beyond > 0)
        surface.x.col(i) = Vector3(0.5 + beyond * std::cos(fold), surface.x(1, i), beyond * std::sin(fold));
    const Geometry geometry = make_geometry(surface.mesh, surface.x);
    const DiscretizationEntry& entry = test::catalog().discretizations.find("kinetic");
    const auto scheme = entry.make(
        surface.mesh, geometry, [](const Vector3&) { return 1.0; }, Parameters(entry.parameters, {}));
    Forces forces;
    scheme->derive({Vector::Constant(surface.mesh.vertex_count, -gravity)}, forces);
    State state = scheme->project({});
    state[scheme->volume()].array() *= 1 + 0.2 * random_vector(scheme->volume().size, 3).array();
    state[scheme->velocity()] = 0.1 * random_vector(scheme->velocity().size, 4);
    State rate = zero_state(scheme->layout());
    scheme->add_rates(state, forces, flux, 1, rate);
    volume.emplace_back(rate[scheme->volume()]);
    speed.emplace_back(rate[scheme->velocity()]);
  }
  EXPECT_LT((volume[0] - volume[1]).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((speed[0] - speed[1]).cwiseAbs().maxCoeff(), 1e-13);
}

}  // namespace
}  // namespace shoal::test
