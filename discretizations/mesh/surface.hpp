// A surface as it is simulated: connectivity, rest positions, its source, and the map to the numbering of
// that source.
#pragma once

#include "discretizations/mesh/geometry.hpp"
#include "discretizations/mesh/repair.hpp"

#include <optional>
#include <string>

namespace shoal {

struct Surface {
  std::string name;    ///< as typed: "icosphere:4", "bunny.obj"
  std::string source;  ///< "generated" or the file's path
  Mesh mesh;
  Points x;  ///< [3, nV] rest positions, m

  /// Our numbering is the source's reordered for locality: vertex i here is vertex input_vertex[i] of the
  /// (welded) source, face k is face input_face[k]. Results are written in the source's order.
  std::vector<Index> input_vertex;
  std::vector<Index> input_face;
  /// Where duplicate vertices were welded or unused ones dropped: source_vertex[v] is the first of the file's
  /// vertices that vertex v (source order) stands for. Empty where every vertex was kept.
  std::vector<Index> source_vertex;
  WeldTolerance weld;                ///< within which vertices of a file were joined
  std::vector<std::string> repairs;  ///< what was done to the input, one sentence each ("welded 12 vertices")
};

/// A periodic surface: its triangles as they are, each vertex once; corner c of face k lies at its vertex's
/// position plus column 3k + c of `corner_shift`, m.
Surface make_periodic_surface(std::string name, const Faces& faces, const Points& x,
                              const Points& corner_shift);

/// Welds (vertices within a tolerance, if there is one), drops unused vertices, orients, checks and reorders raw
/// triangles; every reader and generator ends here. Elements are counted from 0 in the order given. Throws
/// Error naming the face, edge (two vertices) or vertex that is out of range, degenerate, not finite, not
/// manifold or not orientable.
Surface make_surface(std::string name, std::string source, const Faces& faces, const Points& x,
                     const std::optional<WeldTolerance>& weld = {});

}  // namespace shoal
