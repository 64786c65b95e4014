// Repairs of raw triangles before they become a surface: duplicates are welded, unused vertices dropped,
// faces oriented; input that cannot be repaired is refused.
#pragma once

#include "discretizations/mesh/edges.hpp"

namespace shoal {

/// Raw triangles during repair; vertex v stands for the source's vertex source_vertex[v].
struct Triangles {
  Points x;
  Faces faces;
  std::vector<Index> source_vertex;
};

/// Two vertices closer than this times the diagonal of the bounding box are one.
inline constexpr double weld_tolerance = 1e-12;
/// A face with less area than this times its longest edge squared has none.
inline constexpr double degenerate_area = 1e-14;

/// Joins each vertex with the first one nearer than `tolerance` times the diagonal and keeps the order of those that stay. Returns how
/// many were joined. Throws Error naming the face if one loses a corner by that.
Index weld_vertices(Triangles& triangles, double tolerance = weld_tolerance);

/// Drops vertices that no face names and keeps the order of the others. Returns how many were dropped.
Index drop_unused_vertices(Triangles& triangles);

/// Throws Error naming the face that has no area.
void check_shapes(const Triangles& triangles);

/// Swaps corners 1 and 2 of faces until neighbours agree, closed components face outward (positive enclosed
/// volume) and in components with boundary the fewest faces were turned. Returns how many were turned. Throws
/// Error naming the edge if it has more than two faces or closes a Möbius band.
Index orient_faces(Triangles& triangles);

}  // namespace shoal
