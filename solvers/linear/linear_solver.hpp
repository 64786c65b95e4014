// Solvers for the symmetric positive definite systems diag(m) + c·K of the implicit integrators.
#pragma once

#include "discretizations/common/parameters.hpp"
#include "discretizations/common/symmetric_matrix.hpp"
#include "discretizations/mesh/mesh.hpp"
#include "solvers/archive.hpp"
#include "solvers/stage_clock.hpp"

#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace shoal {

struct Cells;

/// The outcome of one factorization or solve. Failures (a matrix that is not positive definite, NaN, no convergence) are
/// reported, not thrown.
struct SolverReport {
  bool ok = true;
  std::string reason;  ///< e.g. "the matrix is not positive definite (unknown 17 of 2562)"
  int iterations = 0;
  /// The final ‖b − Ax‖/‖b‖, 0 for b = 0; NaN if not measured.
  double residual = std::numeric_limits<double>::quiet_NaN();
  int factorizations = 0;  ///< complete or incomplete factorizations and preconditioner setups
};

/// Solves a sequence of linear systems with the same pattern. Solvers book their time under the stages `factorization`
/// (work that depends on the matrix only) and `solve`.
class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// Symbolic analysis of the pattern; valid until the next call.
  virtual void analyze(const SymmetricMatrix& pattern) = 0;
  /// Sets the values of A. `matrix` must not change until the last solve() with it.
  virtual SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) = 0;
  /// Solves A x = b. Iterative solvers start from the incoming `solution` if the parameter `start` is warm and the size
  /// matches. If the report is not ok, `solution` is undefined.
  virtual SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) = 0;

  /// Saves the state that later solves depend on, apart from the matrices; none for most solvers.
  virtual void save(Archive& /*archive*/) const {}
  /// `pattern` is the pattern of the last analysis.
  virtual void restore(const Archive& /*archive*/, const SymmetricMatrix& /*pattern*/) {}
};

/// The guarantees of a solver. The conformance tests check each of them, with default parameters.
struct SolverClaims {
  /// True: backward stable, ‖b − Ax‖ ≤ 100 ε (‖A‖‖x‖ + ‖b‖) for any condition number. False: iterative; stops at
  /// ‖b − Ax‖ ≤ tolerance · ‖b‖ (a parameter) or at the bound for round-off above, and reports if it reaches neither.
  bool direct = false;
  /// The same bits in every run and for any number of threads.
  bool same_bits = true;
  /// Between analyses, only the first factorization and solve allocate memory (with default parameters).
  bool allocation_free = true;
};

struct LinearSolverEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  SolverClaims claims;
  std::function<std::unique_ptr<LinearSolver>(const Parameters&)> make;
  /// The same for several processes, of which each gives the rows of the cells that it owns, for one unknown per cell of its part of a
  /// surface. Null, or returning null: only for one process. All calls are collective.
  std::function<std::unique_ptr<LinearSolver>(const Parameters&, const Mesh& part, const Cells&)>
      make_shared{};
};

/// A solver for one unknown per cell. If the mesh is a part of a surface and the solver is for one process, rank 0 solves for all.
/// `mesh` must outlive it.
std::unique_ptr<LinearSolver> make_solver(const LinearSolverEntry& entry, const Parameters& parameters,
                                          const Mesh& mesh, const Cells& cells);

// Direct solvers used elsewhere.
LinearSolverEntry cholmod();
LinearSolverEntry multifrontal();

}  // namespace shoal
