// Triangulations defined by their edge lengths alone, with Delaunay flips (Bobenko & Springborn 2007,
// doi:10.1007/s00454-007-9006-1). The surface does not change, only the triangles on it.
#pragma once

#include "discretizations/common/array.hpp"
#include "discretizations/mesh/geometry.hpp"

namespace shoal {

/// A flipped edge and the two triangles beside it, before and after.
struct Flip {
  Index edge, left, right;
};

struct IntrinsicTriangulation {
  Mesh mesh;           ///< as many faces and edges as the original surface; ring arrays are empty
  Edges edge_corner;   ///< [2, nE] corner opposite to the edge in its left and right face; none on a wall
  Vector edge_length;  ///< [nE] along the surface, m
  Points cotangent;    ///< [3, nF]
  Vector face_area;    ///< [nF] m²
  Array<Flip> flips;   ///< so far, in order

  /// The part of the dual edge on one side: ½ l cot(opposite angle), signed, m.
  double part_length(Index edge, int side) const {
    return 0.5 * edge_length[edge] * cotangent(edge_corner(side, edge), mesh.edge_faces(side, edge));
  }
};

/// The surface's own triangles.
IntrinsicTriangulation intrinsic_triangulation(const Mesh& mesh, const Geometry& geometry);

/// The same triangulation of the same surface at other positions: repeats its flips with the new lengths. If a flip is no longer
/// possible, the triangles have no area. Does not allocate.
void refresh(IntrinsicTriangulation& triangulation, const Mesh& mesh, const Geometry& geometry);

/// The Delaunay triangulation of the same surface at other positions: the previous one with its flips repeated, if that is still Delaunay,
/// otherwise a new one from the surface's own triangles. Returns whether it is new; allocates only in that case.
bool follow_delaunay(IntrinsicTriangulation& triangulation, const Mesh& mesh, const Geometry& geometry);

/// Flips edges until cot α + cot β ≥ 0 everywhere. Deterministic: edges are processed in ascending order.
void flip_to_delaunay(IntrinsicTriangulation& triangulation);

}  // namespace shoal
