// Solvers for the symmetric positive definite systems diag(m) + c·K of the implicit integrators.
#pragma once

#include "discretizations/common/parameters.hpp"
#include "discretizations/common/symmetric_matrix.hpp"
#include "solvers/archive.hpp"
#include "solvers/stage_clock.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace shoal {

/// The outcome of one factorization or solve. A matrix that is not positive definite, a NaN and an iteration
/// that does not converge are data.
struct SolverReport {
  bool ok = true;
  std::string reason;  ///< e.g. "the matrix is not positive definite (unknown 17 of 2562)"
  int iterations = 0;
  /// ‖b − Ax‖/‖b‖ as measured at the end, 0 for b = 0; NaN where it was not measured.
  double residual = std::numeric_limits<double>::quiet_NaN();
  int factorizations = 0;  ///< factors, complete or not, and preconditioners that were set up
};

/// One linear system, solved again and again while its values change and its pattern does not. Solvers put
/// their time into the stages `factorization` (all that depends on the matrix alone) and `solve`.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// Symbolic analysis of the pattern; kept until called again.
  virtual void analyze(const SymmetricMatrix& pattern) = 0;
  /// Takes the values of A. `matrix` must stay as it is until the last solve() with it.
  virtual SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) = 0;
  /// A x = b. An iteration starts from the incoming `solution` where the parameter `start` is warm and the
  /// size fits. A solution that is not ok may hold anything.
  virtual SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) = 0;

  /// Everything that later solves depend on besides the matrices to come; for most solvers nothing.
  virtual void save(Archive& /*archive*/) const {}
  /// `pattern` is that of the last analysis.
  virtual void restore(const Archive& /*archive*/, const SymmetricMatrix& /*pattern*/) {}
};

/// The guarantees of a solver. The conformance tests check each one, with default parameters.
struct SolverClaims {
  /// Backward stable: ‖b − Ax‖ ≤ 100 ε (‖A‖‖x‖ + ‖b‖) for any condition. Otherwise an iteration that stops at
  /// ‖b − Ax‖ ≤ tolerance · ‖b‖, its parameter, or where only that round-off is left, and reports where it
  /// does not get there.
  bool direct = false;
  /// The same bits from run to run and for any number of threads.
  bool same_bits = true;
  /// No memory is allocated between analyses, but by the first factorization and solve. With default
  /// parameters.
  bool allocation_free = true;
};

struct LinearSolverEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  SolverClaims claims;
  std::function<std::unique_ptr<LinearSolver>(const Parameters&)> make;
};

// Direct solvers that other parts use.
LinearSolverEntry cholmod();
LinearSolverEntry multifrontal();

}  // namespace shoal
