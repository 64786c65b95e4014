// The connected components of a surface.
#pragma once

#include "discretizations/mesh/geometry.hpp"

#include <vector>

namespace shoal {

struct Piece {
  Array<Index> vertices, faces;  ///< ascending
  double area = 0;               ///< m²
};

/// The components in descending order of area; ties by the smallest vertex.
std::vector<Piece> pieces_of(const Mesh& mesh, const Geometry& geometry);

struct PieceMesh {
  Faces faces;
  Points x;
};
/// One component as a separate mesh, whose vertex i is vertex piece.vertices[i] of the whole.
PieceMesh mesh_of(const Piece& piece, const Mesh& mesh, const Points& x);

}  // namespace shoal
