// Products, residuals and reports.
#include "solvers/linear/residual.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {

void multiply(const SymmetricMatrix& a, const Vector& x, Vector& y) {
  const Index size = static_cast<Index>(a.cols());
  const Index* __restrict start = a.outerIndexPtr(), * __restrict rows = a.innerIndexPtr();
  const double* __restrict values = a.valuePtr(), * __restrict in = x.data();
  y.setZero(size);
  double* __restrict out = y.data();
  for (Index column = 0; column < size; ++column) {
    Index entry = start[column];
    const Index end = start[column + 1];
    const double at_column = in[column];
    double sum = values[entry] * at_column;  // the diagonal comes first
    for (++entry; entry < end; ++entry) {
      const Index row = rows[entry];
      const double value = values[entry];
      out[row] += value * at_column;
      sum += value * in[row];
    }
    out[column] += sum;
  }
}

double relative_residual(const SymmetricMatrix& a, const Vector& b, const Vector& x, Vector& work) {
  multiply(a, x, work);
  const double residual = (b - work).norm();
  return residual == 0 ? 0 : residual / b.norm();
}

double squared_norm_of_column(const SymmetricMatrix& a, Index column) {
  const Index diagonal = a.outerIndexPtr()[column];
  double squares = a.valuePtr()[diagonal] * a.valuePtr()[diagonal];
  for (Index entry = diagonal + 1; entry < a.outerIndexPtr()[column + 1]; ++entry)
    squares += 2 * a.valuePtr()[entry] * a.valuePtr()[entry];
  return squares;
}

double round_off(double norm_of_a, double norm_of_b, double norm_of_x) {
  return 100 * std::numeric_limits<double>::epsilon() * (norm_of_a * norm_of_x + norm_of_b);
}

SolverReport failure(std::string reason) {
  SolverReport report;
  report.ok = false;
  report.reason = std::move(reason);
  return report;
}

SolverReport not_positive_definite(Index unknown, Index size) {
  return failure(fmt::format("the matrix is not positive definite (unknown {} of {})", unknown, size));
}

SolverReport inspect(const SymmetricMatrix& matrix, Range columns) {
  const Index size = static_cast<Index>(matrix.cols());
  for (Index column = columns.begin; column < columns.begin + columns.count; ++column) {
    Index entry = matrix.outerIndexPtr()[column];
    bool good = matrix.valuePtr()[entry] > 0;
    for (; entry < matrix.outerIndexPtr()[column + 1]; ++entry)
      good = good && std::isfinite(matrix.valuePtr()[entry]);
    if (!good) return not_positive_definite(column, size);
  }
  return {};
}

}  // namespace shoal
