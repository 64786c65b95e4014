// Tangent vectors of a triangle surface without an embedding: a frame for each triangle, and the rotation of vectors across
// edges.
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
  /// A triangle and the crossings of its edges, numbered by the opposite corner.
  struct Face : FaceFrame {
    std::array<Crossing, 3> crossing;
  };

  explicit TangentFrames(const Mesh& mesh);
  /// Updates it for new positions; allocates nothing.
  void refresh(const Geometry& geometry);
  const Face& operator[](Index face) const { return faces_[face]; }

  /// The rotation across the edge opposite to a corner, of modulus 1: with both faces unfolded into one plane, a vector z of
  /// the face left is turn · z in the frame of the face entered. On a wall it is the square of the wall's direction, and a
  /// vector z is reflected to turn · conj(z). Computed on demand, because traces cross only a few edges.
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
