// Preconditioned conjugate gradients (Hestenes & Stiefel 1952, doi:10.6028/jres.049.044).
#pragma once

#include "solvers/linear/unknowns.hpp"

namespace shoal {

class ConjugateGradients {
 public:
  /// direction = M⁻¹ residual: by `apply`, or if that is empty for a diagonal M.
  struct Preconditioner {
    std::function<void(const Vector& residual, Vector& direction)> apply;
    Vector inverse_diagonal{};
  };

  struct Limits {
    double tolerance;    ///< relative to ‖b‖
    int max_iterations;  ///< applications of the preconditioner
  };

  explicit ConjugateGradients(Unknowns unknowns = {}) : unknowns_(std::move(unknowns)) {}
  const Unknowns& unknowns() const { return unknowns_; }

  /// Solves A x = b, starting from the incoming x. Stops when the true (not the recursive) residual ‖b − Ax‖ is at
  /// most tolerance · ‖b‖, or when round-off prevents a further decrease. Reports a direction without positive
  /// curvature, NaN, too many iterations, or a residual that remains above both bounds; x then is the last iterate.
  /// If processes share the unknowns, `a` has the rows of the own ones, and x is complete afterwards. Products are exact sums.
  SolverReport solve(const SymmetricMatrix& a, const Vector& b, const Preconditioner& precondition,
                     Limits limits, Vector& x);

 private:
  enum class End { converged, limit, indefinite };
  /// Of the recursive residual_: ‖r‖, and rᵀ M⁻¹ r if M is diagonal.
  struct Residual {
    double norm, product;
  };
  /// After update(range) for ranges of unknowns that cover all.
  template <class Update>
  Residual measure(const Preconditioner& precondition, const Update& update);
  /// Iterates from x until residual_ is small enough.
  End iterate(const SymmetricMatrix& a, const Preconditioner& precondition, double target, int limit,
              Vector& x, int& iterations);

  Unknowns unknowns_;
  Vector residual_, preconditioned_, direction_, image_;
};

}  // namespace shoal
