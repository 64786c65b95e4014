// CHOLMOD: solutions, kept analysis, reports on indefinite matrices; both factorizations.
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace shoal::test {
namespace {

class CholmodSolver : public ::testing::TestWithParam<double> {
 protected:
  CholmodSolver() : simulation_({.mesh = "icosphere:3", .integrator = "newmark"}) {
    const LinearSolverEntry& entry = test::catalog().linear_solvers.find("cholmod");
    solver_ = entry.make(Parameters(entry.parameters, {{"supernodal_size", GetParam()}}));
    matrix_ = wave().stiffness_pattern();
    solver_->analyze(matrix_);
  }
  WaveSide wave() const { return WaveSide(simulation_.right_side); }
  void assemble(double diagonal, unsigned seed) {
    const Vector weight = random_vector(wave().sites(), seed).array() + 1.5;
    wave().assemble(Vector::Constant(matrix_.rows(), diagonal), 1, weight, matrix_);
  }

  Trial simulation_;
  std::unique_ptr<LinearSolver> solver_;
  SymmetricMatrix matrix_;
  StageClock clock_;
};

TEST_P(CholmodSolver, solves_with_new_values_on_the_kept_analysis) {
  for (const unsigned seed : {1u, 2u, 3u}) {
    assemble(0.1, seed);
    ASSERT_TRUE(solver_->factorize(matrix_, clock_).ok);
    const Vector exact = random_vector(matrix_.rows(), seed + 10);
    const Vector right_side = matrix_.selfadjointView<Eigen::Lower>() * exact;
    Vector solution;
    ASSERT_TRUE(solver_->solve(right_side, solution, clock_).ok);
    EXPECT_LT((solution - exact).norm(), 1e-11 * exact.norm());
  }
}

TEST_P(CholmodSolver, reports_a_matrix_that_is_not_positive_definite) {
  assemble(-1, 1);
  const SolverReport report = solver_->factorize(matrix_, clock_);
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("not positive definite"), std::string::npos);
  assemble(0.1, 1);
  EXPECT_TRUE(solver_->factorize(matrix_, clock_).ok) << "a failure must not spoil the next factorization";
}

TEST_P(CholmodSolver, reports_a_nan) {
  assemble(0.1, 1);
  matrix_.valuePtr()[5] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_FALSE(solver_->factorize(matrix_, clock_).ok);
}

INSTANTIATE_TEST_SUITE_P(simplicial_and_supernodal, CholmodSolver, ::testing::Values(1e9, 0.0));

TEST(ImplicitEuler, reports_the_loss_of_definiteness_at_a_negative_depth) {
  Trial simulation({.mesh = "icosphere:2", .integrator = "implicit-euler"});
  simulation.volume()[17] = -simulation.volume()[17];
  simulation.prepare(0.01);
  const StepReport report = simulation.step();
  EXPECT_FALSE(report.ok);
  EXPECT_NE(report.reason.find("not positive definite"), std::string::npos);
}

}  // namespace
}  // namespace shoal::test
