#include "solvers/partition.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/edges.hpp"
#include "solvers/petsc/module.hpp"

#include <fmt/format.h>

namespace shoal {

Surface in_compact_parts(const Surface& surface, Index parts) {
  const Mesh& mesh = surface.mesh;
  if (mesh.face_count() < parts)
    throw Error(
        fmt::format("'{}' has {} triangles, fewer than parts = {}", surface.name, mesh.face_count(), parts));
  Array<Index> start{0}, neighbour;
  {
    const EdgeList list = list_edges(mesh.faces, mesh.vertex_count);
    for (Index k = 0; k < mesh.face_count(); ++k) {
      for (const Index edge : list.face_edges.col(k))
        for (Index s = list.side_start[edge]; s < list.side_start[edge + 1]; ++s)
          if (list.side[s] / 3 != k) neighbour.push_back(list.side[s] / 3);
      start.push_back(neighbour.size());
    }
  }
  Array<Index> part;
  reinterpret_cast<CutGraph*>(petsc_symbol(cut_graph_symbol, "Scotch"))(start, neighbour, parts, part);
  return in_parts(surface, part);
}

}  // namespace shoal
