// The part of glTF and GLB files that is a surface: their scene as polygons.
#pragma once

#include "discretizations/mesh/formats/gltf_document.hpp"
#include "discretizations/mesh/formats/polygons.hpp"

#include <Eigen/Geometry>

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
/// name the same positions share its vertices. Skinned meshes are read in their bind pose, with a remark, and stand where
/// their skin does: no node moves them (glTF 2.0, 3.7.3). Morph targets are applied by their default weights, with a remark;
/// animations are not. Throws Error if there is
/// no scene, if it is not made of triangles or shows a node twice, or what load_gltf refuses.
///
/// Of `document`, whose vertices can then be found again:
Polygons polygons_of(const GltfDocument& document, std::vector<GltfVertices>* origins = nullptr);
/// Where the nodes of a document stand by default. All functions throw Error where nodes do not form trees.
class GltfNodes {
 public:
  /// `document` must outlive this.
  explicit GltfNodes(const GltfDocument& document);
  int parent(int node) const { return parent_[node]; }  ///< −1 of a root
  Index depth(int node) { return find(node).depth; }
  /// From a skin's bind pose to the scene, such that the highest of its joints stands where it does by default. Throws Error
  /// where that cannot be inverted or matrices are missing.
  Eigen::Affine3d skin_placement(std::size_t skin);

 private:
  struct Known {
    bool here = false;
    Index depth = 0;
    Eigen::Matrix4d placement;
  };
  const Known& find(int node);

  const GltfDocument& document_;
  std::vector<int> parent_;
  std::vector<Known> known_;
};

Polygons parse_gltf(std::string_view text, const BufferFile& buffer_file);
Polygons parse_glb(std::string_view bytes, const BufferFile& buffer_file);

}  // namespace shoal
