// Connectivity of a triangle surface: immutable, independent of positions and schemes.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/common/types.hpp"

#include <memory>
#include <string>

namespace shoal {

/// The elements on which values are located. Cells are those of a scheme: dual cells of vertices, triangles,
/// or merged triangles.
enum class Location { vertex, edge, face, cell, boundary_set, whole };

/// Elements [begin, begin + count).
struct Range {
  Index begin = 0, count = 0;
  bool has(Index element) const { return element >= begin && element < begin + count; }
};

struct Part;

/// A named set of boundary edges.
struct BoundarySet {
  std::string name;  ///< "left", "loop-1"
  Array<Index> edges;
};

/// An oriented 2-manifold of triangles, closed or with boundary ("walls").
///
/// Corner c of face k is vertex faces(c, k); its opposite edge is face_edges(c, k). An edge runs from tail to
/// head in the orientation of its left face, so that its normal "left to right" is the same in every scheme;
/// on a wall there is no right face.
///
/// Closed surfaces may be mere lists of triangles, without edges and rings (see list_triangles()).
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

  /// Every wall edge belongs to exactly one set; make_surface() creates them.
  std::vector<BoundarySet> boundary_sets;

  /// [3, 3·nF] on periodic surfaces: corner c of face k lies at its vertex's position plus column 3k + c, a
  /// lattice vector, m. Empty otherwise.
  Points corner_shift;
  /// [3, nE] on periodic surfaces: an edge runs from the position of its tail to that of its head plus this
  /// vector. Empty otherwise.
  Points edge_shift;

  std::shared_ptr<const Part>
      /// relation to the whole surface if several processes share it (part.hpp); null: the mesh is the whole
      part;

  bool periodic() const { return corner_shift.size() > 0; }
  Index face_count() const { return static_cast<Index>(faces.cols()); }
  Index edge_count() const { return static_cast<Index>(edges.cols()); }
  bool is_wall(Index edge) const { return edge_faces(1, edge) == none; }
  bool has_edges() const { return edge_count() > 0; }
  bool closed() const;
  Index euler_characteristic() const {
    return vertex_count - (has_edges() ? edge_count() : face_count() / 2 * 3) + face_count();
  }
};

/// The triangles of a mesh without boundary, without edges and rings.
Mesh triangles_of(const Mesh& mesh);

/// The loops of the boundary as "loop-1", "loop-2", … in the order of their smallest vertex by `number` [nV],
/// each with its edges in ascending order.
std::vector<BoundarySet> boundary_loops(const Mesh& mesh, const std::vector<Index>& number);

/// Builds the connectivity, without boundary sets. Edges are numbered by their first occurrence in the faces.
/// Throws Error naming the element if an index is out of range, a face contains a vertex twice, an edge has
/// three faces or two of the same orientation, a vertex is unused, or the faces at a vertex do not form one
/// fan. Messages refer to vertices by `source_vertex` [nV] if given.
Mesh make_mesh(const Faces& faces, Index vertex_count, const std::vector<Index>* source_vertex = nullptr);

}  // namespace shoal
