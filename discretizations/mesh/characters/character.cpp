// glTF 2.0, 3.7.3 (skins) and 3.11 (animations).
#include "discretizations/mesh/characters/character.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/characters/character_clips.hpp"
#include "discretizations/mesh/characters/figure_skin.hpp"
#include "discretizations/mesh/formats/gltf_format.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/generators/generators.hpp"

#include <fmt/format.h>
#include <tiny_gltf.h>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace shoal {
namespace {

/// Maximum deviation from right angles of the columns of a joint's matrix: files round to three digits.
constexpr double max_shear = 0.02;
/// A joint differs from the bind pose if its position deviates by more than this fraction of the body's size,
/// or its rotation or scale by more than this.
constexpr double same_pose = 1e-3;
/// Weights below this fraction of a vertex's sum are dropped.
constexpr double min_weight = 1e-6;
constexpr double min_transferred_weight = 1e-4;
/// Tolerance within which weights in single precision are equal.
constexpr double same_weight = 1e-5;

Transform decompose(const Eigen::Affine3d& matrix, const std::string& what) {
  Transform result;
  result.translation = matrix.translation();
  Eigen::Matrix3d linear = matrix.linear();
  result.scale = linear.colwise().norm().transpose();
  if (linear.determinant() < 0) result.scale.x() *= -1;
  if (!(result.scale.cwiseAbs().minCoeff() > 0) || !matrix.matrix().allFinite())
    throw Error(fmt::format("{} is singular", what));
  linear = linear * result.scale.cwiseInverse().asDiagonal();
  if (!((linear.transpose() * linear - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() <= max_shear))
    throw Error(fmt::format("{} is sheared; translations, rotations and scales are read", what));
  result.rotation = Eigen::Quaterniond(linear).normalized();
  return result;
}

/// Reads the joints of a skin and their ancestors as a skeleton, the weights by vertex of the file, and the
/// clips.
class SkinReader {
 public:
  explicit SkinReader(const GltfDocument& document) : document_(document), model_(document.model()) {
    polygons_ = polygons_of(document, &vertices_);
  }

  Character read(const Surface& surface) {
    find_skin();
    order_joints();
    make_rest(surface);
    Character character;
    character.skeleton = skeleton_;
    read_weights();
    weld(surface, character);
    for (std::size_t a = 0; a < model_.animations.size(); ++a)
      with_context(fmt::format("animations[{}]", a), [&] { read_clip(a, character); });
    return character;
  }

 private:
  void find_skin() {
    for (const GltfVertices& part : vertices_) {
      const int skin = model_.nodes[part.node].skin;
      if (skin < 0) {
        if (std::none_of(vertices_.begin(), vertices_.end(),
                         [&](const GltfVertices& other) { return model_.nodes[other.node].skin >= 0; }))
          throw Error("it has no skin");
        throw Error(fmt::format("nodes[{}]: its mesh has no skin, unlike the others", part.node));
      }
      if (skin_ >= 0 && skin_ != skin)
        throw Error(fmt::format(
            "nodes[{}]: its skin {} differs from that of earlier nodes, {}; only one skin is supported",
            part.node, skin, skin_));
      skin_ = skin;
    }
    if (model_.skins[skin_].joints.empty()) throw Error(fmt::format("skins[{}]: it has no joints", skin_));
  }

  /// Orders the skin's joints and all their ancestors, parents first.
  void order_joints() {
    std::vector<char> met(model_.nodes.size(), false);
    for (const int joint : model_.skins[skin_].joints)
      for (int n = joint; n >= 0 && !met[n]; n = tree_.parent(n)) {
        met[n] = true;
        nodes_.push_back(n);
      }
    std::sort(nodes_.begin(), nodes_.end(),
              [&](int a, int b) { return std::pair(tree_.depth(a), a) < std::pair(tree_.depth(b), b); });
    joint_of_node_.assign(model_.nodes.size(), -1);
    for (std::size_t j = 0; j < nodes_.size(); ++j) joint_of_node_[nodes_[j]] = static_cast<Index>(j);
  }

  Transform own_transform(int number) const {
    const tinygltf::Node& node = model_.nodes[number];
    const std::string name = fmt::format("nodes[{}]", number);
    if (!node.matrix.empty()) {
      Eigen::Affine3d matrix;
      matrix.matrix() = Eigen::Map<const Eigen::Matrix4d>(node.matrix.data());
      return decompose(matrix, name + ": its matrix");
    }
    Transform result;
    if (!node.translation.empty()) result.translation = Eigen::Map<const Vector3>(node.translation.data());
    if (!node.scale.empty()) result.scale = Eigen::Map<const Vector3>(node.scale.data());
    if (!node.rotation.empty()) {
      const Eigen::Map<const Eigen::Vector4d> rotation(node.rotation.data());
      const double length = rotation.norm();
      if (!(length > 0 && std::isfinite(length)))
        throw Error(fmt::format("{}: its rotation cannot be normalised", name));
      result.rotation = Eigen::Quaterniond(Eigen::Vector4d(rotation / length));
    }
    return result;
  }

  /// Transforms from the frame of each joint of the skin to the mesh in the bind pose.
  std::vector<Eigen::Affine3d> bind_matrices() const {
    const tinygltf::Skin& skin = model_.skins[skin_];
    std::vector<Eigen::Affine3d> bind(skin.joints.size(), Eigen::Affine3d::Identity());
    if (skin.inverseBindMatrices < 0) return bind;
    const Eigen::MatrixXd inverse =
        document_.values(skin.inverseBindMatrices, "MAT4", {GltfDocument::float32});
    if (inverse.cols() < static_cast<Eigen::Index>(bind.size()))
      throw Error(fmt::format("skins[{}]: it has {} joints and {} inverse bind matrices", skin_, bind.size(),
                              inverse.cols()));
    for (std::size_t k = 0; k < bind.size(); ++k) {
      Eigen::Affine3d matrix;
      matrix.matrix() = Eigen::Map<const Eigen::Matrix4d>(inverse.col(static_cast<Eigen::Index>(k)).data());
      bind[k] = matrix.inverse();
      const std::string name = fmt::format("skins[{}]: the inverse bind matrix of its joint {}", skin_, k);
      if (!bind[k].matrix().allFinite()) throw Error(name + " is singular");
      decompose(bind[k], name);
    }
    return bind;
  }

  /// Sets the rest transforms of joints to the bind pose, at the position shown by the scene; nodes that are
  /// not joints keep those of the file.
  void make_rest(const Surface& surface) {
    const std::vector<int>& joints = model_.skins[skin_].joints;
    const std::vector<Eigen::Affine3d> bind = bind_matrices();
    std::vector<int> bound(nodes_.size(), -1);
    for (std::size_t k = 0; k < joints.size(); ++k) bound[joint_of_node_[joints[k]]] = static_cast<int>(k);

    const Eigen::Affine3d placement = tree_.skin_placement(skin_);
    for (std::size_t j = 0; j < nodes_.size(); ++j) {
      const int parent = tree_.parent(nodes_[j]);
      Joint joint;
      joint.name = model_.nodes[nodes_[j]].name;
      joint.parent = parent < 0 ? -1 : joint_of_node_[parent];
      own_.push_back(own_transform(nodes_[j]));
      skeleton_.joints.push_back(joint);
    }
    const double size = (surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff()).norm();
    std::vector<Eigen::Affine3d> placed(nodes_.size());
    for (std::size_t j = 0; j < nodes_.size(); ++j) {
      const Index parent = skeleton_.joints[j].parent;
      const Eigen::Affine3d above = parent < 0 ? skeleton_.frame : placed[parent];
      Transform& rest = skeleton_.joints[j].rest;
      rest = own_[j];
      if (bound[j] >= 0)
        rest = decompose(above.inverse() * placement * bind[bound[j]],
                         fmt::format("nodes[{}]: its bind pose", nodes_[j]));
      const double length = (above.linear() * (rest.translation - own_[j].translation)).norm() / size;
      stands_elsewhere_.push_back(length > same_pose || (rest.scale - own_[j].scale).norm() > same_pose ||
                                  rest.rotation.angularDistance(own_[j].rotation) > same_pose);
      placed[j] = above * rest.matrix();
    }
  }

  void read_weights() {
    const std::vector<int>& joints = model_.skins[skin_].joints;
    influences_.resize(polygons_.x.cols());
    for (const GltfVertices& part : vertices_) {
      const auto& attributes = model_.meshes[part.mesh].primitives[part.primitive].attributes;
      const std::string name = fmt::format("meshes[{}].primitives[{}]", part.mesh, part.primitive);
      int sets = 0;
      for (;; ++sets) {
        const auto of = attributes.find(fmt::format("JOINTS_{}", sets)),
                   by = attributes.find(fmt::format("WEIGHTS_{}", sets));
        if (of == attributes.end() && by == attributes.end()) break;
        if (of == attributes.end() || by == attributes.end())
          throw Error(fmt::format("{}: only one of JOINTS_{} and WEIGHTS_{} is present", name, sets, sets));
        const Eigen::MatrixXd numbers =
            document_.values(of->second, "VEC4", {GltfDocument::uint8, GltfDocument::uint16});
        const Eigen::MatrixXd weights = document_.values(
            by->second, "VEC4", {GltfDocument::float32, GltfDocument::uint8, GltfDocument::uint16});
        const auto count = static_cast<Eigen::Index>(part.count);
        if (numbers.cols() != count || weights.cols() != count)
          throw Error(fmt::format("{}: {} positions have {} and {} joints and weights", name, count,
                                  numbers.cols(), weights.cols()));
        for (Eigen::Index v = 0; v < count; ++v)
          for (int i = 0; i < 4; ++i) {
            const double weight = weights(i, v);
            if (!(weight >= 0 && std::isfinite(weight)))
              throw Error(fmt::format("{}: a weight of vertex {} is {}", name, v, weight));
            if (weight == 0) continue;
            const auto joint = static_cast<Index>(numbers(i, v));
            if (joint >= static_cast<Index>(joints.size()))
              throw Error(fmt::format("{}: vertex {} names joint {}, outside [0, {})", name, v, joint,
                                      joints.size()));
            influences_[part.first + v].emplace_back(joint_of_node_[joints[joint]], weight);
          }
      }
      if (sets == 0) throw Error(fmt::format("{}: it has no JOINTS_0 and WEIGHTS_0", name));
    }
  }

  /// Averages the weights of the file's vertices at the position of each vertex of the surface; positions are
  /// matched in the order of x.
  void weld(const Surface& surface, Character& character) const {
    const Points& x = surface.x;
    std::vector<Index> order(x.cols());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](Index a, Index b) { return x(0, a) < x(0, b); });
    const double tolerance = length_of(surface.weld, x);
    std::vector<Influences> sum(order.size());
    std::vector<Index> first(order.size(), -1);
    std::vector<char> differs(order.size(), false);
    SkinWeights of_file;
    for (Eigen::Index v = 0; v < polygons_.x.cols(); ++v) {
      const Vector3 point = polygons_.x.col(v);
      Index nearest = -1;
      double least = tolerance;
      const auto begin = std::lower_bound(order.begin(), order.end(), point.x() - tolerance,
                                          [&](Index i, double value) { return x(0, i) < value; });
      const auto end =
          std::find_if(begin, order.end(), [&](Index i) { return x(0, i) > point.x() + tolerance; });
      for (auto at = begin; at != end; ++at)
        if (const double distance = (x.col(*at) - point).norm(); distance <= least) {
          least = distance;
          nearest = *at;
        }
      if (nearest < 0) continue;  // the vertex belongs to no face, or to a dropped one
      with_context(fmt::format("vertex {} of the file", v),
                   [&] { of_file.append(influences_[v], min_weight); });
      const Index row = of_file.vertex_count() - 1;
      for (auto at = begin; at != end; ++at) {  // several if the vertex was split
        if (x.col(*at) != x.col(nearest)) continue;
        of_file.add_to(sum[*at], row, 1);
        if (first[*at] < 0) first[*at] = row;
        differs[*at] = differs[*at] || differ(of_file, first[*at], row);
      }
    }
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (first[i] < 0) throw Error(fmt::format("vertex {} of the surface is not in the file", i));
      character.weights.append(sum[i], min_weight);
    }
    character.averaged = static_cast<Index>(std::count(differs.begin(), differs.end(), true));
  }

  static bool differ(const SkinWeights& weights, Index a, Index b) {
    const Index count = weights.start[a + 1] - weights.start[a];
    if (weights.start[b + 1] - weights.start[b] != count) return true;
    for (Index k = 0; k < count; ++k) {
      const Index one = weights.start[a] + k, other = weights.start[b] + k;
      if (weights.joint[one] != weights.joint[other] ||
          std::abs(weights.weight[one] - weights.weight[other]) > same_weight)
        return true;
    }
    return false;
  }

  void read_clip(std::size_t number, Character& character) const {
    const tinygltf::Animation& animation = model_.animations[number];
    Clip clip;
    clip.name = animation.name.empty() ? fmt::format("clip-{}", number) : animation.name;
    clip.base = own_;
    for (std::size_t c = 0; c < animation.channels.size(); ++c) {
      const tinygltf::AnimationChannel& given = animation.channels[c];
      const Index joint = given.target_node < 0 ? -1 : joint_of_node_[given.target_node];
      if (joint < 0 || given.target_path == "weights") continue;
      with_context(fmt::format("channels[{}]", c), [&] {
        Channel channel = read_channel(given, animation.samplers[given.sampler]);
        channel.joint = joint;
        for (const Channel& other : clip.channels)
          if (other.joint == joint && other.path == channel.path)
            throw Error(
                fmt::format("the {} of node {} is moved twice", given.target_path, given.target_node));
        clip.channels.push_back(std::move(channel));
      });
    }
    if (clip.channels.empty()) return;
    const std::vector<char> moved = clip.moved_joints();
    for (std::size_t j = 0; j < moved.size(); ++j)
      if (!moved[j] && stands_elsewhere_[j])
        clip.channels.push_back(
            {static_cast<Index>(j), Channel::translation, Channel::step, {0.0}, own_[j].translation});
    for (const Clip& other : character.clips)
      if (other.name == clip.name) clip.name += fmt::format("-{}", number);
    character.clips.push_back(std::move(clip));
  }

  Channel read_channel(const tinygltf::AnimationChannel& given,
                       const tinygltf::AnimationSampler& sampler) const {
    Channel channel;
    if (given.target_path == "rotation")
      channel.path = Channel::rotation;
    else if (given.target_path == "scale")
      channel.path = Channel::scale;
    else if (given.target_path != "translation")
      throw Error("its path is not one of translation, rotation, scale and weights");
    channel.interpolation = sampler.interpolation == "STEP"          ? Channel::step
                            : sampler.interpolation == "CUBICSPLINE" ? Channel::cubic
                                                                     : Channel::linear;
    const Eigen::MatrixXd times = document_.values(sampler.input, "SCALAR", {GltfDocument::float32});
    const auto count = times.cols();
    if (count == 0) throw Error("it has no keys");
    for (Eigen::Index k = 0; k < count; ++k) {
      if (!std::isfinite(times(0, k)) || times(0, k) < 0 || (k > 0 && !(times(0, k) > times(0, k - 1))))
        throw Error(fmt::format("its times do not increase: key {} is at {} s", k, times(0, k)));
      channel.times.push_back(times(0, k));
    }
    const bool rotation = channel.path == Channel::rotation, cubic = channel.interpolation == Channel::cubic;
    std::vector<GltfDocument::Component> types = {GltfDocument::float32};
    if (rotation && model_.accessors[sampler.output].normalized)
      types = {GltfDocument::float32, GltfDocument::int8, GltfDocument::uint8, GltfDocument::int16,
               GltfDocument::uint16};
    channel.values = document_.values(sampler.output, rotation ? "VEC4" : "VEC3", types);
    if (channel.values.cols() != (cubic ? 3 : 1) * count)
      throw Error(fmt::format("{} times have {} values, not {}", count, channel.values.cols(),
                              (cubic ? 3 : 1) * count));
    if (!channel.values.allFinite()) throw Error("one of its values is not finite");
    for (Eigen::Index k = 0; rotation && k < count; ++k)
      if (!(channel.values.col(cubic ? 3 * k + 1 : k).norm() > 0))
        throw Error(fmt::format("its rotation {} cannot be normalised", k));
    return channel;
  }

  const GltfDocument& document_;
  const tinygltf::Model& model_;
  Polygons polygons_;
  std::vector<GltfVertices> vertices_;
  int skin_ = -1;
  GltfNodes tree_{document_};
  std::vector<int> nodes_;              // node of each joint
  std::vector<Index> joint_of_node_;    // joint of each node
  std::vector<Transform> own_;          // transforms of the file, by joint
  std::vector<char> stands_elsewhere_;  // whether the joint differs from the bind pose
  Skeleton skeleton_;
  std::vector<Influences> influences_;  // by vertex of the file
};

bool is_figure(const std::string& mesh) {
  return mesh.substr(0, mesh.find(':')) == "figure";
}

}  // namespace

bool may_be_character(const std::string& mesh) {
  return is_figure(mesh) || is_gltf(mesh);
}

Character load_character(const Surface& surface, double radius) {
  if (surface.source == "generated" && is_figure(surface.name)) return figure_character(surface, radius);
  return with_context(fmt::format("mesh '{}'", surface.name), [&] {
    if (!is_gltf(surface.source)) throw Error("it has no skin; 'figure' and glTF files may have one");
    Character character = SkinReader(read_gltf_document(surface.source)).read(surface);
    const auto add_unless_there = [&](std::optional<Clip> made) {
      if (made && std::none_of(character.clips.begin(), character.clips.end(),
                               [&](const Clip& clip) { return clip.name == made->name; }))
        character.clips.push_back(std::move(*made));
    };
    add_unless_there(walk_clip(character.skeleton));
    add_unless_there(sway_clip(character.skeleton, character.weights));
    return character;
  });
}

bool has_skin(const Surface& surface) {
  if (surface.source == "generated") return is_figure(surface.name);
  return is_gltf(surface.source) && !read_gltf_document(surface.source).model().skins.empty();
}

std::string describe(const Character& character) {
  std::vector<std::string> clips;
  for (const Clip& clip : character.clips)
    clips.push_back(fmt::format("{} ({:.3g} s)", clip.name, clip.duration()));
  std::string text = fmt::format("{} joints; clips {}", character.skeleton.size(), join(clips));
  if (character.averaged > 0)
    text += fmt::format("; the weights of {} merged vertices were averaged", character.averaged);
  return text;
}

Character transferred(const Character& character, const SurfacePlaces& places) {
  Character result;
  result.skeleton = character.skeleton;
  result.clips = character.clips;
  for (Eigen::Index v = 0; v < places.weights.cols(); ++v) {
    Influences influences;
    for (int c = 0; c < 3; ++c)
      if (places.weights(c, v) > 0)
        character.weights.add_to(influences, places.corners(c, v), places.weights(c, v));
    result.weights.append(std::move(influences), min_transferred_weight);
  }
  return result;
}

}  // namespace shoal
