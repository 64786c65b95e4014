// glTF 2.0 and its binary container GLB, read and checked: the one place that reads the format. tinygltf
// gives the types; what it does not check is checked before (results/findings/mesh-import.md).
#pragma once

#include <Eigen/Core>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tinygltf {
class Model;
}

namespace shoal {

/// Gives the bytes of a buffer that is a file of its own, named relative to the glTF file. Throws Error if
/// there is none, or where it is not to be read.
using BufferFile = std::function<std::string(const std::string& name)>;

/// The scenes, nodes, meshes, skins and animations of a file, and the numbers in its buffers. Materials,
/// textures, cameras, extensions and extras are left out. All indices refer to elements that exist, and all
/// accessors lie within their buffers.
class GltfDocument {
 public:
  /// The types of an accessor's components.
  enum Component { int8 = 5120, uint8 = 5121, int16 = 5122, uint16 = 5123, uint32 = 5125, float32 = 5126 };

  GltfDocument(GltfDocument&&) noexcept;
  ~GltfDocument();

  /// tinygltf's type of the whole; callers that access its members include <tiny_gltf.h>.
  const tinygltf::Model& model() const { return *model_; }

  bool needs_extension(std::string_view name) const;

  /// The elements of an accessor, one to a column: sparse ones put in their places, normalised integers
  /// between −1 and 1 (glTF 2.0, 3.6.2 and 3.11). Throws Error if it is not of that `shape` ("VEC3"), of none
  /// of those component types, or has no bytes.
  Eigen::MatrixXd values(int accessor, std::string_view shape, const std::vector<Component>& types) const;
  /// The same for numbers of vertices.
  std::vector<std::uint32_t> indices(int accessor) const;

 private:
  friend GltfDocument load_gltf(std::string_view text, const BufferFile& buffer_file);
  friend GltfDocument load_glb(std::string_view bytes, const BufferFile& buffer_file);
  explicit GltfDocument(std::unique_ptr<tinygltf::Model> model);

  std::unique_ptr<tinygltf::Model> model_;
};

/// Throw Error, naming the element of the JSON text by its path ("accessors[3].count"), if the file is
/// damaged, is not of version 2, or needs an extension that is not read, such as compressed data.
GltfDocument load_gltf(std::string_view text, const BufferFile& buffer_file);
GltfDocument load_glb(std::string_view bytes, const BufferFile& buffer_file);

}  // namespace shoal
