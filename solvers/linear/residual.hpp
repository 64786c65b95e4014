// Products, residuals and reports for the linear solvers.
#pragma once

#include "solvers/linear/linear_solver.hpp"

namespace shoal {

/// y = A x, allocating nothing when y has its size.
void multiply(const SymmetricMatrix& a, const Vector& x, Vector& y);

/// ‖b − Ax‖/‖b‖, 0 where both vanish; `work` is overwritten.
double relative_residual(const SymmetricMatrix& a, const Vector& b, const Vector& x, Vector& work);

/// 100 ε (‖A‖‖x‖ + ‖b‖), Frobenius norm: what round-off may leave of a residual (Higham 2002, ch. 7).
double round_off(const SymmetricMatrix& a, const Vector& b, const Vector& x);

/// A report that is not ok.
SolverReport failure(std::string reason);
SolverReport not_positive_definite(Index unknown, Index size);

/// Not ok if an entry is not finite or a diagonal one not positive: what a look at the matrix can tell.
SolverReport inspect(const SymmetricMatrix& matrix);

}  // namespace shoal
