// The part of glTF and GLB files that is a surface: their scene as polygons.
#pragma once

#include "discretizations/mesh/gltf_document.hpp"
#include "discretizations/mesh/polygons.hpp"

#include <string_view>

namespace shoal {

/// The triangles (lists, strips and fans) of the meshes that the file's scene shows, node by node, each under
/// the transformations of its nodes; points and lines are skipped with a remark. Primitives of a mesh that
/// name the same positions share its vertices. Skinned meshes are read in their bind pose, with a remark: no
/// node moves them (glTF 2.0, 3.7.3). Morph targets and animations are not applied. Throws Error if there is
/// no scene, if it is not made of triangles or shows a node twice, or what load_gltf refuses.
Polygons parse_gltf(std::string_view text, const BufferFile& buffer_file);
Polygons parse_glb(std::string_view bytes, const BufferFile& buffer_file);

}  // namespace shoal
