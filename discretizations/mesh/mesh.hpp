// Connectivity of a triangle surface: immutable, knows neither positions nor any scheme.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/common/types.hpp"

namespace shoal {

/// An oriented 2-manifold of triangles, closed or with boundary ("walls").
///
/// Corner c of face k is vertex faces(c, k); its opposite edge is face_edges(c, k). An edge runs from tail to
/// head in the orientation of its left face, so that its normal "left to right" is the same in every scheme;
/// on a wall there is no right face.
struct Mesh {
  static constexpr Index none = -1;

  Index vertex_count = 0;
  Faces faces;       ///< [3, nF]
  Edges edges;       ///< [2, nE] tail, head
  Edges edge_faces;  ///< [2, nE] left, right; right == none on a wall
  Faces face_edges;  ///< [3, nF] edge opposite to corner c

  /// One-rings as compressed rows: the corners (3·face + corner) at vertex i are
  /// ring_corner[ring_start[i]] … ring_corner[ring_start[i+1]-1], in ascending order.
  Array<Index> ring_start;
  Array<Index> ring_corner;

  Index face_count() const { return static_cast<Index>(faces.cols()); }
  Index edge_count() const { return static_cast<Index>(edges.cols()); }
  bool is_wall(Index edge) const { return edge_faces(1, edge) == none; }
  bool closed() const;
  Index euler_characteristic() const { return vertex_count - edge_count() + face_count(); }
};

/// Builds the connectivity. Edges are numbered in the order in which the faces name them.
/// Throws Error naming the element if an index is out of range, a face names a vertex twice, an edge has
/// three faces or two faces of one orientation, a vertex is unused, or the faces at a vertex are not one fan.
/// Vertices are named in messages by `source_vertex` [nV] if it is given.
Mesh make_mesh(const Faces& faces, Index vertex_count, const std::vector<Index>* source_vertex = nullptr);

}  // namespace shoal
