// Disjoint sets over 0 … n−1 (union–find with path halving). The smallest member represents a set, so results do not
// depend on the order of joining.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/common/symmetric_matrix.hpp"

#include <algorithm>
#include <numeric>

namespace shoal {

class DisjointSets {
 public:
  explicit DisjointSets(Index count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0); }
  Index find(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(Index a, Index b) {
    const auto [first, second] = std::minmax({find(a), find(b)});
    parent_[second] = first;
  }

 private:
  Array<Index> parent_;
};

/// The sets of unknowns that nonzero entries couple, directly or through other unknowns.
inline DisjointSets coupled_unknowns(const SymmetricMatrix& matrix) {
  DisjointSets sets(static_cast<Index>(matrix.rows()));
  for (Index column = 0; column < matrix.outerSize(); ++column)
    for (SymmetricMatrix::InnerIterator entry(matrix, column); entry; ++entry)
      if (entry.value() != 0) sets.join(static_cast<Index>(entry.row()), column);
  return sets;
}

}  // namespace shoal
