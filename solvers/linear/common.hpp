// What the linear solvers share: parameters under the same names, the residual, an ordering.
#pragma once

#include "solvers/linear/linear_solver.hpp"

namespace shoal {

/// y = A x, allocating nothing when y has its size.
void multiply(const SymmetricMatrix& a, const Vector& x, Vector& y);

/// ‖b − Ax‖/‖b‖, 0 where both vanish; `work` is overwritten.
double relative_residual(const SymmetricMatrix& a, const Vector& b, const Vector& x, Vector& work);

/// 100 ε (‖A‖‖x‖ + ‖b‖), Frobenius norm: what round-off may leave of a residual (Higham 2002, ch. 7).
double round_off(const SymmetricMatrix& a, const Vector& b, const Vector& x);

/// "measure_residual": direct solvers spend a product with the matrix on it, so only when asked.
ParameterInfo measure_residual_parameter();
/// "tolerance", "max_iterations" and "start" of iterations.
ParameterInfos iteration_parameters();

/// A report that is not ok.
SolverReport failure(std::string reason);
SolverReport not_positive_definite(Index unknown, Index size);

enum class Ordering { nested_dissection, minimum_degree };
/// position → unknown. METIS nested dissection, postordered, or AMD.
std::vector<Index> order(const SymmetricMatrix& pattern, Ordering ordering);

/// P A Pᵀ as an upper triangle in compressed columns, rows ascending, refreshed in place: factorizations of
/// it neither permute nor copy.
class PermutedMatrix {
 public:
  void analyze(const SymmetricMatrix& pattern, Ordering ordering);
  void refresh(const SymmetricMatrix& matrix);

  SymmetricMatrix& upper() { return upper_; }
  Index size() const { return static_cast<Index>(permutation_.size()); }
  /// The unknown at a position of the permuted system.
  Index unknown(Index position) const { return permutation_[static_cast<std::size_t>(position)]; }
  void to_positions(const Vector& unknowns, Vector& positions) const;
  void to_unknowns(const double* positions, Vector& unknowns) const;

 private:
  std::vector<Index> permutation_;  // position → unknown
  std::vector<Index> slot_;         // value of the caller's lower triangle → value of upper_
  SymmetricMatrix upper_;
};

}  // namespace shoal
