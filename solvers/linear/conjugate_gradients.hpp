// Preconditioned conjugate gradients (Hestenes & Stiefel 1952, doi:10.6028/jres.049.044).
#pragma once

#include "solvers/linear/linear_solver.hpp"

namespace shoal {

class ConjugateGradients {
 public:
  using Preconditioner = std::function<void(const Vector& residual, Vector& direction)>;

  struct Limits {
    double tolerance;    ///< relative to ‖b‖
    int max_iterations;  ///< applications of the preconditioner
  };

  /// A x = b from the incoming x. Stops where ‖b − Ax‖, the true residual and not the recursive one, is at
  /// most tolerance · ‖b‖, or where round-off does not let it decrease further. Reports, with the current x,
  /// a direction without positive curvature, NaN, the limit of iterations, and a residual that stays above
  /// both.
  SolverReport solve(const SymmetricMatrix& a, const Vector& b, const Preconditioner& precondition,
                     Limits limits, Vector& x);

 private:
  enum class End { converged, limit, indefinite };
  /// Iterates from x until the recursive residual_ is small enough.
  End iterate(const SymmetricMatrix& a, const Preconditioner& precondition, double target, int limit,
              Vector& x, int& iterations);

  Vector residual_, preconditioned_, direction_, image_;
};

}  // namespace shoal
