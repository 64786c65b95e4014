// Tangent vectors of a triangle surface without an embedding: a frame for each triangle, and the turn that
// carries a vector over an edge.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/operators/face_frame.hpp"

#include <array>

namespace shoal {

/// The neighbour across an edge.
struct Crossing {
  Index face = Mesh::none;  ///< none on a wall
  int corner = 0;           ///< of that face, opposite to the edge
  /// Unit. A vector z of the face that is left is turn · z in the frame of the one that is entered, as if
  /// both were unfolded into one plane. On a wall the direction of the wall, squared: a vector z is mirrored
  /// to turn · conj(z).
  Tangent turn;
};

/// The frames and crossings of all triangles of a surface at one instant.
class TangentFrames {
 public:
  /// One triangle and its crossings, by the corner opposite.
  struct Face : FaceFrame {
    std::array<Crossing, 3> crossing;
  };

  explicit TangentFrames(const Mesh& mesh);
  /// For new positions; allocates nothing.
  void refresh(const Geometry& geometry);
  const Face& operator[](Index face) const { return faces_[face]; }

 private:
  const Mesh& mesh_;
  Array<Face> faces_;
};

}  // namespace shoal
