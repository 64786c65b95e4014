// Products, residuals, declarations and orderings for the linear solvers.
#include "solvers/linear/common.hpp"

#include "discretizations/common/error.hpp"

#include <cholmod.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {

void multiply(const SymmetricMatrix& a, const Vector& x, Vector& y) {
  const Index size = static_cast<Index>(a.cols());
  const Index* start = a.outerIndexPtr();
  const Index* rows = a.innerIndexPtr();
  const double* values = a.valuePtr();
  y.setZero(size);
  for (Index column = 0; column < size; ++column) {
    Index entry = start[column];
    const double at_column = x[column];
    double sum = values[entry] * at_column;  // the diagonal comes first
    for (++entry; entry < start[column + 1]; ++entry) {
      y[rows[entry]] += values[entry] * at_column;
      sum += values[entry] * x[rows[entry]];
    }
    y[column] += sum;
  }
}

double relative_residual(const SymmetricMatrix& a, const Vector& b, const Vector& x, Vector& work) {
  multiply(a, x, work);
  const double residual = (b - work).norm();
  return residual == 0 ? 0 : residual / b.norm();
}

double round_off(const SymmetricMatrix& a, const Vector& b, const Vector& x) {
  double squares = 0;
  for (Index column = 0; column < a.cols(); ++column) {
    const Index diagonal = a.outerIndexPtr()[column];
    squares += a.valuePtr()[diagonal] * a.valuePtr()[diagonal];
    for (Index entry = diagonal + 1; entry < a.outerIndexPtr()[column + 1]; ++entry)
      squares += 2 * a.valuePtr()[entry] * a.valuePtr()[entry];
  }
  return 100 * std::numeric_limits<double>::epsilon() * (std::sqrt(squares) * x.norm() + b.norm());
}

ParameterInfo measure_residual_parameter() {
  return choice("measure_residual", {"no", "yes"},
                "yes: the residual of each solve is measured and recorded, at the cost of a product");
}

ParameterInfos iteration_parameters() {
  return {
      number("tolerance", "1", 1e-10, 1e-15, 0.1, "the iteration stops at ‖b − Ax‖ ≤ tolerance·‖b‖"),
      number("max_iterations", "1", 2000, 1, 1e9, "iterations after which a solve counts as failed"),
      choice("start", {"cold", "warm"},
             "cold: from zero, which for the increments of our integrators is the depth of the last step; "
             "warm: from the increment of the last step")};
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

std::vector<Index> order(const SymmetricMatrix& pattern, Ordering ordering) {
  const Index size = static_cast<Index>(pattern.rows());
  std::vector<Index> permutation(static_cast<std::size_t>(size));
  std::vector<Index> start(pattern.outerIndexPtr(), pattern.outerIndexPtr() + size + 1);
  std::vector<Index> rows(pattern.innerIndexPtr(), pattern.innerIndexPtr() + pattern.nonZeros());
  cholmod_sparse lower{};
  lower.nrow = lower.ncol = static_cast<std::size_t>(size);
  lower.nzmax = rows.size();
  lower.p = start.data();
  lower.i = rows.data();
  lower.stype = -1;
  lower.itype = CHOLMOD_INT;
  lower.xtype = CHOLMOD_PATTERN;
  lower.dtype = CHOLMOD_DOUBLE;
  lower.sorted = lower.packed = 1;

  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  const bool ok = ordering == Ordering::nested_dissection
                      ? cholmod_metis(&lower, nullptr, 0, true, permutation.data(), &common)
                      : cholmod_amd(&lower, nullptr, 0, permutation.data(), &common);
  cholmod_finish(&common);
  if (!ok) throw MachineError("CHOLMOD could not order the matrix");
  return permutation;
}

void PermutedMatrix::analyze(const SymmetricMatrix& pattern, Ordering ordering) {
  permutation_ = order(pattern, ordering);
  const Index size = static_cast<Index>(pattern.rows());
  const auto count = static_cast<std::size_t>(pattern.nonZeros());
  std::vector<Index> position(permutation_.size());
  for (Index i = 0; i < size; ++i) position[static_cast<std::size_t>(unknown(i))] = i;

  struct Entry {
    Index row, column;
    std::size_t source;
  };
  std::vector<Entry> entries;
  entries.reserve(count);
  const Index* start = pattern.outerIndexPtr();
  const Index* rows = pattern.innerIndexPtr();
  for (Index column = 0; column < size; ++column)
    for (Index j = start[column]; j < start[column + 1]; ++j) {
      const auto [low, high] = std::minmax(
          {position[static_cast<std::size_t>(rows[j])], position[static_cast<std::size_t>(column)]});
      entries.push_back({low, high, static_cast<std::size_t>(j)});
    }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });

  slot_.resize(count);
  upper_ = SymmetricMatrix(size, size);
  upper_.resizeNonZeros(pattern.nonZeros());
  Index* upper_start = upper_.outerIndexPtr();
  std::fill(upper_start, upper_start + size + 1, 0);
  for (std::size_t slot = 0; slot < count; ++slot) {
    upper_.innerIndexPtr()[slot] = entries[slot].row;
    slot_[entries[slot].source] = static_cast<Index>(slot);
    ++upper_start[entries[slot].column + 1];
  }
  for (Index column = 0; column < size; ++column) upper_start[column + 1] += upper_start[column];
}

void PermutedMatrix::refresh(const SymmetricMatrix& matrix) {
  const double* source = matrix.valuePtr();
  double* target = upper_.valuePtr();
  for (std::size_t entry = 0; entry < slot_.size(); ++entry) target[slot_[entry]] = source[entry];
}

void PermutedMatrix::to_positions(const Vector& unknowns, Vector& positions) const {
  positions.resize(size());
  for (Index i = 0; i < size(); ++i) positions[i] = unknowns[unknown(i)];
}

void PermutedMatrix::to_unknowns(const double* positions, Vector& unknowns) const {
  unknowns.resize(size());
  for (Index i = 0; i < size(); ++i) unknowns[unknown(i)] = positions[i];
}

}  // namespace shoal
