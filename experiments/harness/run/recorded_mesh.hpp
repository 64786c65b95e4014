// What the values of a run lie on, as results have it: in the numbering of its source, by the conventions of UGRID.
#pragma once

#include "discretizations/domain.hpp"
#include "discretizations/mesh/surface.hpp"
#include "experiments/harness/storage/hdf5.hpp"

namespace shoal {

/// The conventions of the attributes, for other programs: units, long_name, standard_name, and the mesh by UGRID.
constexpr const char* conventions = "CF-1.11 UGRID-1.0";

/// For each row that is written at a location the element whose value it holds.
struct WrittenOrder {
  std::string mesh;           ///< the name of the group in /meshes
  bool own_topology = false;  ///< faces and edges are those in the run's own group
  std::vector<Index> vertices, edges, faces;

  const std::vector<Index>& at(Location location) const;
};

/// Vertices and faces in the order of the source, behind the vertices a copy of each where a face sees it beyond a periodic seam;
/// `edges`, where they are wanted, in the order in which the source's faces name them.
WrittenOrder source_order(const Surface& surface, bool edges);
/// All elements as they are.
WrittenOrder own_order(const Domain& domain);

/// 64 bits over vertices and faces in the source's order (FNV-1a), as 16 hexadecimal digits.
std::string mesh_hash(const Surface& surface);

/// Write /meshes/<hash> unless it is there. Edges of a surface come later, where a scheme of the file has values on them.
void record_mesh(hdf5::Group meshes, const Surface& surface);
void record_mesh(hdf5::Group meshes, const Domain& domain, const std::string& name);
void record_mesh_edges(hdf5::Group meshes, const Surface& surface, const WrittenOrder& order);

/// The edges and faces of `triangles`, on the surface's vertices, in a run's group, which has dimensions for them: those that its own
/// values refer to.
void record_own_edges(hdf5::Group& run, const Surface& surface, const Mesh& triangles);
void record_own_faces(hdf5::Group& run, const Surface& surface, const Mesh& triangles);

/// The unit under its CF name, in addition to Shoal's own.
void set_unit(hdf5::Dataset& dataset, const std::string& unit);

}  // namespace shoal
