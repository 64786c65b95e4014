// A part of a surface for each of several processes: its own triangles and layers of other triangles around
// them.
#pragma once

#include "discretizations/common/ranks.hpp"
#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// The relation of a mesh to the whole of which it is a part. Its elements are numbered such that those around any place have the
/// same order as in the whole; every loop over them therefore performs the operations of the whole in the same order. The own
/// elements are a range: on rank r of P the triangles [F r/P, F (r+1)/P) of the whole; if the whole is in parts (in_parts()),
/// those of the r-th of P equal shares of the parts. Own vertices and edges are those that no triangle of a lower rank contains.
struct Part {
  std::shared_ptr<const Ranks> ranks;
  /// number of layers around the own triangles; a layer contains all triangles that share a vertex with the
  /// one before
  int layers = 0;
  int margin = 0;  ///< how many of the outermost layers no step requires
  Range own_vertices, own_edges, own_faces;
  Array<Index> vertex, edge, face;                       ///< index in the whole of each element of the part
  Array<Ghost> vertex_ghosts, edge_ghosts, face_ghosts;  ///< elements owned by other processes
  Array<Index> component;  ///< [nV] number of the connected component of the whole
  Array<Index>
      component_first;  ///< index in the whole of the first vertex of each component of the whole, ascending
  Array<char>
      /// [nE] whether one of the edge's two triangles is missing in the part: the edge is no wall of the
      /// whole
      rim;

  Array<Index> layer;  ///< [nF] layer of each triangle; 0: own triangles

  /// Whether a trace between these triangles advances by at most one layer, so that a further layer is left
  /// for the interpolation at its end. Always true for traces that start too far out to affect the own
  /// triangles.
  bool has_room(Index from, Index to) const {
    return layer[from] + 2 > layers || layer[to] <= layer[from] + 1;
  }
  const Range& own(Location at) const;
  const Array<Index>& in_whole(Location at) const;  ///< vertex, edge or face
  const Array<Ghost>& ghosts(Location at) const;
};

/// A part of this surface has too few layers for a scheme. Thrown on all ranks.
class TooFewLayers : public Refusal {
 public:
  using Refusal::Refusal;
};

/// The part of this rank of a surface, which each process has as a whole. If the rim of the part touches
/// itself at a vertex, the part has two vertices there. No step requires the
/// outermost `margin` layers. Throws Refusal if there are fewer triangles than ranks. Collective: all ranks must call it.
Surface part_of(const Surface& whole, std::shared_ptr<const Ranks> ranks, int layers, int margin = 0);

}  // namespace shoal
