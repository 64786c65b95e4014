// Linearly implicit steps of finite volumes, their approximate Jacobian and the iteration that they use.
#include "discretizations/capabilities.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "solvers/linear/gmres.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>
#include <Eigen/Dense>

#include <cmath>

namespace shoal {
namespace {

using test::Configuration;
using test::Trial;

TEST(Gmres, solves_a_system_without_symmetry_across_restarts) {
  constexpr int size = 40;
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(size, size);
  Vector b(size), weight(size), scale(size);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < size; ++j) a(i, j) = std::sin(1.7 * i + 3.1 * j) / size;
    a(i, i) += 1 + i;
    b[i] = std::cos(i);
    weight[i] = 1 + i % 3;
    scale[i] = 1 / a(i, i);
  }
  Gmres gmres({.tolerance = 1e-10, .restart = 4});
  Vector x = Vector::Zero(size);
  const SolverReport report =
      gmres.solve([&](const Vector& d, Vector& image) { image = a * d; }, scale, weight, b, x);
  EXPECT_TRUE(report.ok) << report.reason;
  EXPECT_GT(report.iterations, 4);
  EXPECT_LT((x - a.lu().solve(b)).norm(), 1e-9 * x.norm());
  EXPECT_LT((gmres.residual() - (b - a * x)).norm(), 1e-14);
}

TEST(Gmres, reports_a_singular_system_and_numbers_that_are_not_finite) {
  const Vector one = Vector::Ones(3);
  Vector b = Vector::Ones(3), x = Vector::Zero(3);
  Gmres gmres(GmresOptions{});
  const auto first_only = [](const Vector& d, Vector& image) { image = Eigen::Vector3d(d[0], 0, 0); };
  EXPECT_FALSE(gmres.solve(first_only, one, one, b, x).ok);
  b[1] = std::nan("");
  EXPECT_FALSE(gmres.solve(first_only, one, one, b, x).ok);
}

/// With the flux of Rusanov and in uniform flow over a flat bed it is no approximation.
TEST(UpwindJacobian, is_the_derivative_of_the_rates_of_rusanov_in_uniform_flow) {
  Configuration setup{
      .mesh = "rectangle:6x6:3x2:periodic", .discretization = "rusanov", .integrator = "rosenbrock"};
  setup.initial.velocity = [](const Vector3&) { return Vector3(1.3, -0.4, 0); };
  Trial trial(setup);
  const Discretization& scheme = *trial.discretization;
  const auto jacobian = offered<Linearises>(scheme)->make_jacobian();
  const Terms terms = Term::gravity | Term::advection;
  jacobian->set(trial.state, trial.forces, terms);
  State direction = trial.zero(), product = trial.zero(), difference = trial.zero();
  for (Index i = 0; i < scheme.volume().size; ++i) direction[scheme.volume()][i] = std::sin(5.0 * i);
  for (Index i = 0; i < scheme.velocity().size; ++i) direction[scheme.velocity()][i] = std::cos(3.0 * i);
  jacobian->add_product(direction, 1, product);
  constexpr double step = 1e-6;
  for (const double sign : {1.0, -1.0}) {
    State moved = trial.state;
    moved.q += sign * step * direction.q;
    scheme.add_rates(moved, trial.forces, terms, sign / (2 * step), difference);
  }
  // The speed, a maximum of two, has a kink here, so that the difference is of first order in the step.
  EXPECT_LT((product.q - difference.q).norm(), 3 * step * product.q.norm());
  // Its diagonal.
  for (const Index entry : {scheme.volume().offset + 3, scheme.velocity().offset + 7}) {
    State unit = trial.zero(), column = trial.zero();
    unit.q[entry] = 1;
    jacobian->add_product(unit, 1, column);
    EXPECT_NEAR(column.q[entry], -jacobian->decay()[entry], 1e-12 * jacobian->decay()[entry]);
  }
}

/// A hump collapses on a closed surface over a bed, with steps of twenty times the explicit limit.
TEST(Rosenbrock, is_stable_and_keeps_mass_at_twenty_times_the_explicit_limit) {
  for (const char* flux : {"kinetic", "rusanov", "hllc", "roe"})
    for (const char* reconstruction : {"constant", "linear"}) {
      Configuration setup{.mesh = "jittered-sphere:2",
                          .discretization = flux,
                          .integrator = "rosenbrock",
                          .parameters = {{"reconstruction", reconstruction}}};
      setup.bed_depth = [](const Vector3& x) { return 1 + 0.3 * x.x() * x.y(); };
      setup.initial.depth = [bed = setup.bed_depth](const Vector3& x) {
        return bed(x) + 0.5 * std::exp(-4 * (x - Vector3::UnitZ()).squaredNorm());
      };
      Trial trial(setup);
      trial.prepare(20 * trial.stable_dt());
      const double mass = trial.mass();
      double energy = trial.energy();
      for (int step = 0; step < 60; ++step) {
        trial.run(1);
        EXPECT_LE(trial.energy(), energy * (1 + 1e-3)) << flux << ", " << reconstruction << ", step " << step;
        energy = trial.energy();
      }
      EXPECT_NEAR(trial.mass(), mass, 1e-13 * mass) << flux << ", " << reconstruction;
    }
}

/// The work of friction is at most the energy that was there, however strong it is.
TEST(Rosenbrock, books_the_work_of_strong_friction) {
  Configuration setup{
      .mesh = "rectangle:6x6:3x2:periodic", .discretization = "hllc", .integrator = "rosenbrock"};
  setup.parameters = {{"friction", 100.0}};
  setup.initial.velocity = [](const Vector3&) { return Vector3(1, 0, 0); };
  Trial trial(setup);
  trial.prepare(100 * trial.stable_dt());
  const double before = trial.kinetic_energy();
  trial.run(3);
  const double left = trial.kinetic_energy();
  EXPECT_LT(left, 1e-6 * before);
  EXPECT_NEAR(trial.water->ledger().work_friction, left - before, 1e-12 * before);
}

TEST(Rosenbrock, keeps_still_water_still_over_any_bed) {
  Configuration setup{.mesh = "jittered-sphere:2", .discretization = "hllc", .integrator = "rosenbrock"};
  setup.parameters = {{"reconstruction", "linear"}};
  setup.bed_depth = [](const Vector3& x) { return 1 + 0.5 * std::sin(3 * x.x()) * x.y(); };
  setup.initial.depth = setup.bed_depth;
  Trial trial(setup);
  trial.prepare(20 * trial.stable_dt());
  trial.run(50);
  EXPECT_LT(trial.sample("velocity").colwise().norm().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace shoal
