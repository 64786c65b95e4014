// A surface as results have it: in the numbering of its source, by the conventions of UGRID.
#pragma once

#include "discretizations/mesh/surface.hpp"
#include "experiments/harness/storage/hdf5.hpp"

namespace shoal {

/// That attributes follow which other programs look for: units, long_name, standard_name, and the mesh by UGRID.
constexpr const char* conventions = "CF-1.11 UGRID-1.0";

/// 64 bits over vertices and faces in the source's order (FNV-1a), as 16 hexadecimal digits.
std::string mesh_hash(const Surface& surface);

/// Writes /meshes/<hash> unless it is there.
void record_mesh(hdf5::Group meshes, const Surface& surface);

/// A vertex as some faces of a periodic surface see it.
struct VertexCopy {
  Index vertex;
  Vector3 shift;               // m
  std::vector<Index> corners;  // 3·face + corner
};

/// Ordered by vertex of the source and shift: behind the vertices of the source each is written again.
std::vector<VertexCopy> vertex_copies(const Surface& surface);

/// Our edges in the order in which the source's faces name them.
std::vector<Index> source_edge_order(const Surface& surface);

/// `edges` of `mesh`, whose vertices are those of `surface`, in the source's numbering of vertices.
hdf5::Dataset record_edges(hdf5::Group& group, const Mesh& mesh, const Surface& surface,
                           const std::vector<Index>& order);
/// Those of the surface, unless they are there.
void record_mesh_edges(hdf5::Group mesh_group, const Surface& surface, const std::vector<Index>& order);

/// A topology of UGRID: the vertices of a mesh, and triangles.
hdf5::Dataset write_topology(hdf5::Group& group, const std::string& mesh, const std::string& faces);
void describe_faces(hdf5::Dataset& faces);

/// The unit under the name that CF gives it beside our own.
void set_unit(hdf5::Dataset& dataset, const std::string& unit);

}  // namespace shoal
