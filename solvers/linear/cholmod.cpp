// cholmod: sparse Cholesky through CHOLMOD (Chen, Davis, Hager, Rajamanickam 2008,
// doi:10.1145/1391989.1391995).
//
// Nested dissection (METIS) once per pattern. Below `supernodal_size` unknowns, where the overhead of BLAS calls dominates, a
// simplicial LDLᵀ of the permuted matrix; above it supernodal LLᵀ. BLAS runs on one thread, because the bits of a supernodal
// factor would otherwise depend on the number of threads.
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/options.hpp"
#include "solvers/linear/ordering.hpp"
#include "solvers/linear/residual.hpp"

#include "discretizations/common/error.hpp"

#include <cholmod.h>
#include <fmt/format.h>

extern "C" void openblas_set_num_threads(int threads);

namespace shoal {
namespace {

/// cholmod_common without CHOLMOD's own output; its status is read instead.
class Workspace {
 public:
  Workspace() {
    cholmod_start(&common_);
    common_.print = 0;
    common_.error_handler = nullptr;
  }
  ~Workspace() { cholmod_finish(&common_); }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  cholmod_common* operator&() { return &common_; }
  cholmod_common* operator->() { return &common_; }

 private:
  cholmod_common common_;
};

/// The permuted upper triangle as CHOLMOD sees it.
cholmod_sparse view(SymmetricMatrix& upper) {
  cholmod_sparse matrix{};
  matrix.nrow = matrix.ncol = upper.cols();
  matrix.nzmax = upper.nonZeros();
  matrix.p = upper.outerIndexPtr();
  matrix.i = upper.innerIndexPtr();
  matrix.x = upper.valuePtr();
  matrix.stype = 1;
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = CHOLMOD_REAL;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = matrix.packed = 1;
  return matrix;
}

struct CholmodOptions {
  double supernodal_size = 40000;
  ResidualOptions residual;
  static Options<CholmodOptions> describe() {
    using O = CholmodOptions;
    return Options<O>()
        .number("supernodal_size", "1", &O::supernodal_size, 0, 1e12,
                "number of unknowns from which the factorization is supernodal instead of simplicial")
        .part(&O::residual, ResidualOptions::describe());
  }
};

class Cholmod final : public LinearSolver {
 public:
  using SolverOptions = CholmodOptions;
  explicit Cholmod(const CholmodOptions& options) : options_(options) { openblas_set_num_threads(1); }

  ~Cholmod() override { release(); }

  void analyze(const SymmetricMatrix& pattern) override {
    release();
    permuted_.analyze(pattern, Ordering::nested_dissection);
    workspace_->nmethods = 1;
    workspace_->method[0].ordering = CHOLMOD_NATURAL;
    workspace_->postorder = false;  // the permutation is postordered already
    workspace_->supernodal =
        permuted_.size() < options_.supernodal_size ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL;
    workspace_->final_ll = false;
    cholmod_sparse upper = view(permuted_.upper());
    factor_ = cholmod_analyze(&upper, &workspace_);
    if (!factor_) throw MachineError("CHOLMOD could not analyze the matrix: out of memory");
  }

  SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) override {
    const auto stage = clock.measure(Stage::factorization);
    matrix_ = &matrix;
    permuted_.refresh(matrix);
    cholmod_sparse upper = view(permuted_.upper());
    cholmod_factorize(&upper, factor_, &workspace_);
    if (workspace_->status < 0)
      throw MachineError(fmt::format("CHOLMOD failed with status {}", workspace_->status));
    const Index bad =
        workspace_->status == CHOLMOD_NOT_POSDEF ? static_cast<Index>(factor_->minor) : bad_pivot();
    SolverReport report;
    if (bad != none)
      report =
          not_positive_definite(permuted_.unknown(std::min(bad, permuted_.size() - 1)), permuted_.size());
    report.factorizations = 1;
    return report;
  }

  SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) override {
    const auto stage = clock.measure(Stage::solve);
    permuted_.to_positions(right_side, right_side_);
    cholmod_dense b{};
    b.nrow = b.d = b.nzmax = permuted_.size();
    b.ncol = 1;
    b.x = right_side_.data();
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    // solve2 keeps its solution and work vectors from call to call.
    if (!cholmod_solve2(CHOLMOD_A, factor_, &b, nullptr, &solution_, nullptr, &work_y_, &work_e_,
                        &workspace_))
      throw MachineError("CHOLMOD ran out of memory");
    permuted_.to_unknowns(static_cast<const double*>(solution_->x), solution);
    SolverReport report;
    if (options_.residual.measure)
      report.residual = relative_residual(*matrix_, right_side, solution, right_side_);
    return report;
  }

 private:
  static constexpr Index none = -1;

  /// A simplicial LDLᵀ does not fail on indefinite matrices, and neither kind fails on NaN, so the diagonal of the factor must
  /// be checked.
  Index bad_pivot() const {
    const double* values = static_cast<const double*>(factor_->x);
    if (!factor_->is_super) {
      const Index* start = static_cast<const Index*>(factor_->p);
      for (Index j = 0; j < permuted_.size(); ++j)
        if (!(values[start[j]] > 0)) return j;
      return none;
    }
    const Index* first = static_cast<const Index*>(factor_->super);
    const Index* row_start = static_cast<const Index*>(factor_->pi);
    const Index* value_start = static_cast<const Index*>(factor_->px);
    for (std::size_t s = 0; s < factor_->nsuper; ++s) {
      const Index rows = row_start[s + 1] - row_start[s];
      for (Index j = 0; j < first[s + 1] - first[s]; ++j)
        if (!(values[value_start[s] + j * (rows + 1)] > 0)) return first[s] + j;
    }
    return none;
  }

  void release() {
    cholmod_free_factor(&factor_, &workspace_);
    cholmod_free_dense(&solution_, &workspace_);
    cholmod_free_dense(&work_y_, &workspace_);
    cholmod_free_dense(&work_e_, &workspace_);
  }

  CholmodOptions options_;
  Workspace workspace_;
  PermutedMatrix permuted_;
  const SymmetricMatrix* matrix_ = nullptr;
  Vector right_side_;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *solution_ = nullptr, *work_y_ = nullptr, *work_e_ = nullptr;
};

}  // namespace

LinearSolverEntry cholmod() {
  return describe_solver<Cholmod>(
      "cholmod", "sparse Cholesky (SuiteSparse), METIS ordering, symbolic factor reused",
      {.direct = true, .allocation_free = false});  // cholmod_solve2 takes a vector each time
}

}  // namespace shoal
