// Orderings by METIS and AMD as included in CHOLMOD, and the permuted matrix.
#include "solvers/linear/ordering.hpp"

#include "discretizations/common/error.hpp"

#include <cholmod.h>

#include <algorithm>

namespace shoal {

Array<Index> order(const SymmetricMatrix& pattern, Ordering ordering) {
  const Index size = static_cast<Index>(pattern.rows());
  Array<Index> permutation(size);
  Array<Index> start(pattern.outerIndexPtr(), pattern.outerIndexPtr() + size + 1);
  Array<Index> rows(pattern.innerIndexPtr(), pattern.innerIndexPtr() + pattern.nonZeros());
  cholmod_sparse lower{};
  lower.nrow = lower.ncol = size;
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
  const Index count = static_cast<Index>(pattern.nonZeros());
  Array<Index> position(permutation_.size());
  for (Index i = 0; i < size; ++i) position[unknown(i)] = i;

  struct Entry {
    Index row, column, source;
  };
  Array<Entry> entries;
  entries.reserve(count);
  const Index* start = pattern.outerIndexPtr();
  const Index* rows = pattern.innerIndexPtr();
  for (Index column = 0; column < size; ++column)
    for (Index j = start[column]; j < start[column + 1]; ++j) {
      const auto [low, high] = std::minmax({position[rows[j]], position[column]});
      entries.push_back({low, high, j});
    }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.column != b.column ? a.column < b.column : a.row < b.row;
  });

  slot_.resize(count);
  upper_ = SymmetricMatrix(size, size);
  upper_.resizeNonZeros(pattern.nonZeros());
  Index* upper_start = upper_.outerIndexPtr();
  std::fill(upper_start, upper_start + size + 1, 0);
  for (Index slot = 0; slot < count; ++slot) {
    upper_.innerIndexPtr()[slot] = entries[slot].row;
    slot_[entries[slot].source] = slot;
    ++upper_start[entries[slot].column + 1];
  }
  for (Index column = 0; column < size; ++column) upper_start[column + 1] += upper_start[column];
}

void PermutedMatrix::refresh(const SymmetricMatrix& matrix) {
  const double* source = matrix.valuePtr();
  double* target = upper_.valuePtr();
  for (Index entry = 0; entry < slot_.size(); ++entry) target[slot_[entry]] = source[entry];
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
