// Orders faces along a Hilbert curve, in pieces, and vertices by reverse Cuthill–McKee within them.
#include "discretizations/mesh/reorder.hpp"

#include "discretizations/mesh/edges.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

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

/// Breadth-first search that marks vertices with `mark` and appends them to `order`; returns the position in
/// `order` at which the last level begins.
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

/// A vertex from which the breadth-first depth of the component is (nearly) maximal.
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

/// Reverse Cuthill–McKee order of the vertices (Cuthill and McKee 1969; start by George and Liu 1979): entry
/// i is the i-th vertex. Components are ordered by their lowest vertex, then all is reversed.
Array<Index> vertex_order(const Faces& faces, Index vertex_count) {
  const Graph graph = vertex_graph(faces, vertex_count);
  Array<Index> order, marks(vertex_count, 0), placed(vertex_count, 0);
  order.reserve(vertex_count);
  Index mark = 0, depth = 0;
  for (Index seed = 0; seed < vertex_count; ++seed)
    if (!placed[seed]) walk(graph, peripheral_vertex(graph, seed, mark, marks), 1, placed, order, depth);
  return {order.rbegin(), order.rend()};
}

/// Orders faces lexicographically by their sorted vertex numbers: entry k is the k-th face.
Array<Index> face_order(const Faces& faces) {
  Array<std::pair<std::array<Index, 3>, Index>> keys(static_cast<Index>(faces.cols()));
  for (Index k = 0; k < keys.size(); ++k) {
    std::array<Index, 3> vertices = {faces(0, k), faces(1, k), faces(2, k)};
    std::sort(vertices.begin(), vertices.end());
    keys[k] = {vertices, k};
  }
  std::sort(keys.begin(), keys.end());
  Array<Index> order(keys.size());
  for (Index k = 0; k < order.size(); ++k) order[k] = keys[k].second;
  return order;
}

/// The lowest 21 bits of a number, each followed by two zeros.
std::uint64_t spread(std::uint64_t bits) {
  bits = (bits | bits << 32) & 0x001f00000000ffff;
  bits = (bits | bits << 16) & 0x001f0000ff0000ff;
  bits = (bits | bits << 8) & 0x100f00f00f00f00f;
  bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
  return (bits | bits << 2) & 0x1249249249249249;
}

/// The position on a Hilbert curve through a cube of 2²¹ cells per side (Skilling 2004,
/// doi:10.1063/1.1751381).
std::uint64_t place_on_curve(std::array<std::uint32_t, 3> cell) {
  constexpr int bits = 21;
  for (std::uint32_t bit = 1U << (bits - 1); bit > 1; bit >>= 1) {
    const std::uint32_t below = bit - 1;
    for (std::uint32_t& axis : cell) {  // without branches, which would be mispredicted
      const bool inverts = axis & bit;
      const std::uint32_t exchanged = inverts ? 0 : (cell[0] ^ axis) & below;
      cell[0] ^= inverts ? below : exchanged;
      axis ^= exchanged;
    }
  }
  cell[1] ^= cell[0];
  cell[2] ^= cell[1];
  std::uint32_t turns = 0;
  for (std::uint32_t bit = 1U << (bits - 1); bit > 1; bit >>= 1)
    if (cell[2] & bit) turns ^= bit - 1;
  for (std::uint32_t& axis : cell) axis ^= turns;
  return spread(cell[0]) << 2 | spread(cell[1]) << 1 | spread(cell[2]);
}

/// A cube that contains all centroids.
struct Cube {
  explicit Cube(const Points& centroids)
      : low(centroids.rowwise().minCoeff()), size((centroids.colwise() - low).maxCoeff()) {}
  Vector3 low;
  double size;
};

/// Sorts these faces along the curve.
void sort_along_curve(const Points& centroids, const Cube& cube, std::span<Index> faces) {
  constexpr double cells = (1 << 21) - 1;
  std::vector<std::pair<std::uint64_t, Index>> places;
  places.reserve(faces.size());
  for (const Index k : faces) {
    std::array<std::uint32_t, 3> cell;
    for (int c = 0; c < 3; ++c)
      cell[c] =
          static_cast<std::uint32_t>(cube.size > 0 ? (centroids(c, k) - cube.low[c]) / cube.size * cells : 0);
    places.emplace_back(place_on_curve(cell), k);
  }
  std::sort(places.begin(), places.end());
  std::ranges::transform(places, faces.begin(), [](const auto& place) { return place.second; });
}

/// Sorts `along` by part and cuts each part into pieces of at most faces_of_piece triangles, along the curve if there are several. Returns
/// 0 and the end of each piece.
Array<Index> cut_into_pieces(const Points& centroids, const Array<Index>& part, Array<Index>& along) {
  if (!part.empty()) std::ranges::stable_sort(along, {}, [&](Index face) { return part[face]; });
  Array<Index> ends{0};
  std::optional<Cube> cube;
  for (Index begin = 0; begin < along.size();) {
    Index end = part.empty() ? along.size() : begin;
    while (end < along.size() && part[along[end]] == part[along[begin]]) ++end;
    const Index pieces = (end - begin + faces_of_piece - 1) / faces_of_piece;
    if (pieces > 1 && !cube) cube.emplace(centroids);
    if (pieces > 1) sort_along_curve(centroids, *cube, std::span(along.begin() + begin, along.begin() + end));
    for (Index p = 1; p <= pieces; ++p)
      ends.push_back(begin + static_cast<Index>(std::int64_t{end - begin} * p / pieces));
    begin = end;
  }
  return ends;
}

}  // namespace

Order locality_order(const Faces& faces, Index vertex_count, const Points& centroids,
                     const Array<Index>& part) {
  Array<Index> along(static_cast<Index>(faces.cols()));
  std::iota(along.begin(), along.end(), 0);
  const Array<Index> ends = cut_into_pieces(centroids, part, along);
  Order order;
  Array<Index> number(vertex_count, -1);      // index within the piece
  Array<Index> last_piece(vertex_count, -1);  // with that vertex
  for (Index piece = 0; piece + 1 < ends.size(); ++piece) {
    const Index begin = ends[piece], end = ends[piece + 1];
    std::sort(along.begin() + begin, along.begin() + end);
    Faces numbered(3, end - begin);
    Array<Index> vertices;
    for (Index k = 0; k < numbered.cols(); ++k)
      for (const Index vertex : faces.col(along[begin + k]))
        if (std::exchange(last_piece[vertex], piece) != piece) vertices.push_back(vertex);
    std::sort(vertices.begin(), vertices.end());
    const auto renumber = [&] {
      for (Index k = 0; k < numbered.cols(); ++k)
        for (int c = 0; c < 3; ++c) numbered(c, k) = number[faces(c, along[begin + k])];
    };
    for (Index i = 0; i < vertices.size(); ++i) number[vertices[i]] = i;
    renumber();
    const Array<Index> in_order = vertex_order(numbered, vertices.size());
    for (Index i = 0; i < in_order.size(); ++i) number[vertices[in_order[i]]] = i;
    renumber();
    for (const Index k : face_order(numbered)) order.faces.push_back(along[begin + k]);
  }
  Array<char> placed(vertex_count, 0);
  for (const Index k : order.faces)
    for (const Index vertex : faces.col(k))
      if (!std::exchange(placed[vertex], 1)) order.vertices.push_back(vertex);
  return order;
}

}  // namespace shoal
