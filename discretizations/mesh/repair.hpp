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
/// The same of STL, whose corners are vertices of their own: several roundings of single precision.
inline constexpr double stl_weld_tolerance = 1e-6;

struct WeldTolerance {
  double length = weld_tolerance;
  bool relative = true;  ///< to the diagonal of the bounding box; else m

  bool is_default() const { return relative && length == weld_tolerance; }
};
/// "1e-06 of the diagonal", "0.001 m"
std::string describe(const WeldTolerance& tolerance);
/// In m, for these points.
double length_of(const WeldTolerance& tolerance, const Points& x);
/// A face with less area than this times its longest edge squared has none.
inline constexpr double degenerate_area = 1e-14;

struct Welded {
  Index vertices = 0, faces = 0;
};
/// Joins each vertex with the first one within the tolerance and keeps the order of those that stay. A face that loses a
/// corner by that is dropped, if `drops`, or an Error that names it. Returns how many were joined and dropped.
Welded weld_vertices(Triangles& triangles, const WeldTolerance& tolerance, bool drops);

/// Drops vertices that no face names and keeps the order of the others. Returns how many were dropped.
Index drop_unused_vertices(Triangles& triangles);

/// Throws Error naming the face that has no area.
void check_shapes(const Triangles& triangles);

/// What make_manifold() did.
struct RepairReport {
  Index twice = 0;     ///< faces that named a vertex twice, dropped
  Index repeated = 0;  ///< faces with the corners of an earlier one, dropped
  Index flat = 0;  ///< faces without area whose longest edge was given to its neighbour, or that were dropped
  Index edges = 0;     ///< of three and more faces, along which the surface was taken apart
  Index vertices = 0;  ///< added by that, and where two fans of triangles met
  std::vector<std::string> sentences() const;
};

/// Makes raw triangles a manifold, if need be with boundaries: drops faces that name a vertex twice or have the corners of an
/// earlier one; flips the longest edge of faces without area; joins, at edges of more than two faces, those that bound the
/// same body, by their orientation, and leaves the others apart; and splits vertices where fans meet. Surfaces with one side
/// only stay so.
RepairReport make_manifold(Triangles& triangles);

/// Swaps corners 1 and 2 of faces until neighbours agree, closed components face outward (positive enclosed
/// volume) and in components with boundary the fewest faces were turned. Returns how many were turned. Throws
/// Error naming the edge if it has more than two faces or closes a Möbius band.
Index orient_faces(Triangles& triangles);

}  // namespace shoal
