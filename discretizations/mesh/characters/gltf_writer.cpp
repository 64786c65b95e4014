// Writes the JSON text and one buffer as glTF 2.0, section 4.4.
#include "discretizations/mesh/characters/gltf_writer.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/formats/gltf_document.hpp"
#include "discretizations/mesh/formats/writer.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <limits>

namespace shoal {
namespace {

using Json = nlohmann::json;

constexpr int array_buffer = 34962, element_array_buffer = 34963;

/// Shoal assumes a little-endian machine.
template <class Number>
void append_number(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <class Vector>
Json as_list(const Vector& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(value);
  return list;
}

class Writer {
 public:
  std::string write(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Faces>& faces,
                    const Eigen::Ref<const Points>& normals, const Character* character) {
    const Json asset = {{"version", "2.0"}, {"generator", "Shoal"}};
    if (faces.cols() == 0)
      return packed(Json({{"asset", asset}, {"scene", 0}, {"scenes", Json::array({Json::object()})}}).dump());
    if (!x.cast<float>().allFinite()) throw Error("a position is not finite in the single precision of glTF");
    Json primitive = {{"attributes", {{"POSITION", add_positions(x)}}}, {"indices", add_corners(faces)}};
    if (normals.cols() > 0) primitive["attributes"]["NORMAL"] = add_floats(normals, "VEC3", array_buffer);
    Json node = {{"mesh", 0}};
    Json shown = Json::array({0});
    if (character) {
      node["skin"] = 0;
      add_weights(character->weights, primitive["attributes"]);
      nodes_.push_back(node);
      add_skeleton(character->skeleton, shown);
      for (const Clip& clip : character->clips) add_clip(clip, character->skeleton);
    } else {
      nodes_.push_back(node);
    }
    Json file = {{"asset", asset},
                 {"scene", 0},
                 {"scenes", Json::array({{{"nodes", shown}}})},
                 {"nodes", nodes_},
                 {"meshes", Json::array({{{"primitives", Json::array({primitive})}}})},
                 {"buffers", Json::array({{{"byteLength", bytes_.size()}}})},
                 {"bufferViews", views_},
                 {"accessors", accessors_}};
    if (!skins_.empty()) file["skins"] = skins_;
    if (!animations_.empty()) file["animations"] = animations_;
    return packed(file.dump(-1, ' ', false, Json::error_handler_t::replace));
  }

 private:
  /// Declares the bytes appended since `begin` as a view and an accessor; returns the accessor's index.
  std::size_t add(std::size_t begin, Eigen::Index count, int component, const char* type, int target = 0) {
    Json view = {{"buffer", 0}, {"byteOffset", begin}, {"byteLength", bytes_.size() - begin}};
    if (target != 0) view["target"] = target;
    views_.push_back(view);
    while (bytes_.size() % 4 != 0) bytes_ += '\0';
    accessors_.push_back(
        {{"bufferView", views_.size() - 1}, {"componentType", component}, {"count", count}, {"type", type}});
    return accessors_.size() - 1;
  }

  /// Appends columns as elements.
  std::size_t add_floats(const Eigen::MatrixXd& values, const char* type, int target = 0) {
    const std::size_t begin = bytes_.size();
    for (const double value : values.reshaped()) append_number(bytes_, static_cast<float>(value));
    return add(begin, values.cols(), GltfDocument::float32, type, target);
  }

  std::size_t add_positions(const Eigen::Ref<const Points>& x) {
    const std::size_t accessor = add_floats(x, "VEC3", array_buffer);
    const Eigen::MatrixXf rounded = x.cast<float>();
    accessors_[accessor]["min"] = as_list(Vector3(rounded.rowwise().minCoeff().cast<double>()));
    accessors_[accessor]["max"] = as_list(Vector3(rounded.rowwise().maxCoeff().cast<double>()));
    return accessor;
  }

  std::size_t add_corners(const Eigen::Ref<const Faces>& faces) {
    const std::size_t begin = bytes_.size();
    for (const Index vertex : faces.reshaped()) append_number(bytes_, static_cast<std::uint32_t>(vertex));
    return add(begin, faces.size(), GltfDocument::uint32, "SCALAR", element_array_buffer);
  }

  /// Four joints and weights per set.
  void add_weights(const SkinWeights& weights, Json& attributes) {
    Index most = 0;
    for (Index v = 0; v < weights.vertex_count(); ++v)
      most = std::max(most, weights.start[v + 1] - weights.start[v]);
    for (Index set = 0; 4 * set < most; ++set) {
      const std::size_t begin = bytes_.size();
      Eigen::MatrixXd part = Eigen::MatrixXd::Zero(4, weights.vertex_count());
      for (Index v = 0; v < weights.vertex_count(); ++v)
        for (Index i = 0; i < 4; ++i) {
          const Index k = weights.start[v] + 4 * set + i;
          const bool there = k < weights.start[v + 1];
          append_number(bytes_, static_cast<std::uint16_t>(there ? weights.joint[k] : 0));
          if (there) part(i, v) = weights.weight[k];
        }
      attributes[fmt::format("JOINTS_{}", set)] =
          add(begin, weights.vertex_count(), GltfDocument::uint16, "VEC4", array_buffer);
      attributes[fmt::format("WEIGHTS_{}", set)] = add_floats(part, "VEC4", array_buffer);
    }
  }

  /// Node 0 shows the mesh; the joints follow, then their frame if it differs from that of the mesh.
  void add_skeleton(const Skeleton& skeleton, Json& shown) {
    if (skeleton.size() > std::numeric_limits<std::uint16_t>::max())
      throw Error(fmt::format("a skeleton of {} joints is too large for glTF", skeleton.size()));
    std::vector<Eigen::Affine3d> placed;
    skeleton.place(skeleton.rest_pose(), placed);
    Eigen::MatrixXd inverse(16, skeleton.size());
    Json numbers = Json::array(), roots = Json::array();
    for (Index j = 0; j < skeleton.size(); ++j) {
      const Joint& joint = skeleton.joints[j];
      nodes_.push_back({{"name", joint.name},
                        {"translation", as_list(joint.rest.translation)},
                        {"rotation", as_list(joint.rest.rotation.coeffs())},
                        {"scale", as_list(joint.rest.scale)}});
      numbers.push_back(j + 1);
      if (joint.parent >= 0)
        nodes_[joint.parent + 1]["children"].push_back(j + 1);
      else
        roots.push_back(j + 1);
      inverse.col(j) = placed[j].inverse().matrix().reshaped();
    }
    if (skeleton.frame.matrix().isIdentity(0)) {
      for (const Json& root : roots) shown.push_back(root);
    } else {
      nodes_.push_back(
          {{"name", "frame"}, {"matrix", as_list(skeleton.frame.matrix().reshaped())}, {"children", roots}});
      shown.push_back(nodes_.size() - 1);
    }
    skins_.push_back({{"joints", numbers}, {"inverseBindMatrices", add_floats(inverse, "MAT4")}});
  }

  void add_channel(const Channel& channel, Json& channels, Json& samplers) {
    static constexpr std::array paths = {"translation", "rotation", "scale"};
    static constexpr std::array rules = {"STEP", "LINEAR", "CUBICSPLINE"};
    Eigen::MatrixXd times(1, channel.times.size());
    for (Index k = 0; k < channel.times.size(); ++k) times(0, k) = channel.times[k];
    const std::size_t input = add_floats(times, "SCALAR");
    accessors_[input]["min"] = Json::array({static_cast<float>(channel.times.front())});
    accessors_[input]["max"] = Json::array({static_cast<float>(channel.times.back())});
    const bool rotation = channel.path == Channel::rotation;
    samplers.push_back({{"input", input},
                        {"output", add_floats(channel.values, rotation ? "VEC4" : "VEC3")},
                        {"interpolation", rules[channel.interpolation]}});
    channels.push_back({{"sampler", samplers.size() - 1},
                        {"target", {{"node", channel.joint + 1}, {"path", paths[channel.path]}}}});
  }

  /// Adds a key for each component of a joint that the clip holds constant at a value other than rest.
  void add_clip(const Clip& clip, const Skeleton& skeleton) {
    Json channels = Json::array(), samplers = Json::array();
    for (const Channel& channel : clip.channels) add_channel(channel, channels, samplers);
    const std::vector<char> moved = clip.moved_joints();
    for (Index j = 0; j < skeleton.size(); ++j) {
      if (!moved[j]) continue;
      const Transform &base = clip.base[j], &rest = skeleton.joints[j].rest;
      const auto hold = [&](Channel::Path path, const Vector& held, const Vector& at_rest) {
        const bool has = std::any_of(clip.channels.begin(), clip.channels.end(), [&](const Channel& channel) {
          return channel.joint == j && channel.path == path;
        });
        if (!has && held != at_rest) add_channel({j, path, Channel::step, {0.0}, held}, channels, samplers);
      };
      hold(Channel::translation, base.translation, rest.translation);
      hold(Channel::rotation, base.rotation.coeffs(), rest.rotation.coeffs());
      hold(Channel::scale, base.scale, rest.scale);
    }
    animations_.push_back({{"name", clip.name}, {"channels", channels}, {"samplers", samplers}});
  }

  std::string packed(std::string text) const {
    while (text.size() % 4 != 0) text += ' ';
    std::string file = "glTF";
    append_number(file, std::uint32_t{2});
    const std::size_t binary = bytes_.empty() ? 0 : 8 + bytes_.size();
    append_number(file, static_cast<std::uint32_t>(12 + 8 + text.size() + binary));
    append_number(file, static_cast<std::uint32_t>(text.size()));
    file += "JSON" + text;
    if (bytes_.empty()) return file;
    append_number(file, static_cast<std::uint32_t>(bytes_.size()));
    file.append("BIN\0", 4);
    return file + bytes_;
  }

  Json nodes_ = Json::array(), views_ = Json::array(), accessors_ = Json::array(), skins_ = Json::array(),
       animations_ = Json::array();
  std::string bytes_;
};

}  // namespace

std::string glb_bytes(const Eigen::Ref<const Points>& x, const Eigen::Ref<const Faces>& faces,
                      const Eigen::Ref<const Points>& normals, const Character* character) {
  return Writer().write(x, faces, normals, character);
}

void write_glb(const std::string& path, const Eigen::Ref<const Points>& x,
               const Eigen::Ref<const Faces>& faces, const Eigen::Ref<const Points>& normals,
               const Character* character) {
  write_mesh_file(path, glb_bytes(x, faces, normals, character));
}

}  // namespace shoal
