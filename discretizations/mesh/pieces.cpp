#include "discretizations/mesh/pieces.hpp"

#include "discretizations/common/disjoint_sets.hpp"

#include <algorithm>

namespace shoal {

std::vector<Piece> pieces_of(const Mesh& mesh, const Geometry& geometry) {
  DisjointSets sets(mesh.vertex_count);
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 1; c < 3; ++c) sets.join(mesh.faces(0, k), mesh.faces(c, k));
  std::vector<Piece> pieces;
  Array<Index> number(mesh.vertex_count, -1);  // number of the component, at its first vertex
  const auto piece_of = [&](Index vertex) -> Piece& {
    Index& found = number[sets.find(vertex)];
    if (found < 0) {
      found = static_cast<Index>(pieces.size());
      pieces.emplace_back();
    }
    return pieces[found];
  };
  for (Index i = 0; i < mesh.vertex_count; ++i) piece_of(i).vertices.push_back(i);
  for (Index k = 0; k < mesh.face_count(); ++k) {
    Piece& piece = piece_of(mesh.faces(0, k));
    piece.faces.push_back(k);
    piece.area += geometry.face_area[k];
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.area > b.area; });
  return pieces;
}

PieceMesh mesh_of(const Piece& piece, const Mesh& mesh, const Points& x) {
  Array<Index> number(mesh.vertex_count, -1);
  PieceMesh result{Faces(3, piece.faces.size()), Points(3, piece.vertices.size())};
  for (Index i = 0; i < piece.vertices.size(); ++i) {
    number[piece.vertices[i]] = i;
    result.x.col(i) = x.col(piece.vertices[i]);
  }
  for (Index k = 0; k < piece.faces.size(); ++k)
    for (int c = 0; c < 3; ++c) result.faces(c, k) = number[mesh.faces(c, piece.faces[k])];
  return result;
}

}  // namespace shoal
