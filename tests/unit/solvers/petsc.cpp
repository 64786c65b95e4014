// petsc: its options reach PETSc, and those that do not are named.
#include "solvers/linear/linear_solver.hpp"

#include "discretizations/common/error.hpp"

#include <gtest/gtest.h>

namespace shoal {
namespace {

/// Tridiagonal, 2 and −1, plus 0.01.
SymmetricMatrix chain(Index size) {
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < size; ++i) {
    entries.emplace_back(i, i, 2.01);
    if (i > 0) entries.emplace_back(i, i - 1, -1.0);
  }
  SymmetricMatrix matrix(size, size);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

SolverReport solve_with(const std::string& options, Vector& x) {
  const LinearSolverEntry& entry = find_linear_solver("petsc");
  const auto solver = entry.make(Parameters(entry.parameters, {{"options", options}}));
  const SymmetricMatrix matrix = chain(50);
  solver->analyze(matrix);
  StageClock clock;
  EXPECT_TRUE(solver->factorize(matrix, clock).ok);
  const Vector exact = Vector::LinSpaced(50, 1, 2);
  const SolverReport report = solver->solve(matrix.selfadjointView<Eigen::Lower>() * exact, x, clock);
  EXPECT_LT((x - exact).norm(), 1e-6) << options;
  return report;
}

std::string complaint(const std::string& options) {
  try {
    Vector x;
    solve_with(options, x);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(Petsc, takes_methods_and_preconditioners_from_its_options) {
  Vector x;
  EXPECT_EQ(solve_with("-ksp_type preonly -pc_type cholesky", x).iterations, 1);
  EXPECT_GT(solve_with("-pc_type none", x).iterations, 20);
  EXPECT_TRUE(solve_with("-ksp_type minres -pc_type jacobi", x).ok);
  EXPECT_TRUE(solve_with("", x).ok);
}

TEST(Petsc, options_that_nothing_reads_are_the_users_mistake) {
  EXPECT_EQ(complaint("-ksp_typ minres"),
            "parameter 'options': PETSc has no use for '-ksp_typ' with the other options");
  EXPECT_EQ(complaint("minres"),
            "parameter 'options': 'minres' is not an option of PETSc's, which begin with '-'");
  EXPECT_EQ(
      complaint("-pc_type nonsense").find("parameter 'options': PETSc does not take '-pc_type nonsense'"),
      0u);
}

}  // namespace
}  // namespace shoal
