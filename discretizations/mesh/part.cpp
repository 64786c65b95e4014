#include "discretizations/mesh/part.hpp"

#include "discretizations/common/disjoint_sets.hpp"
#include "discretizations/common/error.hpp"
#include "discretizations/mesh/edges.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace shoal {
namespace {

/// The ranges of triangles that the ranks own.
class Shares {
 public:
  /// Each rank owns the same number of parts; a share that begins within a part begins at the corresponding fraction of its triangles.
  Shares(const Surface& whole, int ranks) {
    const Array<Index> single{0, whole.mesh.face_count()};
    const Array<Index>& begin = whole.part_begin.empty() ? single : whole.part_begin;
    const std::int64_t parts = begin.size() - 1;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto part = static_cast<Index>(parts * rank / ranks);
      const std::int64_t within = parts * rank % ranks;  // of `ranks` pieces of the part
      begin_.push_back(begin[part] + static_cast<Index>((begin[part + 1] - begin[part]) * within / ranks));
    }
    begin_.push_back(whole.mesh.face_count());
  }
  Index begin(int rank) const { return begin_[rank]; }
  Index end(int rank) const { return begin_[rank + 1]; }
  int rank_of(Index face) const {
    return static_cast<int>(std::ranges::upper_bound(begin_, face) - begin_.begin()) - 1;
  }
  bool has_an_empty_one() const { return std::ranges::adjacent_find(begin_) != begin_.end(); }

 private:
  Array<Index> begin_;
};

/// The first of the triangles that contains each vertex.
Array<Index> first_faces(const Faces& faces, Index vertex_count) {
  Array<Index> first(vertex_count);
  for (Index k = static_cast<Index>(faces.cols()) - 1; k >= 0; --k)
    for (const Index vertex : faces.col(k)) first[vertex] = k;
  return first;
}

using Layer = Index;
constexpr Layer elsewhere = -1;

/// The layer of each triangle of the whole around those in [begin, end).
Array<Layer> layers_around(const Mesh& whole, Index begin, Index end, int layers) {
  Array<Layer> layer_of(whole.face_count(), elsewhere);
  std::fill(layer_of.begin() + begin, layer_of.begin() + end, Layer{0});
  Array<char> reached(whole.vertex_count, 0);
  bool grows = true;
  for (int layer = 1; layer <= layers && grows; ++layer) {
    grows = false;
    for (Index k = 0; k < whole.face_count(); ++k)
      if (layer_of[k] == layer - 1)
        for (const Index vertex : whole.faces.col(k)) reached[vertex] = 1;
    for (Index k = 0; k < whole.face_count(); ++k)
      if (const auto v = whole.faces.col(k);
          layer_of[k] == elsewhere && (reached[v[0]] || reached[v[1]] || reached[v[2]])) {
        layer_of[k] = layer;
        grows = true;
      }
  }
  return layer_of;
}

/// Triangles of the whole with their vertices numbered anew, without gaps, and their edges.
struct Connection {
  Connection(const Mesh& whole, const Array<Index>& in_whole) : faces(3, in_whole.size()) {
    Array<Index> number(whole.vertex_count, Mesh::none);
    Index vertex_count = 0;
    for (Index k = 0; k < in_whole.size(); ++k)
      for (int c = 0; c < 3; ++c) {
        Index& vertex = number[whole.faces(c, in_whole[k])];
        if (vertex == Mesh::none) vertex = vertex_count++;
        faces(c, k) = vertex;
      }
    edges = list_edges(faces, vertex_count);
  }
  Faces faces;
  EdgeList edges;
};

/// Corners of these triangles that form one vertex of the part: corners at one vertex of the whole that are
/// connected by edges.
DisjointSets fans(const Connection& triangles) {
  DisjointSets sets(static_cast<Index>(triangles.faces.size()));
  const auto corner_at = [&](Index k, Index vertex) {
    for (int c = 0; c < 3; ++c)
      if (triangles.faces(c, k) == vertex) return 3 * k + c;
    return Mesh::none;
  };
  const EdgeList& list = triangles.edges;
  for (Index e = 0; e < list.edge_count(); ++e) {
    const Index* side = &list.side[list.side_start[e]];
    if (list.side_count(e) == 2)
      for (const Index vertex : list.edges.col(e))
        sets.join(corner_at(side[0] / 3, vertex), corner_at(side[1] / 3, vertex));
  }
  return sets;
}

/// For each edge of the part that has one triangle there the other triangle of the whole, or none at a wall.
Array<Index> faces_beyond(const Mesh& whole, const Array<Layer>& layer_of, const Mesh& here,
                          const Part& part) {
  using Ends = std::pair<Index, Index>;
  Array<std::pair<Ends, Index>> single;  // edges by their ends in the whole
  Array<char> at_rim(whole.vertex_count, 0);
  for (Index e = 0; e < here.edge_count(); ++e) {
    if (!here.is_wall(e)) continue;
    const Ends ends = std::minmax({part.vertex[here.edges(0, e)], part.vertex[here.edges(1, e)]});
    single.push_back({ends, e});
    at_rim[ends.first] = at_rim[ends.second] = 1;
  }
  std::sort(single.begin(), single.end());
  Array<Index> beyond(here.edge_count(), Mesh::none);
  for (Index k = 0; k < whole.face_count(); ++k) {
    const auto v = whole.faces.col(k);
    if (layer_of[k] != elsewhere || at_rim[v[0]] + at_rim[v[1]] + at_rim[v[2]] < 2) continue;
    for (int c = 0; c < 3; ++c) {
      const Ends ends = std::minmax({v[(c + 1) % 3], v[(c + 2) % 3]});
      const auto found = std::lower_bound(single.begin(), single.end(), std::pair(ends, Index{0}));
      if (found != single.end() && found->first == ends) beyond[found->second] = k;
    }
  }
  return beyond;
}

/// The range of own elements, by the first triangle of each. Elements of the part are sorted by it, so that the own ones
/// are contiguous.
Range own_range(const Array<Index>& first_face, Index begin, Index end) {
  Range own;
  bool found = false;
  for (Index i = 0; i < first_face.size(); ++i) {
    if (first_face[i] < begin || first_face[i] >= end) continue;
    if (!found) own.begin = i;
    found = true;
    own.count = i + 1 - own.begin;
  }
  return own;
}

/// Tells the processes what others know of their elements.
class Neighbours {
 public:
  explicit Neighbours(const Part& part) : part_(part) {
    std::vector<Ghost> corners;
    for (const Ghost& ghost : part.face_ghosts)
      for (int c = 0; c < 3; ++c) corners.push_back({ghost.owner, 3 * ghost.there + c, 3 * ghost.here + c});
    renewal_ = part.ranks->renewal(corners);
  }

  /// The index at their owners of all elements, of which triangles name one at each corner.
  Array<Index> places_at_owners(const Faces& elements, Index count, const Range& own) const {
    constexpr double unknown = -1;
    Vector place = Vector::Constant(count, unknown), at_corners(elements.size());
    for (Index i = own.begin; i < own.begin + own.count; ++i) place[i] = i;
    // First the owners of triangles tell what they own themselves, then also what they have been told: of the first triangle of an
    // element, or of one beside it.
    for (int round = 0; round < 2 && part_.ranks->count() > 1; ++round) {
      for (Eigen::Index corner = 0; corner < elements.size(); ++corner)
        at_corners[corner] = place[elements.reshaped()[corner]];
      (*renewal_)(at_corners.data());
      for (Eigen::Index corner = 0; corner < elements.size(); ++corner)
        if (double& known = place[elements.reshaped()[corner]]; known == unknown) known = at_corners[corner];
    }
    return {place.begin(), place.end()};
  }

 private:
  const Part& part_;
  std::unique_ptr<Renewal> renewal_;
};

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

Surface part_of(const Surface& whole, std::shared_ptr<const Ranks> ranks, int layers, int margin) {
  const Mesh& mesh = whole.mesh;
  const int count = ranks->count(), rank = ranks->rank();
  if (mesh.face_count() < count)
    throw Refusal(fmt::format("{} triangles are fewer than the {} processes that are to share them",
                              mesh.face_count(), count));
  const Shares shares(whole, count);
  if (shares.has_an_empty_one())
    throw Refusal(fmt::format("the {} parts of the mesh leave one of the {} processes without triangles",
                              whole.part_begin.size() - 1, count));
  const Index begin = shares.begin(rank), end = shares.end(rank);
  auto part = std::make_shared<Part>();
  part->ranks = ranks;
  part->layers = layers;
  part->margin = margin;
  const Array<Layer> layer = layers_around(mesh, begin, end, layers);
  for (Index k = 0; k < mesh.face_count(); ++k)
    if (layer[k] != elsewhere) {
      part->face.push_back(k);
      part->layer.push_back(layer[k]);
    }
  const Array<Index>& faces = part->face;

  Faces numbered(3, faces.size());
  {
    DisjointSets fan = fans(Connection(mesh, faces));
    Array<Index> number(3 * faces.size(), -1);  // number of the vertex, at the first corner of a fan
    for (Index k = 0; k < faces.size(); ++k)
      for (int c = 0; c < 3; ++c) {
        Index& vertex = number[fan.find(3 * k + c)];
        if (vertex < 0) {
          vertex = part->vertex.size();
          part->vertex.push_back(mesh.faces(c, faces[k]));
        }
        numbered(c, k) = vertex;
      }
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
  const Array<Index> beyond = faces_beyond(mesh, layer, here, *part);
  part->rim.assign(here.edge_count(), 0);
  for (Index e = 0; e < here.edge_count(); ++e) part->rim[e] = beyond[e] != Mesh::none;
  Array<Index> first_of_edge(here.edge_count());  // triangle in the whole
  for (Index e = 0; e < here.edge_count(); ++e) {
    Index& first = first_of_edge[e] = faces[here.edge_faces(0, e)];
    const Index other = here.is_wall(e) ? beyond[e] : faces[here.edge_faces(1, e)];
    if (other != Mesh::none) first = std::min(first, other);
  }
  Array<Index> first_of_vertex(part->vertex.size());
  {
    const Array<Index> first = first_faces(mesh.faces, mesh.vertex_count);
    if (!std::is_sorted(first.begin(), first.end()))
      throw Error("the vertices of the surface are not numbered in the order of its triangles");
    for (Index i = 0; i < part->vertex.size(); ++i) first_of_vertex[i] = first[part->vertex[i]];
  }
  part->own_faces = own_range(part->face, begin, end);
  part->own_vertices = own_range(first_of_vertex, begin, end);
  part->own_edges = own_range(first_of_edge, begin, end);

  // The first own element of each rank, and the number of own edges.
  Array<std::int64_t> first(4 * count, 0);
  const Location kinds[] = {Location::vertex, Location::edge, Location::face};
  for (int kind = 0; kind < 3; ++kind) first[4 * rank + kind] = part->own(kinds[kind]).begin;
  first[4 * rank + 3] = part->own_edges.count;
  ranks->add({first.begin(), first.end()});
  /// `place`(i): the index at its owner of element i.
  const auto ghosts_of = [&](const Range& own, const Array<Index>& first_face_of, const auto& place) {
    Array<Ghost> ghosts;
    for (Index i = 0; i < first_face_of.size(); ++i)
      if (!own.has(i)) {
        const int owner = shares.rank_of(first_face_of[i]);
        ghosts.push_back({owner, place(i, owner), i});
      }
    return ghosts;
  };
  part->face_ghosts = ghosts_of(part->own_faces, part->face, [&](Index k, int owner) {
    return static_cast<Index>(first[4 * owner + 2]) + part->face[k] - shares.begin(owner);
  });
  const Neighbours neighbours(*part);
  const Array<Index> vertex_places =
      neighbours.places_at_owners(here.faces, here.vertex_count, part->own_vertices);
  part->vertex_ghosts =
      ghosts_of(part->own_vertices, first_of_vertex, [&](Index i, int) { return vertex_places[i]; });
  const Array<Index> edge_places =
      neighbours.places_at_owners(here.face_edges, here.edge_count(), part->own_edges);
  part->edge_ghosts = ghosts_of(part->own_edges, first_of_edge, [&](Index e, int) { return edge_places[e]; });
  // Edges of the whole are numbered in the order in which triangles first contain them.
  Array<std::int64_t> edges_before(count + 1, 0);
  for (int r = 0; r < count; ++r) edges_before[r + 1] = edges_before[r] + first[4 * r + 3];
  for (Index e = 0; e < here.edge_count(); ++e) {
    const int owner = shares.rank_of(first_of_edge[e]);
    part->edge.push_back(static_cast<Index>(edges_before[owner] + edge_places[e] - first[4 * owner + 1]));
  }

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
  if (!mesh.boundary_sets.empty()) {
    Array<Index> edge_here(mesh.edge_count(), -1);
    for (Index e = 0; e < here.edge_count(); ++e) edge_here[part->edge[e]] = e;
    for (const BoundarySet& set : mesh.boundary_sets) {
      here.boundary_sets.push_back({set.name, {}});
      for (const Index e : set.edges)
        if (edge_here[e] >= 0) here.boundary_sets.back().edges.push_back(edge_here[e]);
    }
  }

  DisjointSets components(mesh.vertex_count);
  for (const auto face : mesh.faces.colwise()) {
    components.join(face[0], face[1]);
    components.join(face[0], face[2]);
  }
  for (Index i = 0; i < mesh.vertex_count; ++i)
    if (components.find(i) == i) part->component_first.push_back(i);
  for (const Index i : part->vertex)
    part->component.push_back(static_cast<Index>(
        std::ranges::lower_bound(part->component_first, components.find(i)) - part->component_first.begin()));
  here.part = std::move(part);
  return surface;
}

}  // namespace shoal
