// Dry land: which part of a surface it covers, the heights of water and land, and the values of fields beside it.
#pragma once

#include "discretizations/mesh/mesh.hpp"
#include "reference/view/shown_run.hpp"

namespace shoal {

/// If the scheme's cells are the triangles of the mesh, whole triangles are dry, and the elevation at a vertex is the mean over the wet
/// triangles around it. (The mean depth of wet and dry triangles on top of the vertex's bed would draw a wall of water along each
/// shore.) Otherwise vertices are dry, each with the part of its triangles up to the edge midpoints.
struct Shore {
  std::vector<char> dry;  ///< [3 nF] per corner of a triangle
  std::vector<char> wet;  ///< [nV] whether there is water at or around a vertex
  Vector elevation;  ///< [nV] m, h of the water; beside land that of the adjacent water; 0 elsewhere on land
  Vector height;     ///< [nV] m, height of water or land above the surface at rest
  bool whole_faces = false;  ///< whole triangles are dry
  bool has_land = false;

  /// Depths up to `dry_depth` are dry. `depth` and `bed` [nV], m, are values at vertices.
  void find(const ShownRun& run, const Vector& depth, const Vector& bed, double dry_depth);
  /// Sets the values [nV] at dry vertices beside water to the means of the adjacent water.
  void spread(const Mesh& mesh, Vector& values) const;
};

}  // namespace shoal
