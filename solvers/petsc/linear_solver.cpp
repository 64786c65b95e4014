// Linear solvers of PETSc behind Shoal's interface, for one process or for all.
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
  void resize(MPI_Comm processes, Index size) {
    check(VecDestroy(&vector_));
    check(VecCreateMPIWithArray(processes, 1, size, PETSC_DETERMINE, nullptr, &vector_));
  }
  /// PETSc's interface has no const data, but right sides are not modified.
  void place(const double* values) { check(VecPlaceArray(vector_, const_cast<double*>(values))); }
  void reset() { check(VecResetArray(vector_)); }
  operator Vec() const { return vector_; }

 private:
  Vec vector_ = nullptr;
};

/// The rows of a matrix that this process has.
struct OwnRows {
  MPI_Comm processes = PETSC_COMM_SELF;
  Range own{};               ///< of the unknowns here; by default all
  Array<PetscInt> number{};  ///< in the matrix of all processes; by default that of the unknown
};

class Petsc final : public LinearSolver {
 public:
  explicit Petsc(const PetscSettings& settings, OwnRows rows = {})
      : settings_(settings), options_(settings.options), rows_(std::move(rows)) {}
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
    SolverReport report = inspect(matrix, rows_.own);
    int bad = report.ok ? 0 : 1;
    MPI_Allreduce(MPI_IN_PLACE, &bad, 1, MPI_INT, MPI_MAX, rows_.processes);
    if (bad && report.ok) report = failure("the matrix is not positive definite");
    if (report.ok) report = refresh(matrix);
    report.factorizations = 1;
    return report;
  }

  SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) override {
    const auto stage = clock.measure(Stage::solve);
    if (!settings_.warm_start || solution.size() != right_side.size()) solution.setZero(right_side.size());
    try {
      const double scale = norm(right_side.data() + rows_.own.begin);
      if (!std::isfinite(scale)) return failure("the right-hand side is not finite");
      if (scale == 0) {
        solution.setZero();
        SolverReport report;
        report.residual = 0;
        return report;
      }
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
    if (rows_.processes == PETSC_COMM_SELF) {
      rows_.own = {0, size};
      rows_.number.resize(size);
      for (Index i = 0; i < size; ++i) rows_.number[i] = i;
    }
    check(MatCreate(rows_.processes, &matrix_));
    check(MatSetSizes(matrix_, rows_.own.count, rows_.own.count, PETSC_DETERMINE, PETSC_DETERMINE));
    check(MatSetType(matrix_, MATAIJ));
    lay_out(pattern);
    check(MatSetOption(matrix_, MAT_SPD, PETSC_TRUE));
    check(KSPCreate(rows_.processes, &method_));
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
    for (View* view : {&right_side_, &solution_, &residual_}) view->resize(rows_.processes, rows_.own.count);
    at_rows_.resize(rows_.own.count);
  }

  /// Each entry of the lower triangle, and off the diagonal its mirror image, in the own rows.
  void lay_out(const SymmetricMatrix& pattern) {
    Array<PetscInt> rows, columns;
    entries_.clear();
    const auto add = [&](Index row, Index column, Index entry) {
      if (!rows_.own.has(row)) return;
      rows.push_back(rows_.number[row]);
      columns.push_back(rows_.number[column]);
      entries_.push_back(entry);
    };
    for (Index column = 0; column < pattern.cols(); ++column)
      for (Index entry = pattern.outerIndexPtr()[column]; entry < pattern.outerIndexPtr()[column + 1];
           ++entry) {
        const Index row = pattern.innerIndexPtr()[entry];
        add(row, column, entry);
        if (row != column) add(column, row, entry);
      }
    values_.resize(entries_.size());
    check(MatSetPreallocationCOO(matrix_, entries_.size(), rows.data(), columns.data()));
  }

  SolverReport refresh(const SymmetricMatrix& matrix) {
    try {
      for (Index i = 0; i < entries_.size(); ++i) values_[i] = matrix.valuePtr()[entries_[i]];
      check(MatSetValuesCOO(matrix_, values_.data(), INSERT_VALUES));
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
      check(KSPSetInitialGuessNonzero(
          method_, once_ || norm(solution.data() + rows_.own.begin) == 0 ? PETSC_FALSE : PETSC_TRUE));
      right_side_.place(right_side.data() + rows_.own.begin);
      solution_.place(solution.data() + rows_.own.begin);
      check(KSPSolve(method_, right_side_, solution_));
      reset_views();
      set_tolerance(tolerance);
      PetscInt iterations = 0;
      KSPConvergedReason reason = KSP_CONVERGED_ITERATING;
      check(KSPGetIterationNumber(method_, &iterations));
      check(KSPGetConvergedReason(method_, &reason));
      report.iterations += static_cast<int>(iterations);
      report.residual = residual_norm(right_side, solution) / scale;
      if (report.residual <= tolerance) return report;
      const double residual = report.residual * scale;
      if (reason > 0 && !once_ && (residual < 0.5 * before || iterations == 0) &&
          own_tolerance > min_tolerance) {
        before = residual;
        own_tolerance *= std::clamp(0.5 * tolerance / report.residual, 1e-3, 0.5);
        continue;
      }
      if (residual <= round_off(norm_of_matrix(), scale, norm(solution.data() + rows_.own.begin)))
        return report;
      report.ok = false;
      report.reason = fmt::format("PETSc {} (after {} iterations, residual {:.3g}, tolerance {:.3g})",
                                  describe(reason), report.iterations, report.residual, tolerance);
      return report;
    }
  }

  double norm_of_matrix() const {
    PetscReal norm = 0;
    check(MatNorm(matrix_, NORM_FROBENIUS, &norm));
    return norm;
  }

  /// Of the own values.
  double norm(const double* values) {
    PetscReal norm = 0;
    residual_.place(values);
    const PetscErrorCode code = VecNorm(residual_, NORM_2, &norm);
    residual_.reset();
    check(code);
    return norm;
  }

  double residual_norm(const Vector& right_side, const Vector& solution) {
    right_side_.place(right_side.data() + rows_.own.begin);
    solution_.place(solution.data() + rows_.own.begin);
    residual_.place(at_rows_.data());
    PetscReal norm = 0;
    check(MatResidual(matrix_, right_side_, solution_, residual_));
    check(VecNorm(residual_, NORM_2, &norm));
    reset_views();
    residual_.reset();
    return norm;
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

  PetscSettings settings_;
  Options options_;
  OwnRows rows_;
  Array<Index> entries_;  // of the pattern, for each value of the matrix
  Array<PetscScalar> values_;
  Mat matrix_ = nullptr;
  KSP method_ = nullptr;
  static constexpr double min_tolerance = 1e-20;  // far below the requirement of any norm
  bool once_ = false;  ///< preonly: the method of direct solvers, without initial guess
  View right_side_, solution_, residual_;
  Vector at_rows_;
};

}  // namespace
}  // namespace shoal

extern "C" std::unique_ptr<shoal::LinearSolver> shoal_make_petsc_solver(const shoal::PetscSettings& settings,
                                                                        const shoal::SharedRows* rows) {
  using namespace shoal;
  require_library();
  auto solver = std::make_unique<Petsc>(settings);
  solver->try_out();
  if (!rows) return solver;
  const MPI_Comm processes = processes_of(rows->ranks);
  if (processes == MPI_COMM_NULL) return nullptr;
  PetscSettings shared = settings;
  if (shared.preconditioner == "icc") {  // for one process; of each the own block
    shared.preconditioner = PCBJACOBI;
    shared.options.insert(shared.options.begin(), {"sub_pc_type", "icc"});
  }
  return std::make_unique<Petsc>(shared,
                                 OwnRows{processes, rows->own, {rows->number.begin(), rows->number.end()}});
}
