// The generalised minimal residual method (Saad & Schultz 1986, doi:10.1137/0907058), restarted, with a diagonal
// preconditioner on the right: for matrices without symmetry of which only products are known.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/common/options.hpp"
#include "solvers/linear/unknowns.hpp"

namespace shoal {

struct GmresOptions {
  double tolerance = 1e-6;   ///< relative to ‖b‖
  int restart = 30;          ///< products between restarts
  int max_iterations = 500;  ///< products per solve
  static Options<GmresOptions> describe();
};

class Gmres {
 public:
  /// image = A direction.
  using Product = std::function<void(const Vector& direction, Vector& image)>;

  explicit Gmres(const GmresOptions& options, Unknowns unknowns = {})
      : options_(options), unknowns_(std::move(unknowns)) {}

  /// Solves A x = b from the incoming x, in the norm ‖r‖² = Σ weight r². Stops when the true residual is at most tolerance · ‖b‖.
  /// `scale`: the diagonal of the preconditioner, near that of A⁻¹. Reports NaN, too many iterations and a residual that a
  /// restart does not halve. residual() then is b − Ax. If processes share the unknowns, products, residual() and the new x are complete
  /// for the own ones.
  SolverReport solve(const Product& a, const Vector& scale, const Vector& weight, const Vector& b, Vector& x);
  const Vector& residual() const { return residual_; }

 private:
  GmresOptions options_;
  Unknowns unknowns_;
  Vector residual_, image_, direction_;
  Array<Vector> basis_;
  Eigen::MatrixXd hessenberg_;  // its triangle after the rotations
  Vector cosine_, sine_, reduced_;
};

}  // namespace shoal
