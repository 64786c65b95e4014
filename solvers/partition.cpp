#include "solvers/partition.hpp"

#include "discretizations/mesh/edges.hpp"
#include "solvers/petsc/module.hpp"

#include <algorithm>

namespace shoal {

Surface in_compact_parts(const Surface& surface, Index parts) {
  const Mesh& mesh = surface.mesh;
  Array<Index> start{0}, neighbour;
  {
    const EdgeList list = list_edges(mesh.faces, mesh.vertex_count);
    for (Index k = 0; k < mesh.face_count(); ++k) {
      for (const Index edge : list.face_edges.col(k))
        for (Index s = list.side_start[edge]; s < list.side_start[edge + 1]; ++s)
          // Two triangles may share two edges.
          if (const Index other = list.side[s] / 3;
              other != k &&
              std::find(neighbour.begin() + start[k], neighbour.end(), other) == neighbour.end())
            neighbour.push_back(other);
      start.push_back(neighbour.size());
    }
  }
  Array<Index> part;
  reinterpret_cast<CutGraph*>(petsc_symbol(cut_graph_symbol, "Scotch"))(start, neighbour, parts, part);
  return in_parts(surface, part);
}

}  // namespace shoal
