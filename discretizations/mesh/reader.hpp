// Surfaces from files. STL, glTF and GLB come through Assimp; OBJ, OFF and PLY through readers of our own,
// because Assimp 5.2 loses what must not be lost: text_formats.hpp and ply_format.hpp say what.
#pragma once

#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// ".obj", ".off", ".ply", ".stl", ".gltf", ".glb"
const std::vector<std::string>& mesh_extensions();

/// Reads a surface and welds vertices at the same place. All meshes of a file are taken together, each under
/// the transformation of the nodes that show it. Faces with more than three corners are cut, with a sentence
/// in `repairs`. Assimp holds positions in single precision, so those of a PLY file in double precision are
/// rounded. Throws Error: no such file, an extension that is not known, a file that is damaged, or what
/// make_surface refuses; MachineError if the file is there but cannot be read.
Surface read_surface(const std::string& path);

}  // namespace shoal
