// The surface of glTF and GLB files: their scene as polygons.
#pragma once

#include "discretizations/mesh/formats/gltf_document.hpp"
#include "discretizations/mesh/formats/polygons.hpp"

#include <Eigen/Geometry>

#include <string_view>
#include <vector>

namespace shoal {

/// `count` vertices of a file, from `first`, are the elements of the POSITION of a primitive.
struct GltfVertices {
  std::size_t first, count;
  std::size_t node, mesh, primitive;
};

/// The triangles (lists, strips and fans) of the meshes in the file's scene, node by node, with the transformations of the nodes; points
/// and lines are skipped with a remark. Primitives of a mesh with the same positions share its vertices. Skinned meshes are read in
/// their bind pose, with a remark, at the position of their skin: nodes do not move them (glTF 2.0, 3.7.3). Morph targets are applied
/// with their default weights, with a remark; animations are ignored. Throws Error if there is no scene, if it does not consist of
/// triangles or contains a node twice, and as load_gltf does.
///
/// `origins`, if given, receives the origin of the vertices in `document`:
Polygons polygons_of(const GltfDocument& document, std::vector<GltfVertices>* origins = nullptr);
/// Default placement of the nodes of a document. All functions throw Error if nodes do not form trees.
class GltfNodes {
 public:
  /// `document` must outlive this.
  explicit GltfNodes(const GltfDocument& document);
  int parent(int node) const { return parent_[node]; }  ///< −1 for a root
  Index depth(int node) { return find(node).depth; }
  /// The transform from a skin's bind pose to the scene that places its topmost joint at its default position. Throws Error if that is
  /// not invertible or matrices are missing.
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
