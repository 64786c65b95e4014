// Which part of a surface is dry land, how high water and land stand, and what values the water beside land has.
#pragma once

#include "discretizations/mesh/mesh.hpp"
#include "reference/view/shown_run.hpp"

namespace shoal {

/// Where the scheme's cells are the triangles of the mesh whole triangles are dry, and the elevation at a vertex is the mean of the wet
/// ones around it: the mean of their depths, wet and dry, over the bed of the vertex would be a wall of water along each shore. Else
/// vertices are dry, and with each the part of its triangles up to the middles of their edges.
struct Shore {
  std::vector<char> dry;  ///< [3 nF] of the corners of triangles
  std::vector<char> wet;  ///< [nV] whether there is water at or around a vertex
  Vector elevation;  ///< [nV] m, h of the water; beside land that of the water nearby, elsewhere on land 0
  Vector height;     ///< [nV] m, of the water's surface or the land over the surface at rest
  bool whole_faces = false;  ///< are dry
  bool has_land = false;

  /// Places of at most `dry_depth` are dry. `depth` and `bed` [nV], m, are those at vertices.
  void find(const ShownRun& run, const Vector& depth, const Vector& bed, double dry_depth);
  /// Values [nV] are at dry vertices beside water the means of that water.
  void spread(const Mesh& mesh, Vector& values) const;
};

}  // namespace shoal
