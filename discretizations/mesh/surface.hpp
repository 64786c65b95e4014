// A surface for simulation: connectivity, rest positions, source, and the map to the numbering of the source.
#pragma once

#include "discretizations/mesh/geometry.hpp"
#include "discretizations/mesh/repair.hpp"

#include <optional>
#include <string>

namespace shoal {

/// Processes give it to others by share() (share.hpp), which names every member.
struct Surface {
  std::string name;    ///< as given by the user: "icosphere:4", "bunny.obj"
  std::string source;  ///< "generated" or the file's path
  Mesh mesh;
  Points x;  ///< [3, nV] rest positions, m

  /// Shoal reorders the elements of the source for locality: vertex i is vertex input_vertex[i] of the
  /// (welded) source, face k is face input_face[k]. Results are written in the order of the source.
  std::vector<Index> input_vertex;
  std::vector<Index> input_face;
  /// first triangle of each part (see in_parts()), and the number of triangles; empty: a single part
  Array<Index> part_begin;
  /// If vertices were welded or dropped: source_vertex[v] is the first vertex of the file that vertex v (in
  /// source order) represents. Empty if all vertices were kept.
  std::vector<Index> source_vertex;
  WeldTolerance weld;                ///< tolerance for welding vertices of the file
  std::vector<std::string> repairs;  ///< repairs of the input, one sentence each ("welded 12 vertices")
};

/// A periodic surface from triangles without repairs, with each vertex once; corner c of face k lies at its
/// vertex's position plus column 3k + c of `corner_shift`, m.
Surface make_periodic_surface(std::string name, const Faces& faces, const Points& x,
                              const Points& corner_shift);

/// The numbering of vertices and faces: for locality in memory, or that of the source.
enum class Numbering { local, of_source };

/// Welds vertices (within a tolerance if given), drops unused ones, orients, checks and renumbers raw
/// triangles; every reader and generator ends with this function. Elements are counted from 0 in the given
/// order. Throws Error naming the face, edge (two vertices) or vertex that is out of range, degenerate, not
/// finite, not manifold or not orientable.
Surface make_surface(std::string name, std::string source, const Faces& faces, const Points& x,
                     const std::optional<WeldTolerance>& weld = {}, Numbering numbering = Numbering::local);

/// A closed surface as a list of triangles in Shoal's numbering, without edges and rings: what processes need of a large surface for
/// making their parts (part.hpp). Neither repaired nor checked.
Surface list_triangles(std::string name, std::string source, const Faces& faces, const Points& x);

/// The same surface, or list of triangles, renumbered such that the triangles of each part are contiguous. `part` [nF]: the number of each
/// triangle's part.
Surface in_parts(const Surface& surface, const Array<Index>& part);

}  // namespace shoal
