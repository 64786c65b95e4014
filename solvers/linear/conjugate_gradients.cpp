// The iteration, restarted if the recursive residual deviates from the true one.
#include "solvers/linear/conjugate_gradients.hpp"

#include "solvers/linear/residual.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {

template <class Update>
ConjugateGradients::Residual ConjugateGradients::measure(const Preconditioner& precondition,
                                                         const Update& update) {
  if (precondition.apply) {
    unknowns_.visit_own(residual_.size(), update);
    return {unknowns_.norm(residual_), 0};
  }
  if (preconditioned_.size() != residual_.size()) preconditioned_.setZero(residual_.size());
  const double *r = residual_.data(), *z = preconditioned_.data();
  const auto [square, product] = unknowns_.sums_after(
      residual_.size(),
      [&](const Range& range) {
        update(range);
        const auto own = [&](auto& values) { return values.segment(range.begin, range.count); };
        own(preconditioned_) = own(precondition.inverse_diagonal).cwiseProduct(own(residual_));
      },
      [r](Eigen::Index i) { return r[i] * r[i]; }, [r, z](Eigen::Index i) { return r[i] * z[i]; });
  return {std::sqrt(square), product};
}

ConjugateGradients::End ConjugateGradients::iterate(const SymmetricMatrix& a,
                                                    const Preconditioner& precondition, double target,
                                                    int limit, Vector& x, int& iterations) {
  Residual residual = measure(precondition, [](const Range&) {});
  double old_product = 0;
  for (bool first = true; residual.norm > target; first = false) {
    if (iterations == limit) return End::limit;
    ++iterations;
    if (precondition.apply) {
      precondition.apply(residual_, preconditioned_);
      residual.product = unknowns_.dot(residual_, preconditioned_);
    }
    if (first)
      direction_ = preconditioned_;
    else
      direction_ = preconditioned_ + residual.product / old_product * direction_;
    old_product = residual.product;
    unknowns_.renew(direction_);
    multiply(a, direction_, image_);
    const double curvature = unknowns_.dot(direction_, image_);
    if (!(curvature > 0 && residual.product > 0)) return End::indefinite;
    const double length = residual.product / curvature;
    residual = measure(precondition, [&](const Range& range) {
      const auto own = [&](auto& values) { return values.segment(range.begin, range.count); };
      own(x) += length * own(direction_);
      own(residual_) -= length * own(image_);
    });
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
