// The iteration, restarted if the recursive residual deviates from the true one.
#include "solvers/linear/conjugate_gradients.hpp"

#include "solvers/linear/residual.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {

ConjugateGradients::End ConjugateGradients::iterate(const SymmetricMatrix& a,
                                                    const Preconditioner& precondition, double target,
                                                    int limit, Vector& x, int& iterations) {
  double old_product = 0;
  for (bool first = true; unknowns_.norm(residual_) > target; first = false) {
    if (iterations == limit) return End::limit;
    ++iterations;
    precondition(residual_, preconditioned_);
    const double product = unknowns_.dot(residual_, preconditioned_);
    if (first)
      direction_ = preconditioned_;
    else
      direction_ = preconditioned_ + product / old_product * direction_;
    old_product = product;
    unknowns_.renew(direction_);
    multiply(a, direction_, image_);
    const double curvature = unknowns_.dot(direction_, image_);
    if (!(curvature > 0 && product > 0)) return End::indefinite;
    const double length = product / curvature;
    x += length * direction_;
    residual_ -= length * image_;
  }
  return End::converged;
}

SolverReport ConjugateGradients::solve(const SymmetricMatrix& a, const Vector& b,
                                       const Preconditioner& precondition, Limits limits, Vector& x) {
  const double scale = unknowns_.norm(b);
  if (!std::isfinite(scale)) return failure("the right-hand side is not finite");
  SolverReport report;
  report.residual = 0;
  if (scale == 0) {
    x.setZero(b.size());
    return report;
  }
  const double target = limits.tolerance * scale;
  double before = std::numeric_limits<double>::infinity();
  while (true) {
    residual_ = b;
    if (unknowns_.dot(x, x) != 0) {
      unknowns_.renew(x);
      multiply(a, x, image_);
      residual_ -= image_;
    }
    const double norm = unknowns_.norm(residual_);
    report.residual = norm / scale;
    if (norm <= target) return report;
    const auto fail = [&](const std::string& reason) {
      report.ok = false;
      report.reason = fmt::format("{} (after {} iterations, residual {:.3g}, tolerance {:.3g})", reason,
                                  report.iterations, report.residual, limits.tolerance);
      return report;
    };
    if (!std::isfinite(norm)) return fail("conjugate gradients produced a number that is not finite");
    // A restart must reduce the true residual; otherwise only round-off is left.
    const bool out_of_iterations = report.iterations >= limits.max_iterations;
    if (out_of_iterations || !(norm < 0.5 * before)) {
      if (norm <= round_off(unknowns_.norm(a), scale, unknowns_.norm(x))) return report;
      return fail(out_of_iterations ? "conjugate gradients did not converge" : "conjugate gradients stalled");
    }
    before = norm;
    if (iterate(a, precondition, target, limits.max_iterations, x, report.iterations) == End::indefinite)
      return fail("the matrix is not positive definite");
  }
}

}  // namespace shoal
