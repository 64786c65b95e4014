// Builds and checks the connectivity of a triangle surface.
#include "discretizations/mesh/mesh.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "discretizations/common/error.hpp"
#include "discretizations/mesh/edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>

namespace shoal {
namespace {

void set_edges(Mesh& mesh, const VertexNames& name) {
  EdgeList list = list_edges(mesh.faces, mesh.vertex_count);
  check_sides(list, name);
  mesh.edge_faces.resize(2, list.edge_count());
  for (Index edge = 0; edge < list.edge_count(); ++edge) {
    const Index* side = &list.side[list.side_start[edge]];
    const bool wall = list.side_count(edge) == 1;
    if (!wall && edge_tail(mesh.faces, side[1] / 3, side[1] % 3) == list.edges(0, edge))
      throw Error(
          fmt::format("{} is inconsistently oriented: faces {} and {} traverse it in the same direction",
                      name.edge(list, edge), side[0] / 3, side[1] / 3));
    mesh.edge_faces(0, edge) = side[0] / 3;
    mesh.edge_faces(1, edge) = wall ? Mesh::none : side[1] / 3;
  }
  mesh.edges = std::move(list.edges);
  mesh.face_edges = std::move(list.face_edges);
}

void set_rings(Mesh& mesh, const VertexNames& name) {
  const Index corner_count = 3 * mesh.face_count();
  mesh.ring_start.assign(mesh.vertex_count + 1, 0);
  for (Index corner = 0; corner < corner_count; ++corner)
    ++mesh.ring_start[mesh.faces(corner % 3, corner / 3) + 1];
  for (Index i = 0; i < mesh.vertex_count; ++i) {
    if (mesh.ring_start[i + 1] == 0) throw Error(fmt::format("vertex {} belongs to no face", name(i)));
    mesh.ring_start[i + 1] += mesh.ring_start[i];
  }
  mesh.ring_corner.resize(corner_count);
  std::vector<Index> next(mesh.ring_start.begin(), mesh.ring_start.end() - 1);
  for (Index corner = 0; corner < corner_count; ++corner)
    mesh.ring_corner[next[mesh.faces(corner % 3, corner / 3)]++] = corner;
}

/// The corner at the same vertex in the counter-clockwise neighbour of the face of `corner`, or none at a
/// wall.
Index next_corner(const Mesh& mesh, Index corner) {
  const Index face = corner / 3, c = corner % 3;
  const Index edge = mesh.face_edges((c + 1) % 3, face);
  const Index neighbour = mesh.edge_faces(mesh.edge_faces(0, edge) == face ? 1 : 0, edge);
  if (neighbour == Mesh::none) return Mesh::none;
  const Index vertex = mesh.faces(c, face);
  for (Index k = 0; k < 3; ++k)
    if (mesh.faces(k, neighbour) == vertex) return 3 * neighbour + k;
  return Mesh::none;
}

/// Visits the faces around each vertex, starting at a wall if there is one: on a manifold this reaches all of
/// them.
void check_fans(const Mesh& mesh, const VertexNames& name) {
  for (Index i = 0; i < mesh.vertex_count; ++i) {
    const Index begin = mesh.ring_start[i], degree = mesh.ring_start[i + 1] - begin;
    Index first = mesh.ring_corner[begin];
    for (Index k = begin; k < begin + degree; ++k) {
      const Index corner = mesh.ring_corner[k];
      if (mesh.is_wall(mesh.face_edges((corner % 3 + 2) % 3, corner / 3))) {
        first = corner;
        break;
      }
    }
    Index met = 1;
    for (Index corner = next_corner(mesh, first); corner != first && corner != Mesh::none && met <= degree;
         corner = next_corner(mesh, corner))
      ++met;
    if (met != degree)
      throw Error(
          fmt::format("vertex {} is not manifold: its {} faces, including face {}, do not form one fan",
                      name(i), degree, first / 3));
  }
}

}  // namespace

bool Mesh::closed() const {
  return face_count() > 0 && (edge_faces.row(1).array() != none).all();
}

Mesh triangles_of(const Mesh& mesh) {
  Mesh triangles;
  triangles.vertex_count = mesh.vertex_count;
  triangles.faces = mesh.faces;
  return triangles;
}

std::vector<BoundarySet> boundary_loops(const Mesh& mesh, const std::vector<Index>& number) {
  DisjointSets sets(mesh.vertex_count);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e)) sets.join(mesh.edges(0, e), mesh.edges(1, e));
  struct Loop {
    Index smallest;
    Array<Index> edges;
  };
  std::map<Index, Loop> loops;  // by representative of the set
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    if (!mesh.is_wall(e)) continue;
    const auto [place, is_new] =
        loops.try_emplace(sets.find(mesh.edges(0, e)), Loop{std::numeric_limits<Index>::max(), {}});
    for (const Index vertex : {mesh.edges(0, e), mesh.edges(1, e)})
      place->second.smallest = std::min(place->second.smallest, number[vertex]);
    place->second.edges.push_back(e);
  }
  std::map<Index, Array<Index>> ordered;
  for (auto& [root, loop] : loops) ordered.emplace(loop.smallest, std::move(loop.edges));
  std::vector<BoundarySet> result;
  for (auto& [smallest, edges] : ordered)
    result.push_back({fmt::format("loop-{}", result.size() + 1), std::move(edges)});
  return result;
}

Mesh make_mesh(const Faces& faces, Index vertex_count, const std::vector<Index>* source_vertex) {
  check_indices(faces, vertex_count);
  const VertexNames name(source_vertex);
  Mesh mesh;
  mesh.vertex_count = vertex_count;
  mesh.faces = faces;
  set_edges(mesh, name);
  set_rings(mesh, name);
  check_fans(mesh, name);
  return mesh;
}

}  // namespace shoal
