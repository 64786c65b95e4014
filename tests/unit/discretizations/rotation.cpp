// The Coriolis term and advection in vector-invariant form: conservation of energy, and consistency with the
// equations.
#include "solvers/shallow_water.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

using test::random_vector;

struct Case {
  const char* scheme;
  const char* mesh;
  const char* dual = "intrinsic";  ///< of dec
  const char* vorticity = "cell";  ///< of dec
};

std::ostream& operator<<(std::ostream& out, const Case& tested) {
  return out << tested.scheme << " on " << tested.mesh << ", " << tested.dual << ", " << tested.vorticity;
}

/// Closed and with walls, acute and not; dec merges cells on the torus and the squares, and flips on slivers.
std::vector<Case> cases(const std::vector<const char*>& schemes) {
  std::vector<Case> list;
  for (const char* scheme : schemes)
    for (const char* mesh : {"icosphere:2", "torus:24x12", "rectangle:12x8:jittered",
                             "rectangle:12x8:structured", "blob:3", "blob:3:slivers"})
      list.push_back({scheme, mesh});
  list.push_back({"dec", "blob:3:slivers", "barycentric"});
  for (const Case tested : std::vector(list))
    if (tested.scheme == std::string("dec")) list.push_back({"dec", tested.mesh, tested.dual, "linear"});
  return list;
}

test::Configuration configuration(const Case& tested) {
  test::Configuration setup{.mesh = tested.mesh, .discretization = tested.scheme};
  setup.parameters = {{"dual", tested.dual}, {"vorticity", tested.vorticity}};
  setup.bed_depth = [](const Vector3& x) { return 1 + 0.2 * std::sin(3 * x.x() + x.y()); };
  setup.initial.depth = [](const Vector3& x) { return 1 + 0.3 * std::cos(2 * x.y() - x.z()); };
  return setup;
}

class Coriolis : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Schemes, Coriolis, testing::ValuesIn(cases({"fefv", "dec", "kinetic"})));
class VectorInvariantForm : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Schemes, VectorInvariantForm, testing::ValuesIn(cases({"fefv", "dec"})));

TEST_P(Coriolis, keeps_the_kinetic_energy) {
  test::Configuration setup = configuration(GetParam());
  setup.rotation = {0.3, -0.4, 0.8};
  test::Trial simulation(setup);
  simulation.velocity() = random_vector(simulation.velocity().size(), 1);
  const double before = simulation.discretization->kinetic_energy(simulation.state);
  const Vector start = simulation.velocity();
  for (int step = 0; step < 100; ++step)
    offered<TurnsVelocity>(*simulation.discretization)
        ->apply_coriolis(0.1, simulation.forces, simulation.state, simulation.right_side.scratch());
  constexpr double tolerance = 1e-12;  // 100 turns, a few ulps each, more where triangles are slivers
  EXPECT_NEAR(simulation.discretization->kinetic_energy(simulation.state) / before, 1, tolerance);
  EXPECT_GT((simulation.velocity() - start).norm(), 0.1 * start.norm());
  for (int step = 0; step < 10; ++step)
    offered<TurnsVelocity>(*simulation.discretization)
        ->apply_coriolis(-1, simulation.forces, simulation.state, simulation.right_side.scratch());
  EXPECT_LT((simulation.velocity() - start).norm(), 1e-10 * start.norm());  // a group: ten steps of −1 s
}

TEST_P(VectorInvariantForm, keeps_energy_together_with_the_waves) {
  test::Trial simulation(configuration(GetParam()));
  const Discretization& scheme = *simulation.discretization;
  const Field &volume = scheme.volume(), &flow = scheme.velocity();
  State& state = simulation.state;
  state[flow] = random_vector(flow.size, 2);
  State rate = simulation.zero();
  scheme.add_rates(state, simulation.forces, Term::gravity | Term::advection, 1, rate);
  // E is of second degree in the flow and in the volume: a symmetric difference is exact. Small enough that
  // no depth becomes negative.
  const double step = 0.1 / rate[volume].cwiseQuotient(state[volume]).cwiseAbs().maxCoeff();
  const Vector &area = scheme.cells().area, &bed = scheme.cells().bed;
  const auto energy = [&](double of_volume, double of_flow) {
    State moved = state;
    moved[volume] += of_volume * step * rate[volume];
    moved[flow] += of_flow * step * rate[flow];
    const Vector h = moved[volume].cwiseQuotient(area) - bed;
    return std::pair(scheme.kinetic_energy(moved), 0.5 * test::gravity * area.dot(h.cwiseAbs2()));
  };
  const double by_depth = (energy(1, 0).first - energy(-1, 0).first) / (2 * step);
  const double by_velocity = (energy(0, 1).first - energy(0, -1).first) / (2 * step);
  const double potential = (energy(1, 0).second - energy(-1, 0).second) / (2 * step);
  const double scale =
      std::abs(by_depth) + std::abs(by_velocity) + std::abs(potential) +
      scheme.kinetic_energy(state) * 2 / scheme.stable_dt(state, simulation.forces, Term::advection);
  EXPECT_LT(std::abs(by_depth + by_velocity + potential), 1e-11 * scale);
  EXPECT_GT(std::abs(by_depth), 1e-6 * scale);  // what the choice of K is about
}

/// Relative error of a flow against the projection of a field, root mean square over the sites.
double error(const test::Trial& simulation, const Vector& flow, const VectorField& field) {
  State difference = simulation.discretization->project({{}, field});
  const double size = simulation.discretization->kinetic_energy(difference);
  difference[simulation.discretization->velocity()] -= flow;
  return std::sqrt(simulation.discretization->kinetic_energy(difference) / size);
}

test::Configuration spinning_sphere(const std::string& scheme, int level) {
  test::Configuration setup{.mesh = "icosphere:" + std::to_string(level), .discretization = scheme};
  setup.initial.velocity = [](const Vector3& x) { return Vector3(0.3, -0.2, 0.5).cross(x); };
  return setup;
}

TEST(VectorInvariantOrder, holds_for_a_rigid_rotation) {
  // v·∇v = ω×(ω×x), its tangential part.
  const Vector3 omega(0.3, -0.2, 0.5);
  for (const char* scheme : {"fefv", "dec"}) {
    std::vector<double> edge, errors;
    for (const int level : {2, 3, 4, 5}) {
      test::Trial simulation(spinning_sphere(scheme, level));
      State rate = simulation.zero();
      simulation.discretization->add_rates(simulation.state, simulation.forces, Term::advection, 1, rate);
      edge.push_back(simulation.geometry.edge_length.mean());
      errors.push_back(
          error(simulation, rate[simulation.discretization->velocity()],
                [&](const Vector3& x) -> Vector3 { return -omega.cross(omega.cross(x.normalized())); }));
    }
    // In fefv K is a mean over triangles, whose error jumps across the edges of the icosahedron: its gradient
    // is wrong in the rows of triangles along them, a part of the area that falls as the edge length.
    EXPECT_GT(test::slope(edge, errors), scheme == std::string("fefv") ? 0.5 : 1.5) << scheme;
  }
}

TEST(CoriolisForce, turns_the_velocity_by_minus_f_n_times_v) {
  const Vector3 frame(-0.2, 0.1, 0.7), omega(0.3, -0.2, 0.5);
  for (const char* scheme : {"fefv", "dec", "kinetic"}) {
    std::vector<double> edge, errors;
    for (const int level : {2, 3, 4, 5}) {
      test::Configuration setup = spinning_sphere(scheme, level);
      setup.rotation = frame;
      test::Trial simulation(setup);
      const double dt = 1e-4;
      const Vector before = simulation.velocity();
      offered<TurnsVelocity>(*simulation.discretization)
          ->apply_coriolis(dt, simulation.forces, simulation.state, simulation.right_side.scratch());
      edge.push_back(simulation.geometry.edge_length.mean());
      errors.push_back(
          error(simulation, (simulation.velocity() - before) / dt, [&](const Vector3& x) -> Vector3 {
            const Vector3 n = x.normalized();
            return -2 * frame.dot(n) * n.cross(omega.cross(n));
          }));
    }
    EXPECT_GT(test::slope(edge, errors), 0.9) << scheme;
  }
}

// A series in a million parts would take minutes, and longer angles would not be followed at all.
TEST(CoriolisForce, is_not_a_number_where_a_step_is_a_thousand_radians_long) {
  test::Configuration setup = configuration({"dec", "icosphere:1"});
  setup.rotation = {0, 0, 1};
  test::Trial simulation(setup);
  simulation.velocity() = random_vector(simulation.velocity().size(), 1);
  for (const double dt : {10.0, 1e5, 1e30}) {
    offered<TurnsVelocity>(*simulation.discretization)
        ->apply_coriolis(dt, simulation.forces, simulation.state, simulation.right_side.scratch());
    EXPECT_EQ(simulation.velocity().allFinite(), dt == 10) << dt;
  }
}

TEST(CoriolisForce, needs_a_velocity) {
  for (const char* integrator : {"newmark", "implicit-euler"}) {
    const test::Trial parts({.integrator = integrator});
    Forcing forcing{Vector::Constant(parts.surface.mesh.vertex_count, -test::gravity)};
    const auto make = [&] {
      ShallowWater(
          parts.surface.mesh, parts.surface.x, [](const Vector3&) { return 1.0; }, forcing,
          {.discretization = parts.discretization_entry,
           .integrator = parts.integrator_entry,
           .linear_solver = &test::catalog().linear_solvers.find("cholmod"),
           .parameters = parts.parameters},
          [](const Discretization& scheme, const Forces&) { return scheme.project({}); });
    };
    EXPECT_NO_THROW(make());
    forcing.rotation = {0, 0, 1};
    EXPECT_THROW(make(), Refusal);
  }
}

TEST(CoriolisForce, moves_a_mass_of_fluid_in_a_circle) {
  // Uniform flow far from the walls of a rotating plane, negligible gravity: v(t) turns by −2Ωt.
  for (const char* scheme : {"fefv", "dec", "kinetic"}) {
    test::Configuration setup{.mesh = "rectangle:12x12:staggered", .discretization = scheme};
    setup.rotation = {0, 0, 0.4};
    setup.initial.velocity = [](const Vector3&) { return Vector3(1, 0, 0); };
    test::Trial simulation(setup);
    const double angle = 0.8 * 1.5;
    for (int step = 0; step < 3; ++step)
      offered<TurnsVelocity>(*simulation.discretization)
          ->apply_coriolis(0.5, simulation.forces, simulation.state, simulation.right_side.scratch());
    const Values velocity = simulation.sample("velocity");
    int inside = 0;
    for (Index k = 0; k < simulation.surface.mesh.face_count(); ++k) {
      const Vector3 x = simulation.geometry.centroid(simulation.surface.mesh, k);
      if (std::abs(x.x() - 0.5) > 0.1 || std::abs(x.y() - 0.5) > 0.1) continue;
      ++inside;
      // dec feels its walls through the series, each term one ring of triangles further.
      const double tolerance = scheme == std::string("dec") ? 1e-6 : 1e-13;
      EXPECT_NEAR(velocity(0, k), std::cos(angle), tolerance) << scheme;
      EXPECT_NEAR(velocity(1, k), -std::sin(angle), tolerance) << scheme;
    }
    EXPECT_GT(inside, 4);
  }
}

}  // namespace
}  // namespace shoal
