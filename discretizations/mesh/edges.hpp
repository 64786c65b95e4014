// The edges of raw triangles: pairs half-edges before orientation and manifoldness are checked.
#pragma once

#include "discretizations/common/array.hpp"

#include <string>
#include <vector>

namespace shoal {

/// The two ends of the edge opposite to corner `corner`, in the orientation of the face.
inline Index edge_tail(const Faces& faces, Index face, int corner) {
  return faces((corner + 1) % 3, face);
}
inline Index edge_head(const Faces& faces, Index face, int corner) {
  return faces((corner + 2) % 3, face);
}

/// Undirected edges, numbered in the order of their first occurrence in the faces (corner by corner, opposite edge).
struct EdgeList {
  Edges edges;              ///< [2, nE] tail, head as in the first face with the edge
  Faces face_edges;         ///< [3, nF] edge opposite to corner c
  Array<Index> side_start;  ///< [nE + 1] compressed rows into `side`
  Array<Index> side;        ///< half-edges 3·face + corner of each edge, ascending

  Index edge_count() const { return static_cast<Index>(edges.cols()); }
  Index side_count(Index edge) const { return side_start[edge + 1] - side_start[edge]; }
};

/// O(nF log d) for vertex degree d. Indices must be in [0, vertex_count).
EdgeList list_edges(const Faces& faces, Index vertex_count);

/// Names vertices and edges in messages, by the numbers of their source if known.
class VertexNames {
 public:
  VertexNames() = default;
  explicit VertexNames(const std::vector<Index>* source) : source_(source) {}
  Index operator()(Index vertex) const { return source_ ? (*source_)[vertex] : vertex; }
  std::string edge(const EdgeList& list, Index edge) const;  ///< "edge (3, 17)"

 private:
  const std::vector<Index>* source_ = nullptr;
};

/// Throws Error naming the edge and three of its faces if an edge has more than two faces.
void check_sides(const EdgeList& list, const VertexNames& name);

/// Throws Error naming the face if an index is outside [0, vertex_count) or a vertex is repeated, and if there are no faces or too many
/// for the index type.
void check_indices(const Faces& faces, Index vertex_count);

}  // namespace shoal
