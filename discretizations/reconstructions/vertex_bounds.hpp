// Bounds of the means of all cells around each vertex, for limiters that compare the values at vertices (Kuzmin 2010,
// doi:10.1016/j.cam.2009.05.028).
//
// Depth and elevation have a least and a greatest value. The velocities of the cells, unfolded about the vertex with their
// angles scaled to a full turn, lie in a disc: its centre is the midpoint of the two that differ most. If they lie on a line,
// as across a plane wave, the disc allows what an interval allows, and unlike a box it does not depend on a frame. A wall
// mirrors the cells at it.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/mesh/geometry.hpp"
#include "discretizations/operators/face_frame.hpp"
#include "discretizations/reconstructions/reconstruction.hpp"

#include <functional>

namespace shoal {

class VertexBounds {
 public:
  /// `wall_normal` (edge of the mesh): the normal of a wall in the frame of its cell.
  void measure(const Mesh& mesh, const Array<FaceFrame>& frames,
               const std::function<Tangent(Index edge)>& wall_normal);
  void compute(const CellMeans& means, BoundsAtVertices& bounds) const;

  /// [3·nF], all first corners first: the vertex at a corner of each cell, and the rotation (cos, sin) of a vector from the cell to
  /// the vertex.
  const Array<Index>& vertex() const { return vertex_; }
  const Vector& turn_1() const { return turn_1_; }
  const Vector& turn_2() const { return turn_2_; }

 private:
  /// A cell at a vertex: its velocity there is turn · v, or turn · conj(v) if a wall mirrors it.
  struct Around {
    Index cell;
    Tangent turn;
    bool mirrored;
  };

  Array<Index> vertex_;
  Vector turn_1_, turn_2_;
  Array<Index> start_;  // rows of around_, [nV + 1]
  Array<Around> around_;
};

}  // namespace shoal
