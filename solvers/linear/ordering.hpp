// Fill-reducing orderings, and matrices permuted by them.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/common/symmetric_matrix.hpp"

namespace shoal {

enum class Ordering { nested_dissection, minimum_degree };
/// position → unknown. METIS nested dissection, postordered, or AMD.
Array<Index> order(const SymmetricMatrix& pattern, Ordering ordering);

/// P A Pᵀ as an upper triangle in compressed columns with ascending rows, updated in place. Its factorizations need neither
/// permutation nor copy.
class PermutedMatrix {
 public:
  void analyze(const SymmetricMatrix& pattern, Ordering ordering);
  void refresh(const SymmetricMatrix& matrix);

  SymmetricMatrix& upper() { return upper_; }
  Index size() const { return permutation_.size(); }
  /// The unknown at a position of the permuted system.
  Index unknown(Index position) const { return permutation_[position]; }
  void to_positions(const Vector& unknowns, Vector& positions) const;
  void to_unknowns(const double* positions, Vector& unknowns) const;

 private:
  Array<Index> permutation_;  // position → unknown
  Array<Index> slot_;         // value of the caller's lower triangle → value of upper_
  SymmetricMatrix upper_;
};

}  // namespace shoal
