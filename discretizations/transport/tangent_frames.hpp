// Tangent vectors of a triangle surface without an embedding: a frame for each triangle, and the turn that
// carries a vector over an edge.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/operators/face_frame.hpp"

#include <array>
#include <cmath>

namespace shoal {

/// The neighbour across an edge.
struct Crossing {
  Index face = Mesh::none;  ///< none on a wall
  int corner = 0;           ///< of that face, opposite to the edge
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

  /// Across the edge opposite to a corner, unit. A vector z of the face that is left is turn · z in the frame of the
  /// one that is entered, as if both were unfolded into one plane. On a wall the direction of the wall, squared: a
  /// vector z is mirrored to turn · conj(z). Computed when it is asked for: traces cross few of all edges.
  Tangent turn(const Face& face, int corner) const {
    const Tangent here = face.edge((corner + 1) % 3);
    const Crossing& crossing = face.crossing[corner];
    if (crossing.face == Mesh::none) return here * here / std::norm(here);
    // The same edge runs the other way in the face beyond.
    const Tangent turn = -faces_[crossing.face].edge((crossing.corner + 1) % 3) * std::conj(here);
    return turn * (1 / std::sqrt(std::norm(turn)));
  }

 private:
  const Mesh& mesh_;
  Array<Face> faces_;
};

}  // namespace shoal
