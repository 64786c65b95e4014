#include "discretizations/mesh/part.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "discretizations/common/error.hpp"
#include "discretizations/mesh/edges.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shoal {
namespace {

Index first_face(const Mesh& whole, int rank, int count) {
  return static_cast<Index>(std::int64_t{whole.face_count()} * rank / count);
}

int rank_of_face(const Mesh& whole, Index face, int count) {
  int rank = static_cast<int>(std::int64_t{face} * count / whole.face_count());
  while (face >= first_face(whole, rank + 1, count)) ++rank;
  while (face < first_face(whole, rank, count)) --rank;
  return rank;
}

/// The first triangle of the whole that contains each vertex and each edge.
struct Naming {
  explicit Naming(const Mesh& whole) : vertex(whole.vertex_count), edge(whole.edge_count()) {
    for (Index i = 0; i < whole.vertex_count; ++i) vertex[i] = whole.ring_corner[whole.ring_start[i]] / 3;
    for (Index e = 0; e < whole.edge_count(); ++e) {
      const Index right = whole.edge_faces(1, e);
      edge[e] = right == Mesh::none ? whole.edge_faces(0, e) : std::min(whole.edge_faces(0, e), right);
    }
  }
  Array<Index> vertex, edge;
};

constexpr Index elsewhere = -1;

/// The layer of each triangle of the whole around those in [begin, end).
Array<Index> layers_around(const Mesh& whole, Index begin, Index end, int layers) {
  Array<Index> layer_of(whole.face_count(), elsewhere);
  Array<char> reached(whole.vertex_count, 0);
  Array<Index> last;
  for (Index k = begin; k < end; ++k) last.push_back(k);
  for (const Index k : last) layer_of[k] = 0;
  for (int layer = 1; layer <= layers; ++layer) {
    Array<Index> next;
    for (const Index k : last)
      for (const Index vertex : whole.faces.col(k)) {
        if (reached[vertex]) continue;
        reached[vertex] = 1;
        for (Index r = whole.ring_start[vertex]; r < whole.ring_start[vertex + 1]; ++r) {
          const Index other = whole.ring_corner[r] / 3;
          if (layer_of[other] != elsewhere) continue;
          layer_of[other] = layer;
          next.push_back(other);
        }
      }
    last = std::move(next);
  }
  return layer_of;
}

/// Corners of these triangles that form one vertex of the part: corners at one vertex of the whole that are
/// connected by edges.
DisjointSets fans(const Mesh& whole, const Array<Index>& faces) {
  DisjointSets sets(3 * faces.size());
  Array<Index> place(whole.face_count(), -1);
  for (Index k = 0; k < faces.size(); ++k) place[faces[k]] = k;
  const auto corner_at = [&](Index k, Index vertex) {
    for (int c = 0; c < 3; ++c)
      if (whole.faces(c, faces[k]) == vertex) return 3 * k + c;
    return Mesh::none;
  };
  for (Index k = 0; k < faces.size(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index e = whole.face_edges(c, faces[k]);
      const Index other = whole.edge_faces(whole.edge_faces(0, e) == faces[k] ? 1 : 0, e);
      if (other == Mesh::none || other < faces[k] || place[other] < 0) continue;
      for (const Index vertex : whole.edges.col(e))
        sets.join(corner_at(k, vertex), corner_at(place[other], vertex));
    }
  return sets;
}

/// The range of own elements. Elements of the part are sorted by their first triangle, so that the own ones
/// are contiguous.
Range own_range(const Array<Index>& in_whole, const Array<Index>& naming, Index begin, Index end) {
  Range own;
  bool found = false;
  for (Index i = 0; i < in_whole.size(); ++i) {
    const Index first = naming[in_whole[i]];
    if (first < begin || first >= end) continue;
    if (!found) own.begin = i;
    found = true;
    own.count = i + 1 - own.begin;
  }
  return own;
}

/// The index of each element of the whole among those of its owner.
Array<Index> places_at_owners(const Array<Index>& order, const Array<Index>& naming, const Mesh& whole,
                              int count) {
  Array<Index> next(count, 0), place(naming.size());
  for (const Index i : order) place[i] = next[rank_of_face(whole, naming[i], count)]++;
  return place;
}

/// Elements of the whole in the order in which its triangles first contain them.
Array<Index> vertices_as_named(const Mesh& whole) {
  Array<Index> order;
  Array<char> named(whole.vertex_count, 0);
  for (Index k = 0; k < whole.face_count(); ++k)
    for (const Index i : whole.faces.col(k)) {
      if (!named[i]) order.push_back(i);
      named[i] = 1;
    }
  return order;
}

Array<Index> ascending(Index count) {
  Array<Index> order(count);
  for (Index i = 0; i < count; ++i) order[i] = i;
  return order;
}

}  // namespace

const Range& Part::own(Location at) const {
  return at == Location::vertex ? own_vertices : at == Location::edge ? own_edges : own_faces;
}

const Array<Index>& Part::in_whole(Location at) const {
  return at == Location::vertex ? vertex : at == Location::edge ? edge : face;
}

const Array<Ghost>& Part::ghosts(Location at) const {
  return at == Location::vertex ? vertex_ghosts : at == Location::edge ? edge_ghosts : face_ghosts;
}

Surface part_of(const Surface& whole, std::shared_ptr<const Ranks> ranks, int layers) {
  const Mesh& mesh = whole.mesh;
  const int count = ranks->count(), rank = ranks->rank();
  if (mesh.face_count() < count)
    throw Refusal(fmt::format("{} triangles are fewer than the {} processes that are to share them",
                              mesh.face_count(), count));
  const Index begin = first_face(mesh, rank, count), end = first_face(mesh, rank + 1, count);
  auto part = std::make_shared<Part>();
  part->ranks = ranks;
  part->layers = layers;
  const Array<Index> layer = layers_around(mesh, begin, end, layers);
  for (Index k = 0; k < mesh.face_count(); ++k)
    if (layer[k] != elsewhere) {
      part->face.push_back(k);
      part->layer.push_back(layer[k]);
    }
  const Array<Index>& faces = part->face;

  DisjointSets fan = fans(mesh, faces);
  Array<Index> number(3 * faces.size(), -1);  // number of the vertex, at the first corner of a fan
  Faces numbered(3, faces.size());
  for (Index k = 0; k < faces.size(); ++k)
    for (int c = 0; c < 3; ++c) {
      Index& vertex = number[fan.find(3 * k + c)];
      if (vertex < 0) {
        vertex = part->vertex.size();
        part->vertex.push_back(mesh.faces(c, faces[k]));
      }
      numbered(c, k) = vertex;
    }

  Surface surface;
  surface.name = whole.name;
  surface.source = whole.source;
  surface.weld = whole.weld;
  surface.mesh = make_mesh(numbered, part->vertex.size());
  surface.x.resize(3, part->vertex.size());
  for (Index i = 0; i < part->vertex.size(); ++i) surface.x.col(i) = whole.x.col(part->vertex[i]);
  for (const Index i : part->vertex) surface.input_vertex.push_back(whole.input_vertex.begin()[i]);
  for (const Index k : faces) surface.input_face.push_back(whole.input_face.begin()[k]);

  Mesh& here = surface.mesh;
  part->edge.resize(here.edge_count());
  for (Index k = 0; k < faces.size(); ++k)
    for (int c = 0; c < 3; ++c) part->edge[here.face_edges(c, k)] = mesh.face_edges(c, faces[k]);
  part->rim.assign(here.edge_count(), 0);
  for (Index e = 0; e < here.edge_count(); ++e)
    part->rim[e] = here.is_wall(e) && !mesh.is_wall(part->edge[e]);
  if (mesh.periodic()) {
    here.corner_shift.resize(3, 3 * Eigen::Index{faces.size()});
    for (Index k = 0; k < faces.size(); ++k)
      here.corner_shift.middleCols<3>(3 * Eigen::Index{k}) =
          mesh.corner_shift.middleCols<3>(3 * Eigen::Index{faces[k]});
    here.edge_shift.resize(3, here.edge_count());
    for (Index e = 0; e < here.edge_count(); ++e) {
      const bool same = faces[here.edge_faces(0, e)] == mesh.edge_faces(0, part->edge[e]);
      here.edge_shift.col(e) = (same ? 1 : -1) * mesh.edge_shift.col(part->edge[e]);
    }
  }
  Array<Index> edge_here(mesh.edge_count(), -1);
  for (Index e = 0; e < here.edge_count(); ++e) edge_here[part->edge[e]] = e;
  for (const BoundarySet& set : mesh.boundary_sets) {
    here.boundary_sets.push_back({set.name, {}});
    for (const Index e : set.edges)
      if (edge_here[e] >= 0) here.boundary_sets.back().edges.push_back(edge_here[e]);
  }

  const Naming naming(mesh);
  part->own_faces = own_range(part->face, ascending(mesh.face_count()), begin, end);
  part->own_vertices = own_range(part->vertex, naming.vertex, begin, end);
  part->own_edges = own_range(part->edge, naming.edge, begin, end);
  // The first own element of each rank.
  Array<std::int64_t> first(3 * count, 0);
  const Location kinds[] = {Location::vertex, Location::edge, Location::face};
  for (int kind = 0; kind < 3; ++kind) first[3 * rank + kind] = part->own(kinds[kind]).begin;
  ranks->add({first.begin(), first.end()});
  const auto ghosts_of = [&](int kind, const Array<Index>& in_whole, const Array<Index>& order,
                             const Array<Index>& first_face_of) {
    const Array<Index> place = places_at_owners(order, first_face_of, mesh, count);
    const Range own = part->own(kinds[kind]);
    Array<Ghost> ghosts;
    for (Index i = 0; i < in_whole.size(); ++i) {
      if (i >= own.begin && i < own.begin + own.count) continue;
      const int owner = rank_of_face(mesh, first_face_of[in_whole[i]], count);
      ghosts.push_back({owner, static_cast<Index>(first[3 * owner + kind]) + place[in_whole[i]], i});
    }
    return ghosts;
  };
  part->vertex_ghosts = ghosts_of(0, part->vertex, vertices_as_named(mesh), naming.vertex);
  part->edge_ghosts = ghosts_of(1, part->edge, ascending(mesh.edge_count()), naming.edge);
  part->face_ghosts = ghosts_of(2, part->face, ascending(mesh.face_count()), ascending(mesh.face_count()));
  DisjointSets components(mesh.vertex_count);
  for (const auto edge : mesh.edges.colwise()) components.join(edge[0], edge[1]);
  for (Index i = 0; i < mesh.vertex_count; ++i)
    if (components.find(i) == i) part->component_first.push_back(i);
  for (const Index i : part->vertex)
    part->component.push_back(static_cast<Index>(
        std::ranges::lower_bound(part->component_first, components.find(i)) - part->component_first.begin()));
  here.part = std::move(part);
  return surface;
}

}  // namespace shoal
