// Products, residuals and reports for the linear solvers.
#pragma once

#include "discretizations/mesh/mesh.hpp"
#include "solvers/linear/linear_solver.hpp"

namespace shoal {

/// y = A x. Allocates nothing if y has the right size.
void multiply(const SymmetricMatrix& a, const Vector& x, Vector& y);

/// ‖b − Ax‖/‖b‖, 0 if both norms vanish; `work` is overwritten.
double relative_residual(const SymmetricMatrix& a, const Vector& b, const Vector& x, Vector& work);

/// 100 ε (‖A‖‖x‖ + ‖b‖) in the Frobenius norm: the residual that round-off may cause (Higham 2002, ch. 7).
double round_off(double norm_of_a, double norm_of_b, double norm_of_x);
/// The part of ‖A‖² of the entries on and below the diagonal, the latter twice.
double squared_norm_of_column(const SymmetricMatrix& a, Index column);

/// A report of a failure.
SolverReport failure(std::string reason);
SolverReport not_positive_definite(Index unknown, Index size);

/// Reports an entry that is not finite or a diagonal entry that is not positive, in these columns, without factorizing the matrix.
SolverReport inspect(const SymmetricMatrix& matrix, Range columns);

}  // namespace shoal
