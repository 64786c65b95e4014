// Reverse Cuthill–McKee for triangle meshes.
#include "discretizations/mesh/reorder.hpp"

#include "discretizations/mesh/edges.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace shoal {
namespace {

/// Vertex neighbours as compressed rows, ascending by degree and then number.
struct Graph {
  Array<Index> start, neighbour;
  Index degree(Index v) const { return start[v + 1] - start[v]; }
};

Graph vertex_graph(const Faces& faces, Index vertex_count) {
  const EdgeList list = list_edges(faces, vertex_count);
  Graph graph;
  graph.start.assign(vertex_count + 1, 0);
  for (const Index vertex : list.edges.reshaped()) ++graph.start[vertex + 1];
  for (Index v = 0; v < vertex_count; ++v) graph.start[v + 1] += graph.start[v];
  graph.neighbour.resize(list.edges.size());
  Array<Index> next(graph.start.begin(), graph.start.end() - 1);
  for (Index edge = 0; edge < list.edge_count(); ++edge) {
    graph.neighbour[next[list.edges(0, edge)]++] = list.edges(1, edge);
    graph.neighbour[next[list.edges(1, edge)]++] = list.edges(0, edge);
  }
  for (Index v = 0; v < vertex_count; ++v)
    std::sort(graph.neighbour.begin() + graph.start[v], graph.neighbour.begin() + graph.start[v + 1],
              [&](Index a, Index b) {
                return graph.degree(a) != graph.degree(b) ? graph.degree(a) < graph.degree(b) : a < b;
              });
  return graph;
}

/// Breadth-first walk that marks with `mark`; appends to `order` and returns where the last level begins in
/// it.
Index walk(const Graph& graph, Index root, Index mark, Array<Index>& marks, Array<Index>& order,
           Index& depth) {
  Index level = order.size();
  order.push_back(root);
  marks[root] = mark;
  depth = 0;
  for (Index next = level, level_end = level + 1; next < order.size(); ++next) {
    if (next == level_end) {
      level = next;
      level_end = order.size();
      ++depth;
    }
    const Index v = order[next];
    for (Index k = graph.start[v]; k < graph.start[v + 1]; ++k) {
      const Index other = graph.neighbour[k];
      if (marks[other] == mark) continue;
      marks[other] = mark;
      order.push_back(other);
    }
  }
  return level;
}

/// A vertex from which the component is (nearly) as deep as it can be.
Index peripheral_vertex(const Graph& graph, Index seed, Index& mark, Array<Index>& marks) {
  Array<Index> order;
  Index root = seed, depth = -1;
  for (;;) {
    order.clear();
    Index reached = 0;
    const Index last_level = walk(graph, root, ++mark, marks, order, reached);
    if (reached <= depth) return root;
    depth = reached;
    root = *std::min_element(order.begin() + last_level, order.end(),
                             [&](Index a, Index b) { return graph.degree(a) < graph.degree(b); });
  }
}

}  // namespace

std::vector<Index> locality_order(const Faces& faces, Index vertex_count) {
  const Graph graph = vertex_graph(faces, vertex_count);
  Array<Index> order, marks(vertex_count, 0), placed(vertex_count, 0);
  order.reserve(vertex_count);
  Index mark = 0, depth = 0;
  for (Index seed = 0; seed < vertex_count; ++seed)
    if (!placed[seed]) walk(graph, peripheral_vertex(graph, seed, mark, marks), 1, placed, order, depth);
  return {order.rbegin(), order.rend()};
}

std::vector<Index> face_order(const Faces& faces) {
  const auto key = [&](Index face) {
    std::array<Index, 3> vertices = {faces(0, face), faces(1, face), faces(2, face)};
    std::sort(vertices.begin(), vertices.end());
    return vertices;
  };
  std::vector<Index> order(faces.cols());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Index a, Index b) { return key(a) < key(b); });
  return order;
}

}  // namespace shoal
