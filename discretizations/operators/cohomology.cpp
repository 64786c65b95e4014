// Tree and cotree, and the forms across the dual loops of edges in neither.
#include "discretizations/operators/cohomology.hpp"

#include "discretizations/common/disjoint_sets.hpp"

#include <map>
#include <queue>

namespace shoal {
namespace {

/// The boundary of every wall edge, numbered from 0; −1 for interior edges.
Array<Index> boundary_of_edge(const Mesh& mesh, Index& boundaries) {
  DisjointSets sets(mesh.vertex_count);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e)) sets.join(mesh.edges(0, e), mesh.edges(1, e));
  std::map<Index, Index> number;
  Array<Index> of_edge(mesh.edge_count(), -1);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e))
      of_edge[e] =
          number.try_emplace(sets.find(mesh.edges(0, e)), static_cast<Index>(number.size())).first->second;
  boundaries = static_cast<Index>(number.size());
  return of_edge;
}

}  // namespace

std::vector<ClosedForm> closed_forms(const Mesh& mesh) {
  Index boundaries = 0;
  const Array<Index> boundary = boundary_of_edge(mesh, boundaries);
  const Index faces = mesh.face_count(), nodes = faces + boundaries;  // caps are nodes of the dual graph
  const auto node = [&](int side, Index e) {
    return side == 1 && mesh.is_wall(e) ? faces + boundary[e] : mesh.edge_faces(side, e);
  };
  Array<Array<Index>> edges_of(nodes);
  for (Index e = 0; e < mesh.edge_count(); ++e)
    for (int side = 0; side < 2; ++side) edges_of[node(side, e)].push_back(e);

  // Dual spanning forest, breadth first: the edge through which each node was reached, and its distance.
  Array<Index> through(nodes, -1), depth(nodes, -1);
  Array<char> crossed(mesh.edge_count(), 0);
  const auto other = [&](Index e, Index from) { return node(0, e) == from ? node(1, e) : node(0, e); };
  for (Index root = 0; root < nodes; ++root) {
    if (depth[root] >= 0) continue;
    std::queue<Index> front;
    front.push(root);
    depth[root] = 0;
    for (; !front.empty(); front.pop()) {
      const Index at = front.front();
      for (const Index e : edges_of[at]) {
        const Index next = other(e, at);
        if (depth[next] >= 0) continue;
        depth[next] = depth[at] + 1;
        through[next] = e;
        crossed[e] = 1;
        front.push(next);
      }
    }
  }
  DisjointSets tree(mesh.vertex_count);
  std::vector<ClosedForm> forms;
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    if (crossed[e]) continue;
    if (tree.find(mesh.edges(0, e)) != tree.find(mesh.edges(1, e))) {
      tree.join(mesh.edges(0, e), mesh.edges(1, e));
      continue;
    }
    // ±1 along each edge crossed by the dual loop through e, by the side of the crossing.
    std::map<Index, double> along;
    const auto cross = [&](Index edge, Index from) { along[edge] += node(0, edge) == from ? 1 : -1; };
    cross(e, node(0, e));
    Index end = node(1, e), begin = node(0, e);
    while (end != begin) {
      if (depth[end] >= depth[begin]) {
        cross(through[end], end);
        end = other(through[end], end);
      } else {
        const Index edge = through[begin], before = other(edge, begin);
        cross(edge, before);
        begin = before;
      }
    }
    ClosedForm form;
    std::map<Index, std::pair<double, double>> at_face;
    for (const auto& [edge, value] : along)
      for (int side = 0; side < 2; ++side) {
        if (side == 1 && mesh.is_wall(edge)) continue;
        const Index face = mesh.edge_faces(side, edge);
        for (int c = 0; c < 3; ++c) {
          if (mesh.face_edges(c, face) != edge) continue;
          const double forward = mesh.faces((c + 1) % 3, face) == mesh.edges(0, edge) ? value : -value;
          // The edge from corner c+1 to c+2; x₂−x₀ is the edge opposite to corner 1, reversed.
          if (c == 2) at_face[face].first += forward;
          if (c == 1) at_face[face].second -= forward;
          if (c == 0) at_face[face];
        }
      }
    for (const auto& [face, pair] : at_face) form.entries.push_back({face, pair.first, pair.second});
    forms.push_back(std::move(form));
  }
  return forms;
}

}  // namespace shoal
