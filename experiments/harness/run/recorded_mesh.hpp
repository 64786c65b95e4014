// Meshes in results files: numbered as in their source, following the UGRID conventions.
#pragma once

#include "discretizations/domain.hpp"
#include "discretizations/mesh/surface.hpp"
#include "experiments/harness/storage/hdf5.hpp"

namespace shoal {

/// The attribute conventions, for other programs: units, long_name and standard_name follow CF, meshes follow UGRID.
constexpr const char* conventions = "CF-1.11 UGRID-1.0";

/// For each location, the element whose value each row of the file contains.
struct WrittenOrder {
  std::string mesh;           ///< the name of the group in /meshes
  bool own_topology = false;  ///< faces and edges are in the run's own group
  std::vector<Index> vertices, edges, faces;

  const std::vector<Index>& at(Location location) const;
};

/// Vertices and faces in the order of the source. The vertices are followed by copies of those that faces use beyond a periodic
/// seam. With `edges`, edges are in the order of their first occurrence in the source's faces.
WrittenOrder source_order(const Surface& surface, bool edges);
/// All elements in their own order.
WrittenOrder own_order(const Domain& domain);

/// 64 bits over vertices and faces in the source's order (FNV-1a), as 16 hexadecimal digits; of a surface in parts, also over its order.
std::string mesh_hash(const Surface& surface);

/// Write /meshes/<hash> unless it exists. Edges of a surface are added when a scheme in the file has values on edges.
void record_mesh(hdf5::Group meshes, const Surface& surface);
void record_mesh(hdf5::Group meshes, const Domain& domain, const std::string& name);
void record_mesh_edges(hdf5::Group meshes, const Surface& surface, const WrittenOrder& order);

/// Write the edges and faces of `triangles`, the run's own triangulation of the surface's vertices, to the run's group, which
/// already has dimensions for them.
void record_own_edges(hdf5::Group& run, const Surface& surface, const Mesh& triangles);
void record_own_faces(hdf5::Group& run, const Surface& surface, const Mesh& triangles);

/// The unit under its CF name, in addition to Shoal's own.
void set_unit(hdf5::Dataset& dataset, const std::string& unit);

}  // namespace shoal
