// Solvers for the symmetric positive definite systems diag(m) + c·K of the implicit integrators.
#pragma once

#include "discretizations/common/parameters.hpp"
#include "discretizations/common/symmetric_matrix.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace shoal {

/// What one factorization or solve came to. A matrix that is not positive definite is data.
struct SolverReport {
  bool ok = true;
  std::string reason;  ///< e.g. "the matrix is not positive definite (unknown 17 of 2562)"
};

class LinearSolver {
 public:
  virtual ~LinearSolver() = default;
  /// Symbolic analysis of the pattern; kept until called again.
  virtual void analyze(const SymmetricMatrix& pattern) = 0;
  virtual SolverReport factorize(const SymmetricMatrix& matrix) = 0;
  virtual SolverReport solve(const Vector& right_side, Vector& solution) = 0;
};

struct LinearSolverEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  std::function<std::unique_ptr<LinearSolver>(const Parameters&)> make;
};

const std::vector<LinearSolverEntry>& linear_solvers();
const LinearSolverEntry& find_linear_solver(const std::string& name);

}  // namespace shoal
