// The part of glTF and GLB files that is a surface: their scene as polygons.
#pragma once

#include "discretizations/mesh/gltf_document.hpp"
#include "discretizations/mesh/polygons.hpp"

#include <string_view>
#include <vector>

namespace shoal {

/// The vertices of a file from `first` on are the `count` elements of the POSITION of a primitive.
struct GltfVertices {
  std::size_t first, count;
  std::size_t node, mesh, primitive;
};

/// The triangles (lists, strips and fans) of the meshes that the file's scene shows, node by node, each under
/// the transformations of its nodes; points and lines are skipped with a remark. Primitives of a mesh that
/// name the same positions share its vertices. Skinned meshes are read in their bind pose, with a remark: no
/// node moves them (glTF 2.0, 3.7.3). Morph targets and animations are not applied. Throws Error if there is
/// no scene, if it is not made of triangles or shows a node twice, or what load_gltf refuses.
///
/// Of `document`, whose vertices can then be found again:
Polygons polygons_of(const GltfDocument& document, std::vector<GltfVertices>* origins = nullptr);
Polygons parse_gltf(std::string_view text, const BufferFile& buffer_file);
Polygons parse_glb(std::string_view bytes, const BufferFile& buffer_file);

}  // namespace shoal
