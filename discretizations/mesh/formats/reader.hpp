// Surfaces from files, with Shoal's own reader for each format (own checks for glTF): double precision, the
// numbering of the file, and error messages with the position of the damage. Why no general importer is used:
// results/findings/mesh-import.md.
#pragma once

#include "discretizations/mesh/formats/gltf_document.hpp"
#include "discretizations/mesh/formats/polygons.hpp"
#include "discretizations/mesh/surface.hpp"

#include <string_view>

namespace shoal {

/// ".obj", ".off", ".ply", ".stl", ".msh", ".vtk", ".gltf", ".glb"
const std::vector<std::string>& mesh_extensions();

/// Reads a surface and welds vertices closer than `weld`, m, or, if that is 0, coincident ones (weld_tolerance and stl_weld_tolerance in
/// repair.hpp). All meshes of a file are combined, each with the transformation of its nodes. Faces with more than three corners are
/// split, with a sentence in `repairs`. Throws Error: no such file, an unknown extension, a damaged file, or as make_surface does;
/// MachineError if the file exists but cannot be read.
Surface read_surface(const std::string& path, double weld = 0);

/// Positions and faces as in the file, without welding, splitting, reorientation or renumbering. Throws as read_surface does for errors
/// of the file itself.
Polygons read_polygons(const std::string& path);

/// The document of a glTF or GLB file. Throws as read_surface does for errors of the file itself.
GltfDocument read_gltf_document(const std::string& path);
/// The bytes of a mesh file.
std::string read_mesh_bytes(const std::string& path);
/// Whether the extension is .gltf or .glb.
bool is_gltf(const std::string& path);
/// Whether y is up: for generated figures and letters, and for glTF by its standard.
bool stands_along_y(const std::string& mesh);

/// The weld tolerance of a file: `weld`, m, or, if that is 0, the default of its format.
WeldTolerance weld_tolerance_of(const std::string& path, double weld);

/// The surface in the content of a file; `path` determines the format by its extension, names the file in messages, and locates the
/// files to which glTF refers.
Surface parse_surface(const std::string& path, std::string_view content, double weld = 0);

}  // namespace shoal
