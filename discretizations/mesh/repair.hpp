// Repairs raw triangles before they become a surface: welds duplicate vertices, drops unused ones and orients faces; refuses input
// that cannot be repaired.
#pragma once

#include "discretizations/mesh/edges.hpp"

namespace shoal {

/// Raw triangles during repair; vertex v is vertex source_vertex[v] of the source.
struct Triangles {
  Points x;
  Faces faces;
  std::vector<Index> source_vertex;
};

/// Vertices closer than this times the diagonal of the bounding box are merged.
inline constexpr double weld_tolerance = 1e-12;
/// The same for STL, where every corner is a separate vertex: several roundings of single precision.
inline constexpr double stl_weld_tolerance = 1e-6;

struct WeldTolerance {
  double length = weld_tolerance;
  bool relative = true;  ///< relative to the diagonal of the bounding box; otherwise m

  bool is_default() const { return relative && length == weld_tolerance; }
};
/// "1e-06 of the diagonal", "0.001 m"
std::string describe(const WeldTolerance& tolerance);
/// The tolerance in m for these points.
double length_of(const WeldTolerance& tolerance, const Points& x);
/// A face with less area than this times its longest edge squared counts as degenerate.
inline constexpr double degenerate_area = 1e-14;

struct Welded {
  Index vertices = 0, faces = 0;
};
/// Merges each vertex with the first one within the tolerance and keeps the order of the others. A face that loses a corner is dropped if
/// `drops`, otherwise throws an Error that names it. Returns the numbers of merged vertices and dropped faces.
Welded weld_vertices(Triangles& triangles, const WeldTolerance& tolerance, bool drops);

/// Drops vertices without faces and keeps the order of the others. Returns the number of dropped vertices.
Index drop_unused_vertices(Triangles& triangles);

/// Throws Error naming the face if one has no area.
void check_shapes(const Triangles& triangles);

/// The changes made by make_manifold().
struct RepairReport {
  Index twice = 0;     ///< dropped faces with a repeated vertex
  Index repeated = 0;  ///< dropped duplicate faces
  Index flat = 0;      ///< faces without area whose longest edge was flipped, or that were dropped
  Index edges = 0;     ///< edges with three or more faces, along which the surface was separated
  Index vertices = 0;  ///< vertices added by that, and where two fans of triangles met
  std::vector<std::string> sentences() const;
};

/// Turns raw triangles into a manifold, possibly with boundaries: drops faces with a repeated vertex and duplicate faces; flips the
/// longest edge of faces without area; at edges with more than two faces, connects those that bound the same body according to their
/// orientation and separates the others; and splits vertices where fans meet. One-sided surfaces stay one-sided.
RepairReport make_manifold(Triangles& triangles);

/// Swaps corners 1 and 2 of faces until neighbours are oriented consistently and closed components face outward (positive enclosed
/// volume), flipping as few faces as possible in components with boundary. Returns the number of flipped faces. Throws
/// Error naming the edge if it has more than two faces or closes a Möbius band.
Index orient_faces(Triangles& triangles);

}  // namespace shoal
