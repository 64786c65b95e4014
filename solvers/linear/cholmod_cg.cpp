// cholmod-cg: conjugate gradients preconditioned by a Cholesky factor of an earlier matrix, which is kept
// while the matrix drifts and replaced when that is the cheaper thing to do. Costs are counted in iterations,
// never measured, so that the same input gives the same bits.
//
// - A solve with the matrix that was factorized is direct: no iteration.
// - Before each new matrix: as long as a solve costs less than the mean of all solves since the last
//   factorization, that one included, keeping the factor lowers the mean.
// - A solve that has cost as much as a factorization is given up, and so is a matrix whose solves together
//   have: at worst twice the cost of knowing beforehand. After a solve that was given up the factor is not
//   kept for the next 1, 2, 4 … 32 matrices.
#include "solvers/linear/conjugate_gradients.hpp"
#include "solvers/linear/list.hpp"
#include "solvers/linear/parameters.hpp"
#include "solvers/linear/residual.hpp"

#include <algorithm>

namespace shoal {
namespace {

class CholmodCg final : public LinearSolver {
 public:
  explicit CholmodCg(const Parameters& parameters)
      : factor_(cholmod().make(
            Parameters(cholmod().parameters, {{"supernodal_size", parameters.number("supernodal_size")}}))),
        cost_(static_cast<int>(parameters.number("factorization_cost"))),
        warm_(parameters.text("start") == "warm"),
        limits_{parameters.number("tolerance"), static_cast<int>(parameters.number("max_iterations"))} {
    precondition_ = [this](const Vector& residual, Vector& direction) {
      StageClock unused;  // the time is that of the solve in which this happens
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
    if (spent_on_matrix_ < cost_) {
      const SolverReport report = iterate(right_side, solution, clock);
      // What the kept factor cannot settle, a fresh one does; of a right side that is not finite nothing is
      // learned.
      if (report.ok || report.iterations == 0) return report;
      backoff_ = std::min(2 * backoff_ + (backoff_ == 0), most_backoff);
      backoff_left_ = backoff_;
      return with_fresh_factor(right_side, solution, report.iterations, clock);
    }
    return with_fresh_factor(right_side, solution, 0, clock);
  }

 private:
  static constexpr int most_backoff = 32;

  SolverReport replace_factor(StageClock& clock) {
    const SolverReport report = factor_->factorize(*matrix_, clock);
    usable_ = fresh_ = report.ok;
    spent_ = solves_ = last_ = 0;
    return report;
  }

  SolverReport iterate(const Vector& right_side, Vector& solution, StageClock& clock) {
    const auto stage = clock.measure(Stage::solve);
    if (!warm_ || solution.size() != right_side.size()) solution.setZero(right_side.size());
    const auto limits =
        ConjugateGradients::Limits{limits_.tolerance, std::min(limits_.max_iterations, cost_)};
    SolverReport report = iteration_.solve(*matrix_, right_side, precondition_, limits, solution);
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

  SolverReport with_fresh_factor(const Vector& right_side, Vector& solution, int iterations,
                                 StageClock& clock) {
    SolverReport report = replace_factor(clock);
    if (report.ok) {
      report = solve_directly(right_side, solution, clock);
      report.factorizations = 1;
    }
    report.iterations = iterations;
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
  bool usable_ = false;                     // there is a factor, if of an earlier matrix
  bool fresh_ = false;                      // it is that of the current one
  long spent_ = 0, solves_ = 0, last_ = 0;  // iterations and solves since the factorization
  long spent_on_matrix_ = 0;                // iterations with the current matrix
  int backoff_ = 0, backoff_left_ = 0;
};

}  // namespace

LinearSolverEntry cholmod_cg() {
  LinearSolverEntry entry;
  entry.name = "cholmod-cg";
  entry.summary =
      "conjugate gradients with the Cholesky factor of an earlier matrix, renewed when that is cheaper";
  entry.parameters = cholmod().parameters;
  std::erase_if(entry.parameters, [](const ParameterInfo& info) { return info.name == "measure_residual"; });
  for (const ParameterInfo& info : iteration_parameters()) entry.parameters.push_back(info);
  entry.parameters.push_back(
      number("factorization_cost", "1", 20, 1, 1e6, "iterations that cost as much as a factorization"));
  entry.claims = {.allocation_free = cholmod().claims.allocation_free};
  entry.make = [](const Parameters& parameters) -> std::unique_ptr<LinearSolver> {
    return std::make_unique<CholmodCg>(parameters);
  };
  return entry;
}

}  // namespace shoal
