// eigen-ldlt: Eigen's simplicial LDLᵀ of the permuted matrix, up-looking (Davis 2005,
// doi:10.1145/1114268.1114277).
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/options.hpp"
#include "solvers/linear/ordering.hpp"
#include "solvers/linear/residual.hpp"

#include <Eigen/SparseCholesky>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

/// The factorization of an upper triangle in its given order, for which Eigen makes no copy.
class Factor : public Eigen::SimplicialLDLT<SymmetricMatrix, Eigen::Upper, Eigen::NaturalOrdering<Index>> {
 public:
  const Vector& diagonal() const { return m_diag; }
  void solve_in_place(Vector& x) const {
    m_matrix.triangularView<Eigen::UnitLower>().solveInPlace(x);
    x.array() /= m_diag.array();
    m_matrix.transpose().triangularView<Eigen::UnitUpper>().solveInPlace(x);
  }
};

struct EigenLdltOptions {
  Ordering ordering = Ordering::nested_dissection;
  ResidualOptions residual;
  static Options<EigenLdltOptions> describe() {
    using O = EigenLdltOptions;
    return Options<O>()
        .choice("ordering", &O::ordering,
                {{"metis", Ordering::nested_dissection}, {"amd", Ordering::minimum_degree}},
                "fill-reducing ordering: nested dissection or minimum degree")
        .part(&O::residual, ResidualOptions::describe());
  }
};

class EigenLdlt final : public LinearSolver {
 public:
  using SolverOptions = EigenLdltOptions;
  explicit EigenLdlt(const EigenLdltOptions& options) : options_(options) {}

  void analyze(const SymmetricMatrix& pattern) override {
    permuted_.analyze(pattern, options_.ordering);
    factor_.analyzePattern(permuted_.upper());
  }

  SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) override {
    const auto stage = clock.measure(Stage::factorization);
    matrix_ = &matrix;
    permuted_.refresh(matrix);
    factor_.factorize(permuted_.upper());
    // Eigen's factorization stops at a pivot of zero, but not at negative ones or NaN.
    const auto bad = std::find_if(factor_.diagonal().begin(), factor_.diagonal().end(),
                                  [](double pivot) { return !(pivot > 0 && std::isfinite(pivot)); });
    SolverReport report;
    if (bad != factor_.diagonal().end())
      report = not_positive_definite(permuted_.unknown(static_cast<Index>(bad - factor_.diagonal().begin())),
                                     permuted_.size());
    report.factorizations = 1;
    return report;
  }

  SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) override {
    const auto stage = clock.measure(Stage::solve);
    permuted_.to_positions(right_side, positions_);
    factor_.solve_in_place(positions_);
    permuted_.to_unknowns(positions_.data(), solution);
    SolverReport report;
    if (options_.residual.measure)
      report.residual = relative_residual(*matrix_, right_side, solution, positions_);
    return report;
  }

 private:
  EigenLdltOptions options_;
  PermutedMatrix permuted_;
  Factor factor_;
  const SymmetricMatrix* matrix_ = nullptr;
  Vector positions_;
};

}  // namespace

LinearSolverEntry eigen_ldlt() {
  return describe_solver<EigenLdlt>("eigen-ldlt", "Eigen's simplicial LDLᵀ, symbolic factor reused",
                                    {.direct = true});
}

}  // namespace shoal
