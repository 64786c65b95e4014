// Linear solvers of PETSc behind Shoal's interface.
//
// Debian 12: libpetsc-real-dev 3.18.5+dfsg1-1, with hypre 2.26.0 and Open MPI 4.1.4. The version in library_versions of a results
// file is the one that pkg-config reported when the program was configured.
#include "discretizations/common/array.hpp"
#include "discretizations/common/error.hpp"
#include "solvers/linear/residual.hpp"
#include "solvers/petsc/library.hpp"
#include "solvers/petsc/module.hpp"

#include <fmt/format.h>
#include <petscksp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace shoal {
namespace {

SettingError mistake(const std::string& complaint) {
  return {"options", "parameter 'options': " + complaint};
}

/// The options of one solver in PETSc's global table, under its own prefix: objects created inside multigrid read no other table.
class Options {
 public:
  explicit Options(const std::vector<PetscOption>& given) : given_(given) {
    static int solvers = 0;
    prefix_ = fmt::format("shoal{}_", ++solvers);
    for (const auto& [name, value] : given_)
      check(PetscOptionsSetValue(nullptr, ("-" + prefix_ + name).c_str(),
                                 value.empty() ? nullptr : value.c_str()));
  }
  ~Options() {
    for (const auto& option : given_) PetscOptionsClearValue(nullptr, ("-" + prefix_ + option.name).c_str());
  }
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  const char* prefix() const { return prefix_.c_str(); }
  bool has(const std::string& name) const {
    return std::any_of(given_.begin(), given_.end(),
                       [&](const PetscOption& option) { return option.name == name; });
  }
  /// A message of PETSc with the option names as given by the user.
  std::string without_prefix(std::string message) const {
    for (std::size_t at = 0; (at = message.find(prefix_, at)) != std::string::npos;)
      message.erase(at, prefix_.size());
    return message;
  }

  /// Throws Error if PETSc has not queried an option so far.
  void require_all_used() const {
    for (const auto& option : given_) {
      PetscBool used = PETSC_FALSE;
      check(PetscOptionsUsed(nullptr, (prefix_ + option.name).c_str(), &used));
      if (!used)
        throw mistake(
            fmt::format("PETSc does not use '-{}' with this method and preconditioner", option.name));
    }
  }

 private:
  std::string prefix_;
  std::vector<PetscOption> given_;
};

/// A PETSc vector that uses memory of Shoal.
class View {
 public:
  View() = default;
  ~View() { VecDestroy(&vector_); }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  void resize(Eigen::Index size) {
    check(VecDestroy(&vector_));
    check(VecCreateSeqWithArray(PETSC_COMM_SELF, 1, static_cast<PetscInt>(size), nullptr, &vector_));
  }
  /// PETSc's interface has no const data, but right sides are not modified.
  void place(const Vector& values) { check(VecPlaceArray(vector_, const_cast<double*>(values.data()))); }
  void reset() { check(VecResetArray(vector_)); }
  operator Vec() const { return vector_; }

 private:
  Vec vector_ = nullptr;
};

class Petsc final : public LinearSolver {
 public:
  explicit Petsc(const PetscSettings& settings) : settings_(settings), options_(settings.options) {}
  ~Petsc() override { release(); }

  /// Solves a small system like that of a surface once. PETSc reads options and values during setup, so a wrong one is detected
  /// here, in an object that releases everything PETSc has allocated so far.
  void try_out() {
    constexpr Index side = 12;
    SymmetricMatrix matrix(side * side, side * side);
    std::vector<Eigen::Triplet<double, Index>> entries;
    for (Index i = 0; i < side * side; ++i) {
      entries.emplace_back(i, i, 5);
      if ((i + 1) % side != 0) entries.emplace_back(i + 1, i, -1);
      if (i + side < side * side) entries.emplace_back(i + side, i, -1);
    }
    matrix.setFromTriplets(entries.begin(), entries.end());
    StageClock unused;
    analyze(matrix);
    Vector solution;
    for (const SolverReport& report :
         {factorize(matrix, unused), solve(Vector::Ones(side * side), solution, unused)})
      if (!report.ok && !settings_.options.empty())
        throw mistake("a well-conditioned test system is not solved: " + report.reason);
    options_.require_all_used();
  }

  void analyze(const SymmetricMatrix& pattern) override {
    try {
      create(pattern);
    } catch (const PetscFailure& failed) {
      throw mistake("PETSc says: " + options_.without_prefix(failed.text));
    }
  }

  SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) override {
    const auto stage = clock.measure(Stage::factorization);
    source_ = &matrix;
    SolverReport report = inspect(matrix);
    if (report.ok) report = refresh(matrix);
    report.factorizations = 1;
    return report;
  }

  SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) override {
    const auto stage = clock.measure(Stage::solve);
    if (!settings_.warm_start || solution.size() != right_side.size()) solution.setZero(right_side.size());
    const double scale = right_side.norm();
    if (!std::isfinite(scale)) return failure("the right-hand side is not finite");
    if (scale == 0) {
      solution.setZero();
      SolverReport report;
      report.residual = 0;
      return report;
    }
    try {
      return iterate(right_side, scale, solution);
    } catch (const PetscFailure& failed) {
      reset_views();
      return failure("PETSc says: " + failed.text);
    }
  }

 private:
  void create(const SymmetricMatrix& pattern) {
    release();
    const Index size = static_cast<Index>(pattern.cols());
    lay_out(pattern);
    check(MatCreateSeqAIJWithArrays(PETSC_COMM_SELF, size, size, start_.data(), columns_.data(),
                                    values_.data(), &matrix_));
    check(MatSetOption(matrix_, MAT_SPD, PETSC_TRUE));
    check(KSPCreate(PETSC_COMM_SELF, &method_));
    check(KSPSetOptionsPrefix(method_, options_.prefix()));
    check(KSPSetOperators(method_, matrix_, matrix_));
    check(KSPSetType(method_, KSPCG));
    if (!options_.has("ksp_type"))
      check(KSPSetNormType(method_, KSP_NORM_UNPRECONDITIONED));  // not supported by all methods
    check(KSPSetTolerances(method_, settings_.tolerance, 0, PETSC_DEFAULT, settings_.max_iterations));
    PC preconditioner = nullptr;
    check(KSPGetPC(method_, &preconditioner));
    check(PCSetType(preconditioner, settings_.preconditioner.c_str()));
    check(KSPSetFromOptions(method_));
    PetscBool once = PETSC_FALSE;
    check(PetscObjectTypeCompareAny(reinterpret_cast<PetscObject>(method_), &once, KSPPREONLY, KSPNONE, ""));
    once_ = once == PETSC_TRUE;
    right_side_.resize(size);
    solution_.resize(size);
  }

  /// The whole matrix by rows, and the positions of each value of the lower triangle.
  void lay_out(const SymmetricMatrix& pattern) {
    const Index size = static_cast<Index>(pattern.cols());
    const Index* outer = pattern.outerIndexPtr();
    const Index* inner = pattern.innerIndexPtr();
    start_.assign(size + 1, 0);
    for (Index column = 0; column < size; ++column)
      for (Index entry = outer[column]; entry < outer[column + 1]; ++entry) {
        ++start_[inner[entry] + 1];
        if (inner[entry] != column) ++start_[column + 1];
      }
    for (Index i = 0; i < size; ++i) start_[i + 1] += start_[i];
    columns_.resize(start_.back());
    values_.assign(columns_.size(), 0.0);
    slots_.resize(static_cast<Index>(pattern.nonZeros()));
    // Row i receives its columns below i in ascending order before column i lists those above.
    Array<PetscInt> next(start_.begin(), start_.end() - 1);
    for (Index column = 0; column < size; ++column)
      for (Index entry = outer[column]; entry < outer[column + 1]; ++entry) {
        auto& [below, above] = slots_[entry];
        below = above = next[inner[entry]]++;
        columns_[below] = column;
        if (inner[entry] == column) continue;
        above = next[column]++;
        columns_[above] = inner[entry];
      }
  }

  SolverReport refresh(const SymmetricMatrix& matrix) {
    try {
      PetscScalar* values = nullptr;
      check(MatSeqAIJGetArray(matrix_, &values));
      for (Index entry = 0; entry < slots_.size(); ++entry)
        values[slots_[entry].below] = values[slots_[entry].above] = matrix.valuePtr()[entry];
      check(MatSeqAIJRestoreArray(matrix_, &values));  // tells PETSc that the values have changed
      check(KSPSetOperators(method_, matrix_, matrix_));
      check(KSPSetUp(method_));
      PC preconditioner = nullptr;
      PCFailedReason reason = PC_NOERROR;
      check(KSPGetPC(method_, &preconditioner));
      check(PCGetFailedReason(preconditioner, &reason));
      if (reason != PC_NOERROR) return failure("PETSc could not set up the preconditioner of this matrix");
    } catch (const PetscFailure& failed) {
      return failure("PETSc says: " + failed.text);
    }
    return {};
  }

  /// Iterates until the true residual is small enough. Restarts if the method's own residual deviates from it, with a smaller
  /// tolerance if the method uses another norm, such as a preconditioned one.
  SolverReport iterate(const Vector& right_side, double scale, Vector& solution) {
    PetscReal tolerance = 0;
    check(KSPGetTolerances(method_, &tolerance, nullptr, nullptr, nullptr));
    SolverReport report;
    double before = std::numeric_limits<double>::infinity(), own_tolerance = tolerance;
    const auto set_tolerance = [&](double value) {
      check(KSPSetTolerances(method_, value, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));  // the rest stays
    };
    while (true) {
      set_tolerance(own_tolerance);
      check(KSPSetInitialGuessNonzero(method_, once_ || solution.isZero(0) ? PETSC_FALSE : PETSC_TRUE));
      right_side_.place(right_side);
      solution_.place(solution);
      check(KSPSolve(method_, right_side_, solution_));
      reset_views();
      set_tolerance(tolerance);
      PetscInt iterations = 0;
      KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
      check(KSPGetIterationNumber(method_, &iterations));
      check(KSPGetConvergedReason(method_, &reason));
      report.iterations += static_cast<int>(iterations);
      report.residual = relative_residual(*source_, right_side, solution, work_);
      if (report.residual <= tolerance) return report;
      const double residual = report.residual * scale;
      if (reason > 0 && !once_ && (residual < 0.5 * before || iterations == 0) &&
          own_tolerance > min_tolerance) {
        before = residual;
        own_tolerance *= std::clamp(0.5 * tolerance / report.residual, 1e-3, 0.5);
        continue;
      }
      if (residual <= round_off(*source_, right_side, solution)) return report;
      report.ok = false;
      report.reason = fmt::format("PETSc {} (after {} iterations, residual {:.3g}, tolerance {:.3g})",
                                  describe(reason), report.iterations, report.residual, tolerance);
      return report;
    }
  }

  const char* describe(KSPConvergedReason reason) const {
    if (reason > 0) return once_ ? "applied the preconditioner only once, as preonly does" : "stalled";
    if (reason == KSP_DIVERGED_ITS) return "did not converge";
    if (reason == KSP_DIVERGED_INDEFINITE_MAT) return "found the matrix not positive definite";
    if (reason == KSP_DIVERGED_INDEFINITE_PC) return "found the preconditioner not positive definite";
    if (reason == KSP_DIVERGED_NANORINF) return "produced a number that is not finite";
    return KSPConvergedReasons[reason];
  }

  void reset_views() {
    right_side_.reset();
    solution_.reset();
  }

  void release() {
    KSPDestroy(&method_);
    MatDestroy(&matrix_);
  }

  struct Slots {
    PetscInt below, above;  ///< positions below and above the diagonal; equal on it
  };

  PetscSettings settings_;
  Options options_;
  Array<PetscInt> start_, columns_;
  Array<PetscScalar> values_;
  Array<Slots> slots_;
  const SymmetricMatrix* source_ = nullptr;
  Mat matrix_ = nullptr;
  KSP method_ = nullptr;
  static constexpr double min_tolerance = 1e-20;  // far below the requirement of any norm
  bool once_ = false;  ///< preonly: the method of direct solvers, without initial guess
  View right_side_, solution_;
  Vector work_;
};

}  // namespace
}  // namespace shoal

extern "C" std::unique_ptr<shoal::LinearSolver> shoal_make_petsc_solver(
    const shoal::PetscSettings& settings) {
  shoal::require_library();
  auto solver = std::make_unique<shoal::Petsc>(settings);
  solver->try_out();
  return solver;
}
