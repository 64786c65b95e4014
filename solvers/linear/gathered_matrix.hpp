// The matrix and the vectors of a system of which each of several processes has the rows of its own unknowns, on rank 0.
#pragma once

#include "discretizations/common/symmetric_matrix.hpp"
#include "discretizations/mesh/whole.hpp"

namespace shoal {

/// For one unknown per vertex or face of a mesh, in the numbering of the whole. All functions are collective.
class GatheredMatrix {
 public:
  /// `mesh` must outlive this.
  GatheredMatrix(const Mesh& mesh, Location at) : mesh_(mesh), at_(at) {}

  /// Whether this process has the whole.
  bool is_here() const { return ranks_of(mesh_).rank() == 0; }
  /// Call for each new pattern. On rank 0 the pattern of the whole; it stays valid until the next call.
  const SymmetricMatrix& analyze(const SymmetricMatrix& pattern);
  /// Its matrix, which remains here.
  const SymmetricMatrix& gather(const SymmetricMatrix& matrix);
  /// On rank 0 the vector of the whole; `work` is overwritten. Of one process alone the values themselves.
  VectorIn gather(VectorIn values, Vector& work) const {
    if (!mesh_.part) return values;
    work = gathered(mesh_, at_, values.transpose()).reshaped();
    return work;
  }
  /// The vector here, of the one that rank 0 gives.
  Vector spread(const Vector& of_whole) const {
    return mesh_.part ? Vector(shoal::spread(mesh_, at_, of_whole.transpose()).reshaped()) : of_whole;
  }

 private:
  const Mesh& mesh_;
  Location at_;
  SymmetricMatrix whole_;  // on rank 0
  Array<Index> place_;     // on rank 0: of each received value
};

}  // namespace shoal
