// glTF 2.0 and its binary container GLB, the part of them that is a surface. Read by ourselves because what
// Assimp 5.2 does with damaged files cannot be relied on (results/findings.md).
#pragma once

#include "discretizations/mesh/polygons.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace shoal {

/// Gives the bytes of a buffer that is a file of its own, named relative to the glTF file. Throws Error if
/// there is none.
using BufferFile = std::function<std::string(const std::string& name)>;

/// The triangles (lists, strips and fans) of the meshes that the file's scene shows, node by node, each under
/// the transformations of its nodes; points and lines are skipped with a remark. Primitives of a mesh that
/// name the same positions share its vertices. Positions are those of the file at rest: skins, morph targets
/// and animations do not move them. Throws Error, naming the element of the JSON text by its path, if the
/// file is damaged, is not of version 2, or needs what is not read here: sparse or compressed data.
Polygons parse_gltf(std::string_view text, const BufferFile& buffer_file);
Polygons parse_glb(std::string_view bytes, const BufferFile& buffer_file);

}  // namespace shoal
