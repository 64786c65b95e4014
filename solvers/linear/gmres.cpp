#include "solvers/linear/gmres.hpp"

#include "solvers/linear/residual.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {

Options<GmresOptions> GmresOptions::describe() {
  using O = GmresOptions;
  return Options<O>()
      .number("tolerance", "1", &O::tolerance, 1e-12, 0.1,
              "largest residual of the linear equations, relative to the right-hand side, in the norm of the "
              "energy")
      .whole_number("restart", "1", &O::restart, 2, 1000, "products between restarts of the iteration")
      .whole_number("max_iterations", "1", &O::max_iterations, 1, 1000000,
                    "most products with the matrix per solve");
}

SolverReport Gmres::solve(const Product& a, const Vector& scale, const Vector& weight, const Vector& b,
                          Vector& x) {
  const int m = options_.restart;
  basis_.resize(m + 1);
  hessenberg_.resize(m + 1, m);
  for (Vector* v : {&cosine_, &sine_, &reduced_}) v->resize(m + 1);
  SolverReport report;
  const double norm_b = std::sqrt(unknowns_.dot(b, b, weight)), target = options_.tolerance * norm_b;
  const auto fail = [&](const char* reason) {
    report.ok = false;
    report.reason = fmt::format("{} (after {} products, residual {:.3g}, tolerance {:.3g})", reason,
                                report.iterations, report.residual, options_.tolerance);
    return report;
  };
  if (!std::isfinite(norm_b)) return failure("the right-hand side is not finite");
  double before = std::numeric_limits<double>::infinity();
  while (true) {
    unknowns_.renew(x);
    a(x, image_);
    residual_ = b - image_;
    const double norm = std::sqrt(unknowns_.dot(residual_, residual_, weight));
    report.residual = norm_b > 0 ? norm / norm_b : 0;
    if (norm <= target) return report;
    if (!std::isfinite(norm)) return fail("the iteration produced a number that is not finite");
    if (report.iterations >= options_.max_iterations) return fail("the iteration did not converge");
    if (!(norm < 0.9 * before)) return fail("the iteration stalled");
    before = norm;

    basis_[0] = residual_ / norm;
    reduced_.setZero();
    reduced_[0] = norm;
    int size = 0;
    while (size < m && std::abs(reduced_[size]) > target && report.iterations < options_.max_iterations) {
      direction_ = scale.cwiseProduct(basis_[size]);
      unknowns_.renew(direction_);
      Vector& next = basis_[size + 1];
      a(direction_, next);
      ++report.iterations;
      // Gram–Schmidt: the next product after each subtraction, and at last the square of what is left.
      const auto product_after = [&](int i, const Vector& other) {
        return unknowns_.sums_after(
            next.size(),
            [&](const Range& range) {
              if (i >= 0)
                next.segment(range.begin, range.count) -=
                    hessenberg_(i, size) * basis_[i].segment(range.begin, range.count);
            },
            [a = next.data(), b = other.data(), w = weight.data()](Eigen::Index k) {
              return a[k] * b[k] * w[k];
            })[0];
      };
      for (int i = 0; i <= size; ++i) hessenberg_(i, size) = product_after(i - 1, basis_[i]);
      const double length = std::sqrt(product_after(size, next));
      if (length > 0) next /= length;
      // Rotate the new column to the triangle of the others.
      for (int i = 0; i < size; ++i) {
        const double upper = hessenberg_(i, size), lower = hessenberg_(i + 1, size);
        hessenberg_(i, size) = cosine_[i] * upper + sine_[i] * lower;
        hessenberg_(i + 1, size) = cosine_[i] * lower - sine_[i] * upper;
      }
      const double diagonal = std::hypot(hessenberg_(size, size), length);
      cosine_[size] = hessenberg_(size, size) / diagonal;
      sine_[size] = length / diagonal;
      hessenberg_(size, size) = diagonal;
      reduced_[size + 1] = -sine_[size] * reduced_[size];
      reduced_[size] *= cosine_[size];
      ++size;
      if (!(length > 0)) break;
    }
    hessenberg_.topLeftCorner(size, size).triangularView<Eigen::Upper>().solveInPlace(reduced_.head(size));
    for (int i = 0; i < size; ++i) x += reduced_[i] * scale.cwiseProduct(basis_[i]);
  }
}

}  // namespace shoal
