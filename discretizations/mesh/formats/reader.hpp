// Surfaces from files, each format by a reader of our own or, glTF, behind checks of our own: in double precision, in the
// file's own numbering, and with errors that name the place of the damage. Why no general importer is used:
// results/findings/mesh-import.md.
#pragma once

#include "discretizations/mesh/formats/gltf_document.hpp"
#include "discretizations/mesh/formats/polygons.hpp"
#include "discretizations/mesh/surface.hpp"

#include <string_view>

namespace shoal {

/// ".obj", ".off", ".ply", ".stl", ".msh", ".vtk", ".gltf", ".glb"
const std::vector<std::string>& mesh_extensions();

/// Reads a surface and welds vertices nearer than `weld`, m, or, where that is 0, at the same place (weld_tolerance and
/// stl_weld_tolerance in repair.hpp). All meshes of a file are taken together, each under
/// the transformation of the nodes that show it. Faces with more than three corners are cut, with a sentence
/// in `repairs`. Throws Error: no such file, an extension that is not known, a file that is damaged, or what
/// make_surface refuses; MachineError if the file is there but cannot be read.
Surface read_surface(const std::string& path, double weld = 0);

/// Positions and faces as the file has them: nothing welded, cut, turned or renumbered. Throws as
/// read_surface does where the file itself is at fault.
Polygons read_polygons(const std::string& path);

/// The document of a glTF or GLB file. Throws as read_surface does where the file itself is at fault.
GltfDocument read_gltf_document(const std::string& path);
/// The bytes of a mesh file.
std::string read_mesh_bytes(const std::string& path);
/// Whether the extension is .gltf or .glb.
bool is_gltf(const std::string& path);
/// Whether y is up: generated figures and letters stand along y, as what glTF holds does by its standard.
bool stands_along_y(const std::string& mesh);

/// Within which vertices of a file become one: `weld`, m, or, where that is 0, what its format is given.
WeldTolerance weld_tolerance_of(const std::string& path, double weld);

/// A surface of a file's content; `path` says by its extension what the content is, names it in messages, and
/// tells where the files lie that glTF refers to.
Surface parse_surface(const std::string& path, std::string_view content, double weld = 0);

}  // namespace shoal
