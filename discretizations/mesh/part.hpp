// A part of a surface for each of several processes: its own triangles and layers of others around them.
#pragma once

#include "discretizations/common/ranks.hpp"
#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// What a mesh is part of. Its elements are numbered so that those around any place follow each other as in the whole, with
/// which every loop over them has the operations of the whole in the same order; its own ones are a range. Own are
/// triangles [F r/P, F (r+1)/P) of the whole on rank r of P, and the vertices and edges that none of a lower rank names.
struct Part {
  std::shared_ptr<const Ranks> ranks;
  int layers = 0;  ///< of triangles around the own ones, each of all that share a vertex with the one before
  Range own_vertices, own_edges, own_faces;
  Array<Index> vertex, edge, face;                       ///< in the whole, of each element here
  Array<Ghost> vertex_ghosts, edge_ghosts, face_ghosts;  ///< the elements that other processes own
  bool several_components = false;                       ///< of the whole
  Array<char>
      rim;  ///< [nE] whether one of the edge's two triangles is missing here: it is no wall of the whole

  Array<Index> layer;  ///< [nF] that a triangle belongs to; 0: of the own ones

  /// Whether a trace from one triangle to another leaves the next layer to what is interpolated where it ends. One that starts too
  /// far out for its result to matter has.
  bool has_room(Index from, Index to) const {
    return layer[from] + 2 > layers || layer[to] <= layer[from] + 1;
  }
  const Range& own(Location at) const;
  const Array<Ghost>& ghosts(Location at) const;
};

/// The part of this rank, of a surface that each has whole. A rim that touches itself in a vertex has two vertices there. Throws
/// Refusal where there are fewer triangles than ranks. To be called by all ranks.
Surface part_of(const Surface& whole, std::shared_ptr<const Ranks> ranks, int layers);

}  // namespace shoal
