// The connected pieces of a surface.
#pragma once

#include "discretizations/mesh/geometry.hpp"

#include <vector>

namespace shoal {

struct Piece {
  Array<Index> vertices, faces;  ///< ascending
  double area = 0;               ///< m²
};

/// By area, the largest first; of equal ones that with the smallest vertex.
std::vector<Piece> pieces_of(const Mesh& mesh, const Geometry& geometry);

struct PieceMesh {
  Faces faces;
  Points x;
};
/// One of them by itself: its vertex i is vertex piece.vertices[i] of the whole.
PieceMesh mesh_of(const Piece& piece, const Mesh& mesh, const Points& x);

}  // namespace shoal
