// eigen-cg: conjugate gradients with Eigen's preconditioners, Jacobi or incomplete Cholesky (Lin & Moré 1999,
// doi:10.1137/S1064827597327334). The iteration is Shoal's own, because Eigen's allocates work vectors in every solve.
#include "solvers/linear/conjugate_gradients.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/options.hpp"
#include "solvers/linear/residual.hpp"

#include <Eigen/IterativeLinearSolvers>

namespace shoal {
namespace {

struct EigenCgOptions {
  bool incomplete = false;
  IterationOptions iteration;
  static Options<EigenCgOptions> describe() {
    using O = EigenCgOptions;
    return Options<O>()
        .choice(
            "preconditioner", &O::incomplete, {{"jacobi", false}, {"incomplete-cholesky", true}},
            "preconditioner: the diagonal, or an incomplete Cholesky factor with the pattern of the matrix")
        .part(&O::iteration, IterationOptions::describe());
  }
};

class EigenCg final : public LinearSolver {
 public:
  using SolverOptions = EigenCgOptions;
  explicit EigenCg(const EigenCgOptions& options, Unknowns unknowns = {})
      : incomplete_(options.incomplete),
        warm_(options.iteration.warm_start),
        limits_{options.iteration.tolerance, options.iteration.max_iterations},
        iteration_(std::move(unknowns)) {
    if (incomplete_)
      precondition_.apply = [this](const Vector& residual, Vector& direction) {
        direction = cholesky_.solve(residual);
      };
  }

  void analyze(const SymmetricMatrix& pattern) override {
    if (incomplete_) cholesky_.analyzePattern(pattern);
  }

  SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) override {
    const auto stage = clock.measure(Stage::factorization);
    matrix_ = &matrix;
    Vector& inverse_diagonal = precondition_.inverse_diagonal;
    inverse_diagonal.resize(matrix.cols());
    for (Index i = 0; i < matrix.cols(); ++i)
      inverse_diagonal[i] = 1 / matrix.valuePtr()[matrix.outerIndexPtr()[i]];
    SolverReport report;
    iteration_.unknowns().visit_own(matrix.cols(), [&](const Range& own) {
      if (report.ok) report = inspect(matrix, own);
    });
    report = iteration_.unknowns().agreed(std::move(report));
    report.factorizations = 1;
    if (!report.ok || !incomplete_) return report;
    cholesky_.factorize(matrix);
    if (cholesky_.info() != Eigen::Success) {
      report.ok = false;
      report.reason = "the incomplete Cholesky factorization encountered a pivot that is not positive";
    }
    return report;
  }

  SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) override {
    const auto stage = clock.measure(Stage::solve);
    if (!warm_ || solution.size() != right_side.size()) solution.setZero(right_side.size());
    return iteration_.solve(*matrix_, right_side, precondition_, limits_, solution);
  }

 private:
  bool incomplete_, warm_;
  ConjugateGradients::Limits limits_;
  ConjugateGradients iteration_;
  ConjugateGradients::Preconditioner precondition_;
  const SymmetricMatrix* matrix_ = nullptr;
  // Keeps the order of the mesh, which follows its triangles; a fill-reducing order would not suit a factor without fill.
  Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::NaturalOrdering<Index>> cholesky_;
};

}  // namespace

LinearSolverEntry eigen_cg() {
  LinearSolverEntry entry =
      describe_solver<EigenCg>("eigen-cg", "Eigen's conjugate gradients with preconditioner", {});
  entry.make_shared = [](const Parameters& parameters, const Mesh& mesh,
                         const Cells& cells) -> std::unique_ptr<LinearSolver> {
    const auto options = read_options<EigenCgOptions>(parameters);
    if (options.incomplete) return nullptr;  // its factor depends on the order of the whole
    return std::make_unique<EigenCg>(options, Unknowns(mesh, cells));
  };
  return entry;
}

}  // namespace shoal
