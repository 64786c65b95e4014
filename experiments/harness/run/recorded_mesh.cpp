#include "experiments/harness/run/recorded_mesh.hpp"

#include "discretizations/common/error.hpp"
#include "experiments/harness/run/checksum.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <numeric>

namespace shoal {
namespace {

/// A copy of a vertex, displaced for some faces of a periodic surface.
struct VertexCopy {
  Index vertex;
  Vector3 shift;               // m
  std::vector<Index> corners;  // 3·face + corner
};

/// The copies in the order of their vertices in the source, then of their shifts.
std::vector<VertexCopy> vertex_copies(const Surface& surface) {
  const Mesh& mesh = surface.mesh;
  std::map<std::array<double, 4>, VertexCopy> copies;
  for (Index corner = 0; mesh.periodic() && corner < 3 * mesh.face_count(); ++corner) {
    const Vector3 shift = mesh.corner_shift.col(corner);
    if (shift.isZero(0)) continue;
    const Index vertex = mesh.faces(corner % 3, corner / 3);
    const double number = surface.input_vertex[static_cast<std::size_t>(vertex)];
    VertexCopy& copy =
        copies.try_emplace({number, shift.x(), shift.y(), shift.z()}, VertexCopy{vertex, shift, {}})
            .first->second;
    copy.corners.push_back(corner);
  }
  std::vector<VertexCopy> result;
  for (auto& [key, copy] : copies) result.push_back(std::move(copy));
  return result;
}

/// Points and polygons in the layout of the file.
struct MeshRows {
  std::vector<double> vertices;     // [nV, 3]
  std::vector<std::int32_t> faces;  // [nF, corners]
  std::uint64_t corners = 3;
  /// Of the faces in memory, for a surface in parts only. The direction of edges and checkpoints depend on it.
  std::vector<Index> order;

  std::uint64_t vertex_count() const { return vertices.size() / 3; }
  std::uint64_t face_count() const { return corners == 0 ? 0 : faces.size() / corners; }
  std::string hash() const {
    Checksum hash;
    hash.add(vertices.data(), vertices.size() * sizeof(double));
    hash.add(faces.data(), faces.size() * sizeof(std::int32_t));
    hash.add(order.data(), order.size() * sizeof(Index));
    return hash.text();
  }
};

MeshRows rows_of(const Surface& surface) {
  MeshRows result;
  if (!surface.part_begin.empty()) result.order = surface.input_face;
  const std::vector<VertexCopy> copies = vertex_copies(surface);
  const std::size_t vertices = surface.input_vertex.size();
  result.vertices.resize(3 * (vertices + copies.size()));
  result.faces.resize(3 * surface.input_face.size());
  for (std::size_t i = 0; i < vertices; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      result.vertices[3 * static_cast<std::size_t>(surface.input_vertex[i]) + c] =
          surface.x(static_cast<Index>(c), static_cast<Index>(i));
  for (std::size_t i = 0; i < copies.size(); ++i)
    for (Index c = 0; c < 3; ++c)
      result.vertices[3 * (vertices + i) + static_cast<std::size_t>(c)] =
          surface.x(c, copies[i].vertex) + copies[i].shift[c];
  for (std::size_t k = 0; k < surface.input_face.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c)
      result.faces[3 * static_cast<std::size_t>(surface.input_face[k]) + c] =
          surface.input_vertex[static_cast<std::size_t>(
              surface.mesh.faces(static_cast<Index>(c), static_cast<Index>(k)))];
  for (std::size_t i = 0; i < copies.size(); ++i)
    for (const Index corner : copies[i].corners)
      result.faces[3 * static_cast<std::size_t>(surface.input_face[static_cast<std::size_t>(corner / 3)]) +
                   static_cast<std::size_t>(corner % 3)] = static_cast<std::int32_t>(vertices + i);
  return result;
}

MeshRows rows_of(const Domain& domain) {
  const auto vertices = domain.vertices.reshaped();
  const auto faces = domain.faces.reshaped();
  return {{vertices.begin(), vertices.end()},
          {faces.begin(), faces.end()},
          static_cast<std::uint64_t>(domain.faces.rows()),
          {}};
}

/// The inverse permutation.
std::vector<Index> inverse(const std::vector<Index>& places) {
  std::vector<Index> result(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    result[static_cast<std::size_t>(places[i])] = static_cast<Index>(i);
  return result;
}

std::vector<Index> all(Index count) {
  std::vector<Index> elements(static_cast<std::size_t>(count));
  std::iota(elements.begin(), elements.end(), 0);
  return elements;
}

/// Writes a UGRID topology on the vertices of a mesh.
hdf5::Dataset write_topology(hdf5::Group& group, const std::string& mesh, const std::string& elements,
                             int dimension) {
  const std::int32_t nothing = 0;
  hdf5::Dataset topology = group.write("topology", {}, std::span(&nothing, 1));
  topology.set("cf_role", "mesh_topology");
  topology.set("long_name", elements);
  topology.set("topology_dimension", std::int64_t{dimension});
  topology.set("node_coordinates", fmt::format("{0}node_x {0}node_y {0}node_z", mesh));
  if (dimension == 2) topology.set("face_node_connectivity", "faces");
  return topology;
}

constexpr const char* triangles_at_rest = "triangles of the surface at rest";

void describe_faces(hdf5::Dataset& faces) {
  faces.set("cf_role", "face_node_connectivity");
  faces.set("start_index", std::int64_t{0});
}

hdf5::Dataset write_edges(hdf5::Group& group, const std::vector<std::int32_t>& ends) {
  hdf5::Dataset dataset = group.write("edges", {ends.size() / 2, 2}, ends);
  dataset.set("meaning", "tail and head; the normal of normal_velocity points from left to right");
  dataset.set("cf_role", "edge_node_connectivity");
  dataset.set("start_index", std::int64_t{0});
  return dataset;
}

/// Adds edges to the group of a mesh.
void add_edges(hdf5::Group& group, const std::vector<std::int32_t>& ends) {
  hdf5::Dataset dataset = write_edges(group, ends);
  dataset.attach_scale(0, group.create_dimension("edge", ends.size() / 2));
  dataset.attach_scale(1, group.create_dimension("end", 2));
  group.open_dataset("topology").set("edge_node_connectivity", "edges");
}

/// The ends of the edges of `mesh`, in the vertex numbering of the source; `mesh` has the vertices of `surface`.
std::vector<std::int32_t> ends_of(const Mesh& mesh, const Surface& surface, const std::vector<Index>& order) {
  std::vector<std::int32_t> ends;
  for (const Index edge : order)
    for (int end = 0; end < 2; ++end)
      ends.push_back(surface.input_vertex[static_cast<std::size_t>(mesh.edges(end, edge))]);
  return ends;
}

void write_mesh(hdf5::Group& group, const MeshRows& mesh, const std::string& elements, int dimension) {
  const hdf5::Dataset vertex = group.create_dimension("vertex", mesh.vertex_count());
  const hdf5::Dataset component = group.create_dimension("component", 3);
  hdf5::Dataset vertices = group.write("vertices", {mesh.vertex_count(), 3}, mesh.vertices);
  set_unit(vertices, "m");
  vertices.attach_scale(0, vertex);
  vertices.attach_scale(1, component);
  if (dimension == 2) {
    const hdf5::Dataset face = group.create_dimension("face", mesh.face_count());
    const hdf5::Dataset corner = group.create_dimension("corner", mesh.corners);
    hdf5::Dataset faces = group.write("faces", {mesh.face_count(), mesh.corners}, mesh.faces);
    faces.attach_scale(0, face);
    faces.attach_scale(1, corner);
    describe_faces(faces);
  }
  group.set("Conventions", conventions);
  write_topology(group, "", elements, dimension);
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> coordinate;
    for (std::size_t i = 0; i < mesh.vertex_count(); ++i) coordinate.push_back(mesh.vertices[3 * i + c]);
    const char axis = "xyz"[c];
    hdf5::Dataset node = group.write(fmt::format("node_{}", axis), {mesh.vertex_count()}, coordinate);
    set_unit(node, "m");
    node.set("long_name", fmt::format("{} of the vertices", axis));
    node.attach_scale(0, vertex);
  }
}

std::vector<Index> source_edge_order(const Surface& surface, const std::vector<Index>& faces) {
  const Mesh& mesh = surface.mesh;
  std::vector<Index> order;
  std::vector<bool> seen(static_cast<std::size_t>(mesh.edge_count()), false);
  for (const Index face : faces) {
    for (int corner = 0; corner < 3; ++corner) {
      const Index edge = mesh.face_edges(corner, face);
      if (seen[static_cast<std::size_t>(edge)]) continue;
      seen[static_cast<std::size_t>(edge)] = true;
      order.push_back(edge);
    }
  }
  return order;
}

}  // namespace

const std::vector<Index>& WrittenOrder::at(Location location) const {
  if (location == Location::vertex) return vertices;
  return location == Location::edge ? edges : faces;
}

WrittenOrder source_order(const Surface& surface, bool edges) {
  WrittenOrder order{.mesh = mesh_hash(surface),
                     .vertices = inverse(surface.input_vertex),
                     .edges = {},
                     .faces = inverse(surface.input_face)};
  for (const VertexCopy& copy : vertex_copies(surface)) order.vertices.push_back(copy.vertex);
  if (edges) order.edges = source_edge_order(surface, order.faces);
  return order;
}

WrittenOrder own_order(const Domain& domain) {
  return {.mesh = rows_of(domain).hash(),
          .vertices = all(domain.count(Location::vertex)),
          .edges = all(domain.count(Location::edge)),
          .faces = all(domain.count(Location::face))};
}

std::string mesh_hash(const Surface& surface) {
  return rows_of(surface).hash();
}

void record_mesh(hdf5::Group meshes, const Surface& surface) {
  const MeshRows mesh = rows_of(surface);
  const std::string hash = mesh.hash();
  if (meshes.has(hash)) return;
  hdf5::Group group = meshes.create_group(hash);
  group.set("name", surface.name);
  group.set("source", surface.source);
  group.set("closed", std::int64_t{surface.mesh.closed()});
  group.set("euler_characteristic", std::int64_t{surface.mesh.euler_characteristic()});
  if (!surface.repairs.empty()) group.set("repairs", join(surface.repairs, "\n"));
  write_mesh(group, mesh, triangles_at_rest, 2);
  if (surface.source_vertex.empty()) return;
  hdf5::Dataset source = group.write("source_vertex", {mesh.vertex_count()}, surface.source_vertex);
  source.set("meaning", "the first of the file's vertices, from 0, that each vertex here stands for");
  source.attach_scale(0, group.open_dataset("vertex"));
}

void record_mesh(hdf5::Group meshes, const Domain& domain, const std::string& name) {
  const MeshRows mesh = rows_of(domain);
  const std::string hash = mesh.hash();
  if (meshes.has(hash)) return;
  hdf5::Group group = meshes.create_group(hash);
  group.set("name", name);
  group.set("source", name);
  const Index edges = domain.count(Location::edge);
  write_mesh(group, mesh, "elements of the model at the start",
             mesh.face_count() > 0 ? 2
             : edges > 0           ? 1
                                   : 0);
  const auto ends = domain.edges.reshaped();
  if (edges > 0) add_edges(group, {ends.begin(), ends.end()});
}

void record_mesh_edges(hdf5::Group meshes, const Surface& surface, const WrittenOrder& order) {
  hdf5::Group group = meshes.open_group(order.mesh);
  if (!group.has("edges")) add_edges(group, ends_of(surface.mesh, surface, order.edges));
}

void record_own_edges(hdf5::Group& run, const Surface& surface, const Mesh& triangles) {
  write_edges(run, ends_of(triangles, surface, all(triangles.edge_count())))
      .attach_scale(0, run.open_dataset("edge"));
}

void record_own_faces(hdf5::Group& run, const Surface& surface, const Mesh& triangles) {
  std::vector<std::int32_t> faces;
  for (Index k = 0; k < triangles.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      faces.push_back(surface.input_vertex[static_cast<std::size_t>(triangles.faces(c, k))]);
  hdf5::Dataset dataset = run.write("faces", {faces.size() / 3, 3}, faces);
  dataset.set("meaning", "the triangles that this run's face values refer to, in place of the mesh's");
  dataset.attach_scale(0, run.open_dataset("face"));
  describe_faces(dataset);
  hdf5::Dataset topology =
      write_topology(run, fmt::format("/meshes/{}/", run.text("mesh")), triangles_at_rest, 2);
  if (run.has("edges")) topology.set("edge_node_connectivity", "edges");
}

void set_unit(hdf5::Dataset& dataset, const std::string& unit) {
  dataset.set("unit", unit);
  dataset.set("units", unit);
}

}  // namespace shoal
