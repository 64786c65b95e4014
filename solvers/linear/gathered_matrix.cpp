#include "solvers/linear/gathered_matrix.hpp"

#include <algorithm>

namespace shoal {
namespace {

/// Calls visit(column, entry) for the entries of own columns.
template <class Visit>
void visit_own(const SymmetricMatrix& matrix, const Range& own, const Visit& visit) {
  for (Index column = own.begin; column < own.begin + own.count; ++column)
    for (Index entry = matrix.outerIndexPtr()[column]; entry < matrix.outerIndexPtr()[column + 1]; ++entry)
      visit(column, entry);
}

}  // namespace

/// An entry is given by the owner of its column.
const SymmetricMatrix& GatheredMatrix::analyze(const SymmetricMatrix& pattern) {
  if (!mesh_.part) return pattern;
  std::vector<double> pairs;
  visit_own(pattern, own_, [&](Index column, Index entry) {
    const auto [low, high] = std::minmax(number_[column], number_[pattern.innerIndexPtr()[entry]]);
    pairs.push_back(high);
    pairs.push_back(low);
  });
  pairs = ranks_of(mesh_).gather(pairs);
  const Index size = total(mesh_, own_.count);
  if (!is_here()) return whole_;
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (std::size_t i = 0; i < pairs.size(); i += 2)
    entries.emplace_back(static_cast<Index>(pairs[i]), static_cast<Index>(pairs[i + 1]), 1);
  whole_.resize(size, size);
  whole_.setFromTriplets(entries.begin(), entries.end());
  place_.clear();
  for (const auto& entry : entries) {
    const Index* begin = whole_.innerIndexPtr() + whole_.outerIndexPtr()[entry.col()];
    const Index* end = whole_.innerIndexPtr() + whole_.outerIndexPtr()[entry.col() + 1];
    place_.push_back(static_cast<Index>(std::lower_bound(begin, end, entry.row()) - whole_.innerIndexPtr()));
  }
  return whole_;
}

const SymmetricMatrix& GatheredMatrix::gather(const SymmetricMatrix& matrix) {
  if (!mesh_.part) return matrix;
  std::vector<double> values;
  visit_own(matrix, own_, [&](Index, Index entry) { values.push_back(matrix.valuePtr()[entry]); });
  values = ranks_of(mesh_).gather(values);
  for (std::size_t i = 0; i < values.size(); ++i)
    whole_.valuePtr()[place_[static_cast<Index>(i)]] = values[i];
  return whole_;
}

}  // namespace shoal
