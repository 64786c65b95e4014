// CHOLMOD behind our interface: permuted once, refactored in place, its pivots checked.
#include "solvers/linear/cholmod.hpp"

#include "discretizations/common/error.hpp"

#include <cholmod.h>
#include <fmt/format.h>

#include <algorithm>

extern "C" void openblas_set_num_threads(int threads);

namespace shoal {
namespace {

/// cholmod_common with CHOLMOD's own printing switched off; statuses are read instead.
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

cholmod_sparse view(Index n, std::vector<Index>& start, std::vector<Index>& rows, double* values, int stype) {
  cholmod_sparse matrix{};
  matrix.nrow = matrix.ncol = static_cast<std::size_t>(n);
  matrix.nzmax = rows.size();
  matrix.p = start.data();
  matrix.i = rows.data();
  matrix.x = values;
  matrix.stype = stype;
  matrix.itype = CHOLMOD_INT;
  matrix.xtype = values ? CHOLMOD_REAL : CHOLMOD_PATTERN;
  matrix.dtype = CHOLMOD_DOUBLE;
  matrix.sorted = 1;
  matrix.packed = 1;
  return matrix;
}

class Cholmod final : public LinearSolver {
 public:
  explicit Cholmod(const Parameters& parameters) : supernodal_size_(parameters.number("supernodal_size")) {
    openblas_set_num_threads(1);
  }

  ~Cholmod() override { release(); }

  void analyze(const SymmetricMatrix& pattern) override {
    release();
    size_ = static_cast<Index>(pattern.rows());
    permute(pattern);
    workspace_->nmethods = 1;
    workspace_->method[0].ordering = CHOLMOD_NATURAL;
    workspace_->postorder = false;  // the permutation is postordered already
    workspace_->supernodal = size_ < supernodal_size_ ? CHOLMOD_SIMPLICIAL : CHOLMOD_SUPERNODAL;
    workspace_->final_ll = false;
    cholmod_sparse upper = matrix(nullptr);
    factor_ = cholmod_analyze(&upper, &workspace_);
    if (!factor_) throw MachineError("CHOLMOD could not analyze the matrix: out of memory");
    right_side_.resize(size_);
  }

  SolverReport factorize(const SymmetricMatrix& values) override {
    const double* source = values.valuePtr();
    for (std::size_t slot = 0; slot < slot_.size(); ++slot) values_[slot_[slot]] = source[slot];
    cholmod_sparse upper = matrix(values_.data());
    cholmod_factorize(&upper, factor_, &workspace_);
    if (workspace_->status < 0)
      throw MachineError(fmt::format("CHOLMOD failed with status {}", workspace_->status));
    const Index bad =
        workspace_->status == CHOLMOD_NOT_POSDEF ? static_cast<Index>(factor_->minor) : bad_pivot();
    if (bad == none) return {};
    return {false, fmt::format("the matrix is not positive definite (unknown {} of {})",
                               permutation_[static_cast<std::size_t>(std::min(bad, size_ - 1))], size_)};
  }

  SolverReport solve(const Vector& right_side, Vector& solution) override {
    for (Index i = 0; i < size_; ++i) right_side_[i] = right_side[permutation_[static_cast<std::size_t>(i)]];
    cholmod_dense b{};
    b.nrow = b.d = b.nzmax = static_cast<std::size_t>(size_);
    b.ncol = 1;
    b.x = right_side_.data();
    b.xtype = CHOLMOD_REAL;
    b.dtype = CHOLMOD_DOUBLE;
    // solve2 keeps its solution and work vectors from call to call.
    if (!cholmod_solve2(CHOLMOD_A, factor_, &b, nullptr, &solution_, nullptr, &work_y_, &work_e_,
                        &workspace_))
      throw MachineError("CHOLMOD ran out of memory");
    const double* x = static_cast<const double*>(solution_->x);
    solution.resize(size_);
    for (Index i = 0; i < size_; ++i) solution[permutation_[static_cast<std::size_t>(i)]] = x[i];
    return {};
  }

 private:
  static constexpr Index none = -1;

  cholmod_sparse matrix(double* values) { return view(size_, start_, rows_, values, 1); }

  /// Orders the pattern and lays it out permuted, as the upper triangle that CHOLMOD factors without a copy.
  void permute(const SymmetricMatrix& pattern) {
    const Index* outer = pattern.outerIndexPtr();
    const Index* inner = pattern.innerIndexPtr();
    std::vector<Index> start(outer, outer + size_ + 1), rows(inner, inner + pattern.nonZeros());
    cholmod_sparse lower = view(size_, start, rows, nullptr, -1);
    permutation_.resize(static_cast<std::size_t>(size_));
    if (!cholmod_metis(&lower, nullptr, 0, true, permutation_.data(), &workspace_))
      throw MachineError("CHOLMOD could not order the matrix with METIS");

    std::vector<Index> position(permutation_.size());
    for (Index i = 0; i < size_; ++i)
      position[static_cast<std::size_t>(permutation_[static_cast<std::size_t>(i)])] = i;
    struct Entry {
      Index row, column;
      std::size_t source;
    };
    std::vector<Entry> entries;
    entries.reserve(rows.size());
    for (Index column = 0; column < size_; ++column)
      for (Index j = outer[column]; j < outer[column + 1]; ++j) {
        const auto [low, high] = std::minmax(
            {position[static_cast<std::size_t>(inner[j])], position[static_cast<std::size_t>(column)]});
        entries.push_back({low, high, static_cast<std::size_t>(j)});
      }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
      return a.column != b.column ? a.column < b.column : a.row < b.row;
    });
    start_.assign(static_cast<std::size_t>(size_) + 1, 0);
    rows_.resize(entries.size());
    slot_.resize(entries.size());
    values_.assign(entries.size(), 0.0);
    for (std::size_t slot = 0; slot < entries.size(); ++slot) {
      rows_[slot] = entries[slot].row;
      slot_[entries[slot].source] = slot;
      ++start_[static_cast<std::size_t>(entries[slot].column) + 1];
    }
    for (std::size_t column = 0; column < static_cast<std::size_t>(size_); ++column)
      start_[column + 1] += start_[column];
  }

  /// A simplicial LDLᵀ goes through indefinite matrices without complaint, and both kinds through NaN: the
  /// diagonal of the factor must be looked at.
  Index bad_pivot() const {
    const double* values = static_cast<const double*>(factor_->x);
    if (!factor_->is_super) {
      const Index* start = static_cast<const Index*>(factor_->p);
      for (Index j = 0; j < size_; ++j)
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

  double supernodal_size_;
  Index size_ = 0;
  Workspace workspace_;
  std::vector<Index> permutation_;   // position in the factor → unknown
  std::vector<Index> start_, rows_;  // permuted upper triangle
  std::vector<std::size_t> slot_;    // value of the caller's lower triangle → value of the permuted one
  std::vector<double> values_;
  Vector right_side_;
  cholmod_factor* factor_ = nullptr;
  cholmod_dense *solution_ = nullptr, *work_y_ = nullptr, *work_e_ = nullptr;
};

}  // namespace

LinearSolverEntry cholmod() {
  LinearSolverEntry entry;
  entry.name = "cholmod";
  entry.summary = "sparse Cholesky (SuiteSparse), METIS order, symbolic factor kept";
  entry.parameters = {
      number("supernodal_size", "1", 40000, 0, 1e12,
             "from this many unknowns on the factorization is supernodal, below it simplicial")};
  entry.make = [](const Parameters& parameters) -> std::unique_ptr<LinearSolver> {
    return std::make_unique<Cholmod>(parameters);
  };
  return entry;
}

}  // namespace shoal
