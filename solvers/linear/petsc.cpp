// petsc: a Krylov solver of PETSc's (Balay et al., doi:10.2172/1893326) with any of its preconditioners.
// PETSc is started by the first solver of a process; its options are given as a parameter and as nothing
// else.
#include "discretizations/common/error.hpp"
#include "solvers/linear/common.hpp"
#include "solvers/linear/list.hpp"

#include <fmt/format.h>
#include <petscksp.h>

#include <algorithm>
#include <sstream>

#include <unistd.h>

namespace shoal {
namespace {

static_assert(sizeof(PetscInt) == sizeof(Index) && sizeof(PetscScalar) == sizeof(double));

// A recursion that drifts away from the true residual is started anew from what it has; more often is in
// vain.
constexpr int most_restarts = 3;

std::string message_of(PetscErrorCode code) {
  const char* text = nullptr;
  PetscErrorMessage(code, &text, nullptr);
  return text ? text : fmt::format("error {}", static_cast<int>(code));
}

void require(PetscErrorCode code, const char* what) {
  if (code) throw MachineError(fmt::format("PETSc could not {}: {}", what, message_of(code)));
}

/// PETSc and, behind it, MPI: one process that speaks to nobody. Nothing is read from the command line, the
/// environment or files, and signals stay ours.
class Session {
 public:
  static void begin() { static Session session; }

 private:
  Session() : process_(getpid()) {
    for (const char* name : {"OMPI_MCA_btl", "OMPI_MCA_pml"})  // no network: it is only looked for
      setenv(name, std::string(name) == "OMPI_MCA_btl" ? "self" : "ob1", 0);
    unsetenv("PETSC_OPTIONS");
    require(PetscOptionsSetValue(nullptr, "-no_signal_handler", "true"), "start");
    require(PetscOptionsSetValue(nullptr, "-skip_petscrc", "true"), "start");
    require(PetscInitializeNoArguments(), "start");
    require(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr), "start");  // codes, no printing
  }
  ~Session() {
    if (getpid() == process_) PetscFinalize();  // a forked process leaves MPI to its parent
  }
  pid_t process_;
};

class Petsc final : public LinearSolver {
 public:
  explicit Petsc(const Parameters& parameters)
      : preconditioner_(parameters.text("preconditioner")),
        options_(parameters.text("options")),
        tolerance_(parameters.number("tolerance")),
        max_iterations_(static_cast<int>(parameters.number("max_iterations"))),
        warm_(parameters.text("start") == "warm") {}
  ~Petsc() override { release(); }

  void analyze(const SymmetricMatrix& pattern) override {
    Session::begin();
    release();
    lay_out(pattern);
    const PetscInt n = size_;
    require(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, n, n, start_.data(), column_.data(), value_.data(),
                                      &matrix_),
            "make a matrix");
    require(MatSetOption(matrix_, MAT_SPD, PETSC_TRUE), "make a matrix");
    require(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, nullptr, &right_side_), "make a vector");
    require(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, n, nullptr, &solution_), "make a vector");
    require(KSPCreate(PETSC_COMM_SELF, &solver_), "make a solver");
    require(KSPSetType(solver_, KSPCG), "make a solver");
    if (options_.find("-ksp_type") == std::string::npos)  // other methods may know other norms only
      require(KSPSetNormType(solver_, KSP_NORM_UNPRECONDITIONED), "make a solver");
    require(KSPSetTolerances(solver_, tolerance_, PETSC_DEFAULT, PETSC_DEFAULT, max_iterations_),
            "make a solver");
    PC preconditioner = nullptr;
    require(KSPGetPC(solver_, &preconditioner), "make a solver");
    require(PCSetType(preconditioner, preconditioner_.c_str()), "make a preconditioner");
    apply_options();
  }

  SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) override {
    const auto stage = clock.measure(Stage::factorization);
    source_ = &matrix;
    for (std::size_t slot = 0; slot < slot_.size(); ++slot) {
      const double value = matrix.valuePtr()[slot];
      value_[static_cast<std::size_t>(slot_[slot].lower)] =
          value_[static_cast<std::size_t>(slot_[slot].upper)] = value;
    }
    for (Index i = 0; i < size_; ++i)
      if (!(matrix.valuePtr()[matrix.outerIndexPtr()[i]] > 0)) return not_positive_definite(i, size_);
    SolverReport report = set_up();
    report.factorizations = 1;
    return report;
  }

  SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) override {
    const auto stage = clock.measure(Stage::solve);
    if (!warm_ || solution.size() != right_side.size()) solution.setZero(right_side.size());
    require(VecPlaceArray(right_side_, right_side.data()), "take a vector");
    require(VecPlaceArray(solution_, solution.data()), "take a vector");
    SolverReport report = iterate(right_side, solution);
    require(VecResetArray(right_side_), "give back a vector");
    require(VecResetArray(solution_), "give back a vector");
    return report;
  }

 private:
  /// Both triangles in compressed rows, and where each value of the caller's lower triangle goes.
  void lay_out(const SymmetricMatrix& pattern) {
    size_ = static_cast<Index>(pattern.cols());
    std::vector<std::vector<std::pair<Index, Index>>> rows(
        static_cast<std::size_t>(size_));  // column, source
    for (Index column = 0; column < size_; ++column)
      for (Index s = pattern.outerIndexPtr()[column]; s < pattern.outerIndexPtr()[column + 1]; ++s) {
        const Index row = pattern.innerIndexPtr()[s];
        rows[static_cast<std::size_t>(row)].emplace_back(column, s);
        if (row != column) rows[static_cast<std::size_t>(column)].emplace_back(row, s);
      }
    start_.assign(1, 0);
    column_.clear();
    value_.clear();
    slot_.assign(static_cast<std::size_t>(pattern.nonZeros()), {});
    for (Index row = 0; row < size_; ++row) {
      auto& entries = rows[static_cast<std::size_t>(row)];
      std::sort(entries.begin(), entries.end());
      for (const auto& [column, source] : entries) {
        const auto place = static_cast<Index>(column_.size());
        Slot& slot = slot_[static_cast<std::size_t>(source)];
        if (column <= row) slot.lower = place;
        if (column >= row) slot.upper = place;
        column_.push_back(column);
        // A matrix to try the options on: a graph Laplacian plus one.
        value_.push_back(column == row ? static_cast<double>(entries.size()) : -1.0);
      }
      start_.push_back(static_cast<PetscInt>(column_.size()));
    }
  }

  /// Gives the parameter `options` to this solver alone, by a prefix, and sets it up once on a harmless
  /// matrix, so that an option that nothing reads is found before the run begins.
  void apply_options() {
    static int solvers = 0;
    const std::string prefix = fmt::format("shoal{}_", solvers++);
    require(KSPSetOptionsPrefix(solver_, prefix.c_str()), "take options");
    std::vector<std::string> names;
    std::istringstream words(options_);
    for (std::string word, name; words >> word;) {
      const bool is_name =
          word.size() > 1 && word[0] == '-' && !std::isdigit(static_cast<unsigned char>(word[1]));
      if (is_name) {
        name = word;
        names.push_back(name);
        set_option(prefix, name, nullptr);
      } else if (name.empty()) {
        throw Error(
            fmt::format("parameter 'options': '{}' is not an option of PETSc's, which begin with '-'", word));
      } else {
        set_option(prefix, name, word.c_str());
        name.clear();
      }
    }
    PetscErrorCode code = KSPSetFromOptions(solver_);
    const SolverReport report = code ? failure(message_of(code)) : set_up();
    if (!report.ok)
      throw Error(fmt::format("parameter 'options': PETSc does not take '{}': {}", options_, report.reason));
    for (const std::string& name : names) {
      PetscBool used = PETSC_FALSE;
      require(PetscOptionsUsed(nullptr, (prefix + name.substr(1)).c_str(), &used), "look up an option");
      if (!used)
        throw Error(
            fmt::format("parameter 'options': PETSc has no use for '{}' with the other options", name));
    }
  }

  static void set_option(const std::string& prefix, const std::string& name, const char* value) {
    require(PetscOptionsSetValue(nullptr, ("-" + prefix + name.substr(1)).c_str(), value), "take an option");
  }

  SolverReport set_up() {
    double* values = nullptr;  // our own; giving it back tells PETSc that it has changed
    require(MatSeqAIJGetArray(matrix_, &values), "take values");
    require(MatSeqAIJRestoreArray(matrix_, &values), "take values");
    PetscErrorCode code = KSPSetOperators(solver_, matrix_, matrix_);
    if (!code) code = KSPSetUp(solver_);
    if (!code) code = KSPSetUpOnBlocks(solver_);
    if (code == PETSC_ERR_MEM) throw MachineError("PETSc ran out of memory");
    if (code) return failure(fmt::format("PETSc could not set up the preconditioner: {}", message_of(code)));
    return {};
  }

  SolverReport iterate(const Vector& right_side, const Vector& solution) {
    SolverReport report;
    const double norm = right_side.norm();
    for (int restart = 0; restart <= most_restarts; ++restart) {
      require(KSPSetInitialGuessNonzero(solver_, warm_ || restart > 0 ? PETSC_TRUE : PETSC_FALSE), "start");
      const PetscErrorCode code = KSPSolve(solver_, right_side_, solution_);
      if (code == PETSC_ERR_MEM) throw MachineError("PETSc ran out of memory");
      if (code) return failure(fmt::format("PETSc could not solve the system: {}", message_of(code)));
      PetscInt iterations = 0;
      KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
      require(KSPGetIterationNumber(solver_, &iterations), "count iterations");
      require(KSPGetConvergedReason(solver_, &reason), "tell how the iteration ended");
      report.iterations += static_cast<int>(iterations);
      report.residual = relative_residual(*source_, right_side, solution, work_);
      if (reason < 0) {
        report.ok = false;
        report.reason =
            fmt::format("PETSc's iteration did not converge ({} after {} iterations, residual {:.3g})",
                        KSPConvergedReasons[reason], report.iterations, report.residual);
        return report;
      }
      if (report.residual <= tolerance_ ||
          report.residual * norm <= round_off(*source_, right_side, solution))
        return report;
    }
    report.ok = false;
    report.reason = fmt::format(
        "PETSc's iteration did not converge (it ends at a residual of {:.3g}, the tolerance is {:.3g})",
        report.residual, tolerance_);
    return report;
  }

  void release() {
    if (!solver_) return;
    KSPDestroy(&solver_);
    VecDestroy(&right_side_);
    VecDestroy(&solution_);
    MatDestroy(&matrix_);
  }

  struct Slot {
    Index lower = 0, upper = 0;  // places in value_
  };

  std::string preconditioner_, options_;
  double tolerance_;
  int max_iterations_;
  bool warm_;
  Index size_ = 0;
  std::vector<PetscInt> start_, column_;  // compressed rows of both triangles
  std::vector<double> value_;
  std::vector<Slot> slot_;
  const SymmetricMatrix* source_ = nullptr;
  Vector work_;
  Mat matrix_ = nullptr;
  Vec right_side_ = nullptr, solution_ = nullptr;
  KSP solver_ = nullptr;
};

}  // namespace

LinearSolverEntry petsc() {
  LinearSolverEntry entry;
  entry.name = "petsc";
  entry.summary = "conjugate gradients of PETSc's, or what its options say";
  entry.parameters = iteration_parameters();
  entry.parameters.insert(
      entry.parameters.begin(),
      {choice("preconditioner", {"icc", "jacobi", "sor", "gamg", "hypre"},
              "incomplete Cholesky, the diagonal, symmetric Gauss-Seidel, PETSc's or hypre's algebraic "
              "multigrid"),
       text("options", "", "", "options of PETSc's, e.g. '-ksp_type minres -pc_type gamg'; they come last")});
  entry.claims.allocation_free = false;
  entry.make = [](const Parameters& parameters) -> std::unique_ptr<LinearSolver> {
    return std::make_unique<Petsc>(parameters);
  };
  return entry;
}

}  // namespace shoal
