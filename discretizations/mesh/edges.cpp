// Pairs half-edges by sorting them within buckets of their smaller vertex: deterministic, no hashing, and
// safe for vertices of any degree.
#include "discretizations/mesh/edges.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace shoal {
namespace {

struct HalfEdge {
  Index larger;  ///< the larger of its two vertices; the smaller one selects the bucket
  Index corner;  ///< 3·face + the opposite corner
};

/// For every half-edge the half-edge of lowest number with the same two vertices.
Array<Index> first_named(const Faces& faces, Index vertex_count) {
  const Index corner_count = 3 * static_cast<Index>(faces.cols());
  const auto ends = [&](Index corner) {
    return std::minmax({edge_tail(faces, corner / 3, corner % 3), edge_head(faces, corner / 3, corner % 3)});
  };
  Array<Index> start(vertex_count + 1, 0);
  for (Index corner = 0; corner < corner_count; ++corner) ++start[ends(corner).first + 1];
  for (Index i = 0; i < vertex_count; ++i) start[i + 1] += start[i];
  Array<HalfEdge> half_edges(corner_count);
  Array<Index> next(start.begin(), start.end() - 1);
  for (Index corner = 0; corner < corner_count; ++corner) {
    const auto [smaller, larger] = ends(corner);
    half_edges[next[smaller]++] = {larger, corner};
  }
  Array<Index> first(corner_count);
  for (Index i = 0; i < vertex_count; ++i) {
    const auto begin = half_edges.begin() + start[i], end = half_edges.begin() + start[i + 1];
    std::sort(begin, end, [](const HalfEdge& a, const HalfEdge& b) {
      return a.larger != b.larger ? a.larger < b.larger : a.corner < b.corner;
    });
    for (auto it = begin; it != end; ++it)
      first[it->corner] =
          it != begin && (it - 1)->larger == it->larger ? first[(it - 1)->corner] : it->corner;
  }
  return first;
}

}  // namespace

EdgeList list_edges(const Faces& faces, Index vertex_count) {
  const Index corner_count = 3 * static_cast<Index>(faces.cols());
  const Array<Index> first = first_named(faces, vertex_count);
  EdgeList list;
  list.face_edges.resize(3, faces.cols());
  Index edge_count = 0;
  for (Index corner = 0; corner < corner_count; ++corner) {
    const Index leader = first[corner];
    list.face_edges(corner % 3, corner / 3) =
        leader == corner ? edge_count++ : list.face_edges(leader % 3, leader / 3);
  }
  list.edges.resize(2, edge_count);
  list.side_start.assign(edge_count + 1, 0);
  for (Index corner = 0; corner < corner_count; ++corner) {
    const Index edge = list.face_edges(corner % 3, corner / 3);
    ++list.side_start[edge + 1];
    if (first[corner] == corner)
      list.edges.col(edge) << edge_tail(faces, corner / 3, corner % 3),
          edge_head(faces, corner / 3, corner % 3);
  }
  for (Index edge = 0; edge < edge_count; ++edge) list.side_start[edge + 1] += list.side_start[edge];
  list.side.resize(corner_count);
  Array<Index> next(list.side_start.begin(), list.side_start.end() - 1);
  for (Index corner = 0; corner < corner_count; ++corner)
    list.side[next[list.face_edges(corner % 3, corner / 3)]++] = corner;
  return list;
}

std::string VertexNames::edge(const EdgeList& list, Index edge) const {
  return fmt::format("edge ({}, {})", (*this)(list.edges(0, edge)), (*this)(list.edges(1, edge)));
}

void check_sides(const EdgeList& list, const VertexNames& name) {
  for (Index edge = 0; edge < list.edge_count(); ++edge) {
    if (list.side_count(edge) <= 2) continue;
    const Index* side = &list.side[list.side_start[edge]];
    throw Error(fmt::format("{} is not manifold: {} faces share it, among them {}, {} and {}",
                            name.edge(list, edge), list.side_count(edge), side[0] / 3, side[1] / 3,
                            side[2] / 3));
  }
}

void check_indices(const Faces& faces, Index vertex_count) {
  if (faces.cols() == 0) throw Error("it has no faces");
  if (faces.cols() > std::numeric_limits<Index>::max() / 3)
    throw Error(fmt::format("it has {} faces, too many for the index type", faces.cols()));
  for (Index face = 0; face < faces.cols(); ++face) {
    for (int c = 0; c < 3; ++c)
      if (faces(c, face) < 0 || faces(c, face) >= vertex_count)
        throw Error(
            fmt::format("face {} names vertex {}, outside [0, {}]", face, faces(c, face), vertex_count - 1));
    for (int c = 0; c < 3; ++c)
      if (faces(c, face) == faces((c + 1) % 3, face))
        throw Error(fmt::format("face {} is degenerate: it names vertex {} twice", face, faces(c, face)));
  }
}

}  // namespace shoal
