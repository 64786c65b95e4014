// Weighted graph Laplacians K = Σ_e w_e (δᵢ−δⱼ)(δᵢ−δⱼ)ᵀ with a fixed pattern and any weights: the stiffness matrices of
// all schemes. The positions of the entries are computed once; values are updated in place.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/common/symmetric_matrix.hpp"

namespace shoal {

class EdgeLaplacian {
 public:
  EdgeLaplacian() = default;
  /// `pairs` [2, n] are the two nodes of each edge; several edges may join the same two nodes.
  EdgeLaplacian(Index nodes, const Edges& pairs);

  /// The lower triangle including the diagonal, with values zero.
  const SymmetricMatrix& pattern() const { return pattern_; }

  /// matrix = diag(diagonal) + scale · K(w), w [n].
  void assemble(const Vector& diagonal, double scale, const Vector& w, SymmetricMatrix& matrix) const;

  /// out += scale · K(w) p.
  void add_product(const Vector& p, double scale, const Vector& w, Vector& out) const;

 private:
  Edges pairs_;
  SymmetricMatrix pattern_;
  Array<Index> slot_;  ///< [n] position of the edge's off-diagonal value
};

}  // namespace shoal
