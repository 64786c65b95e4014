// Reads and checks glTF 2.0 and its binary container GLB. tinygltf provides the types; whatever it does not check is checked first
// (results/findings/mesh-import.md).
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

/// Reads a buffer in a separate file, named relative to the glTF file. Throws Error if it does not exist or must not be read.
using BufferFile = std::function<std::string(const std::string& name)>;

/// The scenes, nodes, meshes, skins and animations of a file, and the numbers in its buffers, without materials, textures, cameras,
/// extensions and extras. All indices refer to existing elements, and all accessors lie within their buffers.
class GltfDocument {
 public:
  /// The types of an accessor's components.
  enum Component { int8 = 5120, uint8 = 5121, int16 = 5122, uint16 = 5123, uint32 = 5125, float32 = 5126 };

  GltfDocument(GltfDocument&&) noexcept;
  ~GltfDocument();

  /// tinygltf's model; callers that access its members include <tiny_gltf.h>.
  const tinygltf::Model& model() const { return *model_; }

  bool needs_extension(std::string_view name) const;

  /// The elements of an accessor, one per column, with sparse elements inserted and normalised integers mapped to [−1, 1] (glTF 2.0,
  /// 3.6.2 and 3.11). Throws Error if it does not have this `shape` ("VEC3") and one of these component types, or has no bytes.
  Eigen::MatrixXd values(int accessor, std::string_view shape, const std::vector<Component>& types) const;
  /// The same for vertex indices.
  std::vector<std::uint32_t> indices(int accessor) const;

 private:
  friend GltfDocument load_gltf(std::string_view text, const BufferFile& buffer_file);
  friend GltfDocument load_glb(std::string_view bytes, const BufferFile& buffer_file);
  explicit GltfDocument(std::unique_ptr<tinygltf::Model> model);

  std::unique_ptr<tinygltf::Model> model_;
};

/// Throw Error, naming the element of the JSON text by its path ("accessors[3].count"), if the file is
/// damaged, is not of version 2, or requires an unsupported extension, such as compressed data.
GltfDocument load_gltf(std::string_view text, const BufferFile& buffer_file);
GltfDocument load_glb(std::string_view bytes, const BufferFile& buffer_file);

}  // namespace shoal
