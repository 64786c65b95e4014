// Orderings against fill, and matrices kept in such an order.
#pragma once

#include "discretizations/common/symmetric_matrix.hpp"

#include <vector>

namespace shoal {

enum class Ordering { nested_dissection, minimum_degree };
/// position → unknown. METIS nested dissection, postordered, or AMD.
std::vector<Index> order(const SymmetricMatrix& pattern, Ordering ordering);

/// P A Pᵀ as an upper triangle in compressed columns, rows ascending, refreshed in place: factorizations of
/// it neither permute nor copy.
class PermutedMatrix {
 public:
  void analyze(const SymmetricMatrix& pattern, Ordering ordering);
  void refresh(const SymmetricMatrix& matrix);

  SymmetricMatrix& upper() { return upper_; }
  Index size() const { return static_cast<Index>(permutation_.size()); }
  /// The unknown at a position of the permuted system.
  Index unknown(Index position) const { return permutation_[static_cast<std::size_t>(position)]; }
  void to_positions(const Vector& unknowns, Vector& positions) const;
  void to_unknowns(const double* positions, Vector& unknowns) const;

 private:
  std::vector<Index> permutation_;  // position → unknown
  std::vector<Index> slot_;         // value of the caller's lower triangle → value of upper_
  SymmetricMatrix upper_;
};

}  // namespace shoal
