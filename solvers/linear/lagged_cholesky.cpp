// lagged-cholesky: conjugate gradients preconditioned by the Cholesky factor of an earlier matrix. The factor is kept while the
// matrix drifts and replaced when that is cheaper. Costs are counted in iterations instead of measured, so that the same input
// gives the same bits.
//
// - A solve with the factorized matrix itself is direct, without iteration.
// - For each new matrix the factor is kept as long as a solve costs less than the mean cost of all solves since the last
//   factorization, including the factorization, because this lowers the mean.
// - When one solve, or all solves of a matrix together, have cost as much as a factorization, the matrix is factorized: at worst
//   twice the cost of the better choice. After an abandoned solve, the next 1, 2, 4 … 32 matrices are factorized directly.
#include "discretizations/common/error.hpp"
#include "solvers/linear/conjugate_gradients.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/options.hpp"
#include "solvers/linear/residual.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace shoal {
namespace {

enum class Factor { multifrontal, cholmod };

/// Empty: auto.
std::optional<int> parse_cost(const std::string& text) {
  if (text == "auto") return {};
  const std::string allowed = "a whole number from 1 to 1e6, or 'auto'";
  const double cost = parse_parameter(text, "factorization_cost", allowed);
  if (!(cost >= 1 && cost <= 1e6 && cost == std::floor(cost)))
    throw parameter_error("factorization_cost", "'" + text + "' is not " + allowed);
  return static_cast<int>(cost);
}

struct LaggedCholeskyOptions {
  Factor factor = Factor::multifrontal;
  std::optional<int> factorization_cost;
  IterationOptions iteration;
  static Options<LaggedCholeskyOptions> describe() {
    using O = LaggedCholeskyOptions;
    return Options<O>()
        .choice("factor", &O::factor, {{"multifrontal", Factor::multifrontal}, {"cholmod", Factor::cholmod}},
                "solver used for factorizations")
        .parsed("factorization_cost", "1", &O::factorization_cost, "auto", parse_cost,
                "number of iterations that cost as much as a factorization; auto: 5 with multifrontal, 20 "
                "with cholmod")
        .part(&O::iteration, IterationOptions::describe());
  }
  /// Measured on spheres of 2562 to 163842 vertices (benchmarks "linear").
  int cost() const { return factorization_cost.value_or(factor == Factor::cholmod ? 20 : 5); }
};

std::unique_ptr<LinearSolver> make_direct(Factor factor) {
  return (factor == Factor::cholmod ? cholmod() : multifrontal()).make({});
}

class LaggedCholesky final : public LinearSolver {
 public:
  using SolverOptions = LaggedCholeskyOptions;
  explicit LaggedCholesky(const LaggedCholeskyOptions& options)
      : factor_(make_direct(options.factor)),
        cost_(options.cost()),
        warm_(options.iteration.warm_start),
        limits_{options.iteration.tolerance, options.iteration.max_iterations} {
    precondition_.apply = [this](const Vector& residual, Vector& direction) {
      StageClock unused;  // the time counts as that of the solve
      factor_->solve(residual, direction, unused);
    };
  }

  void analyze(const SymmetricMatrix& pattern) override {
    factor_->analyze(pattern);
    usable_ = false;
  }

  SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) override {
    matrix_ = &matrix;
    fresh_ = false;
    spent_on_matrix_ = 0;
    const bool backing_off = backoff_left_ > 0;
    if (backing_off) --backoff_left_;
    if (!usable_ || backing_off || last_ * solves_ > cost_ + spent_) return replace_factor(clock);
    return {};
  }

  SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) override {
    if (fresh_) return solve_directly(right_side, solution, clock);
    int iterations = 0;
    if (spent_on_matrix_ < cost_) {
      const SolverReport report = iterate(right_side, solution, clock);
      // If the lagged factor fails, a new one solves the system. A right-hand side that is not finite is no
      // evidence against the factor.
      if (report.ok || report.iterations == 0) return report;
      iterations = report.iterations;
      backoff_ = std::clamp(2 * backoff_, 1, max_backoff);
      backoff_left_ = backoff_;
    }
    return solve_with_fresh_factor(right_side, solution, iterations, clock);
  }

  /// The factor, its matrix, and the counts on which its replacement depends.
  void save(Archive& archive) const override {
    if (usable_) archive.put("lagged-cholesky/matrix", factorized_values_);
    Vector counts(7);
    counts << static_cast<double>(spent_), static_cast<double>(solves_), static_cast<double>(last_),
        static_cast<double>(spent_on_matrix_), backoff_, backoff_left_, fresh_;
    archive.put("lagged-cholesky/counts", counts);
  }

  void restore(const Archive& archive, const SymmetricMatrix& pattern) override {
    usable_ = archive.has("lagged-cholesky/matrix");
    if (usable_) {
      SymmetricMatrix earlier = pattern;
      factorized_values_ = archive.vector("lagged-cholesky/matrix");
      std::copy(factorized_values_.begin(), factorized_values_.end(), earlier.valuePtr());
      StageClock unused;
      usable_ = factor_->factorize(earlier, unused).ok;
    }
    const Vector& counts = archive.vector("lagged-cholesky/counts");
    spent_ = static_cast<long>(counts[0]);
    solves_ = static_cast<long>(counts[1]);
    last_ = static_cast<long>(counts[2]);
    spent_on_matrix_ = static_cast<long>(counts[3]);
    backoff_ = static_cast<int>(counts[4]);
    backoff_left_ = static_cast<int>(counts[5]);
    fresh_ = usable_ && counts[6] != 0;
  }

 private:
  static constexpr int max_backoff = 32;

  SolverReport replace_factor(StageClock& clock) {
    const SolverReport report = factor_->factorize(*matrix_, clock);
    usable_ = fresh_ = report.ok;
    factorized_values_ = Eigen::Map<const Vector>(matrix_->valuePtr(), matrix_->nonZeros());
    spent_ = solves_ = last_ = 0;
    return report;
  }

  SolverReport iterate(const Vector& right_side, Vector& solution, StageClock& clock) {
    const auto stage = clock.measure(Stage::solve);
    if (!warm_ || solution.size() != right_side.size()) solution.setZero(right_side.size());
    const ConjugateGradients::Limits limits{limits_.tolerance, std::min(limits_.max_iterations, cost_)};
    const SolverReport report = iteration_.solve(*matrix_, right_side, precondition_, limits, solution);
    count(report.iterations);
    if (report.ok) backoff_ = 0;
    return report;
  }

  SolverReport solve_directly(const Vector& right_side, Vector& solution, StageClock& clock) {
    SolverReport report = factor_->solve(right_side, solution, clock);
    count(1);
    const auto stage = clock.measure(Stage::solve);
    report.residual = relative_residual(*matrix_, right_side, solution, work_);
    if (report.residual <= limits_.tolerance) return report;
    return iteration_.solve(*matrix_, right_side, precondition_, limits_, solution);
  }

  /// Records `iterations` without convergence.
  SolverReport solve_with_fresh_factor(const Vector& right_side, Vector& solution, int iterations,
                                       StageClock& clock) {
    SolverReport report = replace_factor(clock);
    if (report.ok) {
      report = solve_directly(right_side, solution, clock);
      report.factorizations = 1;
    }
    report.iterations += iterations;
    return report;
  }

  void count(int iterations) {
    last_ = iterations;
    spent_ += iterations;
    spent_on_matrix_ += iterations;
    ++solves_;
  }

  std::unique_ptr<LinearSolver> factor_;
  int cost_;
  bool warm_;
  ConjugateGradients::Limits limits_;
  ConjugateGradients iteration_;
  ConjugateGradients::Preconditioner precondition_;
  const SymmetricMatrix* matrix_ = nullptr;
  Vector work_;
  Vector factorized_values_;                // of the matrix that was factorized
  bool usable_ = false;                     // there is a factor, possibly of an earlier matrix
  bool fresh_ = false;                      // it belongs to the current matrix
  long spent_ = 0, solves_ = 0, last_ = 0;  // iterations and solves since the factorization
  long spent_on_matrix_ = 0;                // iterations with the current matrix
  int backoff_ = 0, backoff_left_ = 0;
};

}  // namespace

LinearSolverEntry lagged_cholesky() {
  return describe_solver<LaggedCholesky>("lagged-cholesky",
                                         "conjugate gradients preconditioned by the Cholesky factor of an "
                                         "earlier matrix, which is recomputed when that is cheaper",
                                         {});
}

}  // namespace shoal
