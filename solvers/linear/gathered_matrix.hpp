// The matrix and the vectors of a system of which each of several processes has the rows of its own unknowns, on rank 0.
#pragma once

#include "discretizations/common/symmetric_matrix.hpp"
#include "solvers/linear/unknowns.hpp"

namespace shoal {

/// For one unknown per cell, in the order of the whole surface. All functions are collective.
class GatheredMatrix {
 public:
  /// `mesh` must outlive this.
  GatheredMatrix(const Mesh& mesh, const Cells& cells)
      : mesh_(mesh), own_(own(mesh, cells)), number_(Unknowns(mesh, cells).numbers(cells.count())) {}

  /// Whether this process has the whole.
  bool is_here() const { return ranks_of(mesh_).rank() == 0; }
  /// Call for each new pattern. On rank 0 the pattern of the whole; it stays valid until the next call.
  const SymmetricMatrix& analyze(const SymmetricMatrix& pattern);
  /// Its matrix, which remains here.
  const SymmetricMatrix& gather(const SymmetricMatrix& matrix);
  /// On rank 0 the vector of the whole; `work` is overwritten. Of one process alone the values themselves.
  VectorIn gather(VectorIn values, Vector& work) const {
    if (!mesh_.part) return values;
    const double* begin = values.data() + own_.begin;
    const std::vector<double> all = ranks_of(mesh_).gather({begin, begin + own_.count});
    work = Eigen::Map<const Vector>(all.data(), std::ssize(all));
    return work;
  }
  /// The vector here, of the one that rank 0 gives.
  Vector spread(const Vector& of_whole) const {
    if (!mesh_.part) return of_whole;
    return shared(ranks_of(mesh_), of_whole)(number_);
  }

 private:
  const Mesh& mesh_;
  Range own_;
  Array<Index> number_;    // in the whole
  SymmetricMatrix whole_;  // on rank 0
  Array<Index> place_;     // on rank 0: of each received value
};

}  // namespace shoal
