#include "experiments/harness/run/recorded_mesh.hpp"

#include "discretizations/common/error.hpp"
#include "experiments/harness/run/checksum.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

namespace shoal {

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

namespace {

struct SourceMesh {
  std::vector<double> vertices;     // [nV, 3]
  std::vector<std::int32_t> faces;  // [nF, 3]
};

/// The mesh in the numbering of its source, and behind that numbering a copy of each vertex where a face
/// sees it beyond a periodic seam.
SourceMesh in_source_order(const Surface& surface) {
  SourceMesh result;
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

}  // namespace

std::vector<Index> source_edge_order(const Surface& surface) {
  const Mesh& mesh = surface.mesh;
  std::vector<Index> face_here(surface.input_face.size());
  for (std::size_t k = 0; k < face_here.size(); ++k)
    face_here[static_cast<std::size_t>(surface.input_face[k])] = static_cast<Index>(k);
  std::vector<Index> order;
  std::vector<bool> seen(static_cast<std::size_t>(mesh.edge_count()), false);
  for (const Index face : face_here) {
    for (int corner = 0; corner < 3; ++corner) {
      const Index edge = mesh.face_edges(corner, face);
      if (seen[static_cast<std::size_t>(edge)]) continue;
      seen[static_cast<std::size_t>(edge)] = true;
      order.push_back(edge);
    }
  }
  return order;
}

std::string mesh_hash(const Surface& surface) {
  const SourceMesh mesh = in_source_order(surface);
  Checksum hash;
  hash.add(mesh.vertices.data(), mesh.vertices.size() * sizeof(double));
  hash.add(mesh.faces.data(), mesh.faces.size() * sizeof(std::int32_t));
  return hash.text();
}

hdf5::Dataset record_edges(hdf5::Group& group, const Mesh& mesh, const Surface& surface,
                           const std::vector<Index>& order) {
  std::vector<std::int32_t> edges;
  for (const Index edge : order)
    for (int end = 0; end < 2; ++end)
      edges.push_back(surface.input_vertex[static_cast<std::size_t>(mesh.edges(end, edge))]);
  hdf5::Dataset dataset = group.write("edges", {order.size(), 2}, edges);
  dataset.set("meaning", "tail and head; the normal of normal_velocity points from left to right");
  dataset.set("cf_role", "edge_node_connectivity");
  dataset.set("start_index", std::int64_t{0});
  return dataset;
}

void record_mesh_edges(hdf5::Group mesh_group, const Surface& surface, const std::vector<Index>& order) {
  if (mesh_group.has("edges")) return;
  hdf5::Dataset dataset = record_edges(mesh_group, surface.mesh, surface, order);
  dataset.attach_scale(0, mesh_group.create_dimension("edge", order.size()));
  dataset.attach_scale(1, mesh_group.create_dimension("end", 2));
  mesh_group.open_dataset("topology").set("edge_node_connectivity", "edges");
}

void set_unit(hdf5::Dataset& dataset, const std::string& unit) {
  dataset.set("unit", unit);
  dataset.set("units", unit);
}

hdf5::Dataset write_topology(hdf5::Group& group, const std::string& mesh, const std::string& faces) {
  const std::int32_t nothing = 0;
  hdf5::Dataset topology = group.write("topology", {}, std::span(&nothing, 1));
  topology.set("cf_role", "mesh_topology");
  topology.set("long_name", "triangles of the surface at rest");
  topology.set("topology_dimension", std::int64_t{2});
  topology.set("node_coordinates", fmt::format("{0}node_x {0}node_y {0}node_z", mesh));
  topology.set("face_node_connectivity", faces);
  return topology;
}

void describe_faces(hdf5::Dataset& faces) {
  faces.set("cf_role", "face_node_connectivity");
  faces.set("start_index", std::int64_t{0});
}

void record_mesh(hdf5::Group meshes, const Surface& surface) {
  const std::string hash = mesh_hash(surface);
  if (meshes.has(hash)) return;
  hdf5::Group group = meshes.create_group(hash);
  group.set("name", surface.name);
  group.set("source", surface.source);
  group.set("closed", std::int64_t{surface.mesh.closed()});
  group.set("euler_characteristic", std::int64_t{surface.mesh.euler_characteristic()});
  if (!surface.repairs.empty()) group.set("repairs", join(surface.repairs, "\n"));
  const SourceMesh mesh = in_source_order(surface);
  const std::uint64_t vertex_count = mesh.vertices.size() / 3, face_count = surface.input_face.size();
  const hdf5::Dataset vertex = group.create_dimension("vertex", vertex_count);
  const hdf5::Dataset face = group.create_dimension("face", face_count);
  const hdf5::Dataset component = group.create_dimension("component", 3);
  const hdf5::Dataset corner = group.create_dimension("corner", 3);
  hdf5::Dataset vertices = group.write("vertices", {vertex_count, 3}, mesh.vertices);
  set_unit(vertices, "m");
  vertices.attach_scale(0, vertex);
  vertices.attach_scale(1, component);
  hdf5::Dataset faces = group.write("faces", {face_count, 3}, mesh.faces);
  faces.attach_scale(0, face);
  faces.attach_scale(1, corner);
  describe_faces(faces);
  group.set("Conventions", conventions);
  write_topology(group, "", "faces");
  for (std::size_t c = 0; c < 3; ++c) {
    std::vector<double> coordinate;
    for (std::size_t i = 0; i < vertex_count; ++i) coordinate.push_back(mesh.vertices[3 * i + c]);
    const char axis = "xyz"[c];
    hdf5::Dataset node = group.write(fmt::format("node_{}", axis), {vertex_count}, coordinate);
    set_unit(node, "m");
    node.set("long_name", fmt::format("{} of the vertices", axis));
    node.attach_scale(0, vertex);
  }
  if (surface.source_vertex.empty()) return;
  hdf5::Dataset source = group.write("source_vertex", {vertex_count}, surface.source_vertex);
  source.set("meaning", "the first of the file's vertices, from 0, that each vertex here stands for");
  source.attach_scale(0, vertex);
}

}  // namespace shoal
