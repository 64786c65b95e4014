// The scene of a glTF document, traversed node by node.
#include "discretizations/mesh/formats/gltf_format.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>
#include <tiny_gltf.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

namespace shoal {
namespace {

constexpr std::size_t max_vertices = std::numeric_limits<Index>::max() / 3;

/// The matrix of a node (by columns), or translation · rotation · scale.
Eigen::Matrix4d own_transform(const tinygltf::Model& model, std::size_t number) {
  const tinygltf::Node& node = model.nodes[number];
  if (!node.matrix.empty()) return Eigen::Map<const Eigen::Matrix4d>(node.matrix.data());
  Eigen::Affine3d transform = Eigen::Affine3d::Identity();
  if (!node.translation.empty()) transform.translate(Eigen::Map<const Vector3>(node.translation.data()));
  if (!node.rotation.empty()) {
    const Eigen::Map<const Eigen::Vector4d> rotation(node.rotation.data());  // x, y, z, w
    const double length = rotation.norm();
    if (!(length > 0 && std::isfinite(length)))
      throw Error(fmt::format("nodes[{}]: its rotation cannot be normalised", number));
    transform.rotate(Eigen::Quaterniond(rotation / length));
  }
  if (!node.scale.empty()) transform.scale(Eigen::Map<const Vector3>(node.scale.data()));
  return transform.matrix();
}

class Reader {
 public:
  Reader(const GltfDocument& document, std::vector<GltfVertices>* origins)
      : document_(document), model_(document.model()), met_(model_.nodes.size(), false), origins_(origins) {}

  Polygons read() {
    if (model_.scenes.empty()) throw Error("it has no scene");
    const std::size_t scene = std::max(model_.defaultScene, 0);
    push(model_.scenes[scene].nodes, fmt::format("scenes[{}].nodes", scene), Eigen::Matrix4d::Identity());
    while (!waiting_.empty()) show_next_node();
    if (skipped_ > 0)
      polygons_.remarks.push_back(fmt::format("skipped {} primitives of points or lines", skipped_));
    if (skinned_ > 0)
      polygons_.remarks.push_back(fmt::format(
          "read {} skinned meshes in their bind pose, with the first joint at its default position",
          skinned_));
    if (morphed_ > 0)
      polygons_.remarks.push_back(fmt::format(
          "moved the vertices of {} primitives by the default weights of their morph targets", morphed_));
    if (std::any_of(
            model_.animations.begin(), model_.animations.end(), [](const tinygltf::Animation& animation) {
              return std::any_of(animation.channels.begin(), animation.channels.end(),
                                 [](const auto& channel) { return channel.target_path == "weights"; });
            }))
      polygons_.remarks.push_back("ignored the animation of morph target weights");
    polygons_.x.resize(3, static_cast<Eigen::Index>(positions_.size()));
    for (std::size_t v = 0; v < positions_.size(); ++v)
      polygons_.x.col(static_cast<Eigen::Index>(v)) = positions_[v];
    return std::move(polygons_);
  }

 private:
  struct Waiting {
    std::size_t node;
    Eigen::Matrix4d parent;
  };

  // Nodes form trees: showing each node at most once prevents endless work by cycles or repeated sharing. The
  // traversal is not recursive, because a file can be deeper than the stack.
  void push(const std::vector<int>& nodes, const std::string& name, const Eigen::Matrix4d& parent) {
    for (std::size_t k = nodes.size(); k-- > 0;) {
      const std::size_t node = nodes[k];
      if (met_[node])
        throw Error(fmt::format("{}[{}]: node {} occurs twice; nodes must form trees", name, k, node));
      met_[node] = true;
      waiting_.push_back({node, parent});
    }
  }

  void show_next_node() {
    const Waiting next = waiting_.back();
    waiting_.pop_back();
    const tinygltf::Node& node = model_.nodes[next.node];
    const Eigen::Matrix4d transform = next.parent * own_transform(model_, next.node);
    if (node.mesh >= 0) {
      const bool skinned = node.skin >= 0;
      skinned_ += skinned;
      append_mesh(next.node, node.mesh, skinned ? placement_of(node.skin) : transform);
    }
    push(node.children, fmt::format("nodes[{}].children", next.node), transform);
  }

  const Eigen::Matrix4d& placement_of(int skin) {
    if (!nodes_) nodes_.emplace(document_);
    const auto [found, added] = placements_.try_emplace(skin);
    if (added) found->second = nodes_->skin_placement(skin).matrix();
    return found->second;
  }

  void append_mesh(std::size_t node, std::size_t number, const Eigen::Matrix4d& transform) {
    // keyed by the accessors of positions and morph targets
    std::map<std::vector<int>, std::size_t> first_vertex;
    const auto& own_weights = model_.nodes[node].weights;
    const auto& weights = own_weights.empty() ? model_.meshes[number].weights : own_weights;
    const bool mirrored = transform.topLeftCorner<3, 3>().determinant() < 0;
    const auto& primitives = model_.meshes[number].primitives;
    for (std::size_t k = 0; k < primitives.size(); ++k) {
      const tinygltf::Primitive& primitive = primitives[k];
      if (primitive.mode < TINYGLTF_MODE_TRIANGLES) {
        ++skipped_;
        continue;
      }
      const std::string name = fmt::format("meshes[{}].primitives[{}]", number, k);
      const auto positions = primitive.attributes.find("POSITION");
      if (positions == primitive.attributes.end())
        throw Error(fmt::format("{}.attributes: it has no 'POSITION'", name));
      const std::vector<Target> targets = targets_of(primitive, weights);
      std::vector<int> accessors = {positions->second};
      for (const Target& target : targets) accessors.push_back(target.accessor);
      const auto [found, added] = first_vertex.emplace(accessors, positions_.size());
      if (added && origins_)
        origins_->push_back({positions_.size(), count_of(positions->second), node, number, k});
      if (added) append_positions(positions->second, targets, transform);
      morphed_ += !targets.empty();
      append_faces(primitive, name, found->second, count_of(positions->second), mirrored);
    }
  }

  std::size_t count_of(int accessor) const { return model_.accessors[accessor].count; }

  /// A morph target whose weight is not zero.
  struct Target {
    int accessor;
    double weight;
  };
  static std::vector<Target> targets_of(const tinygltf::Primitive& primitive,
                                        const std::vector<double>& weights) {
    std::vector<Target> targets;
    for (std::size_t k = 0; k < std::min(primitive.targets.size(), weights.size()); ++k)
      if (const auto found = primitive.targets[k].find("POSITION");
          found != primitive.targets[k].end() && weights[k] != 0)
        targets.push_back({found->second, weights[k]});
    return targets;
  }

  void append_positions(int accessor, const std::vector<Target>& targets, const Eigen::Matrix4d& transform) {
    if (count_of(accessor) > max_vertices - positions_.size())
      throw Error(fmt::format("its nodes have more than {} vertices", max_vertices));
    std::vector<GltfDocument::Component> types = {GltfDocument::float32};
    if (document_.needs_extension("KHR_mesh_quantization"))
      types = {GltfDocument::float32, GltfDocument::int8, GltfDocument::uint8, GltfDocument::int16,
               GltfDocument::uint16};
    Eigen::MatrixXd x = document_.values(accessor, "VEC3", types);
    for (const Target& target : targets) {
      const Eigen::MatrixXd displacement = document_.values(target.accessor, "VEC3", types);
      if (displacement.cols() != x.cols())
        throw Error(fmt::format("accessors[{}]: a morph target moves {} of {} vertices", target.accessor,
                                displacement.cols(), x.cols()));
      x += target.weight * displacement;
    }
    const bool moved = !transform.isIdentity(0);
    for (Eigen::Index v = 0; v < x.cols(); ++v) {
      const Vector3 position = x.col(v);
      // Not multiplied by the identity, which would turn one infinite coordinate into three NaN.
      positions_.push_back(moved ? Vector3((transform * position.homogeneous()).head<3>()) : position);
    }
  }

  void append_faces(const tinygltf::Primitive& primitive, const std::string& name, std::size_t first,
                    std::size_t vertex_count, bool mirrored) {
    const auto named =
        primitive.indices >= 0 ? std::optional(document_.indices(primitive.indices)) : std::nullopt;
    const std::size_t count = named ? named->size() : vertex_count;
    const bool list = primitive.mode == TINYGLTF_MODE_TRIANGLES;
    if (list ? count % 3 != 0 : count < 3)
      throw Error(fmt::format("{}: its {} corners are not a multiple of three", name, count));
    const auto append = [&](std::size_t corner) {
      const std::size_t vertex = named ? (*named)[corner] : corner;
      if (vertex >= vertex_count)
        throw Error(fmt::format("face {} names vertex {}, outside [0, {}], counting from 0",
                                polygons_.count(), vertex, static_cast<std::int64_t>(vertex_count) - 1));
      polygons_.corner.push_back(static_cast<Index>(first + vertex));
    };
    const std::size_t triangles = list ? count / 3 : count - 2;
    for (std::size_t k = 0; k < triangles; ++k) {
      std::array<std::size_t, 3> corners = {3 * k, 3 * k + 1, 3 * k + 2};
      if (primitive.mode == TINYGLTF_MODE_TRIANGLE_STRIP) corners = {k, k + 1 + k % 2, k + 2 - k % 2};
      if (primitive.mode == TINYGLTF_MODE_TRIANGLE_FAN) corners = {k + 1, k + 2, 0};
      if (mirrored) std::swap(corners[0], corners[2]);
      for (const std::size_t corner : corners) append(corner);
      polygons_.close_face();
    }
  }

  const GltfDocument& document_;
  const tinygltf::Model& model_;
  std::vector<Waiting> waiting_;               ///< nodes still to be visited, the next one last
  std::vector<bool> met_;                      ///< by node
  std::optional<GltfNodes> nodes_;             ///< only if there are skins
  std::map<int, Eigen::Matrix4d> placements_;  ///< by skin
  std::vector<Vector3> positions_;
  std::vector<GltfVertices>* origins_;
  Polygons polygons_;
  std::size_t skipped_ = 0, skinned_ = 0, morphed_ = 0;
};

}  // namespace

GltfNodes::GltfNodes(const GltfDocument& document)
    : document_(document), parent_(document.model().nodes.size(), -1), known_(parent_.size()) {
  const auto& nodes = document.model().nodes;
  for (std::size_t n = 0; n < nodes.size(); ++n)
    for (const int child : nodes[n].children) {
      if (parent_[child] >= 0)
        throw Error(fmt::format("nodes[{}]: it has two parents, {} and {}", child, parent_[child], n));
      parent_[child] = static_cast<int>(n);
    }
}

const GltfNodes::Known& GltfNodes::find(int node) {
  std::vector<int> chain;  // ends at a visited node or a root
  int above = node;
  for (; above >= 0 && !known_[above].here; above = parent_[above]) {
    chain.push_back(above);
    if (chain.size() > parent_.size()) throw Error(fmt::format("nodes[{}]: it is its own ancestor", node));
  }
  for (; !chain.empty(); chain.pop_back()) {
    const int n = chain.back();
    known_[n] = {true, 0, own_transform(document_.model(), n)};
    if (parent_[n] < 0) continue;
    known_[n].depth = known_[parent_[n]].depth + 1;
    known_[n].placement = known_[parent_[n]].placement * known_[n].placement;
  }
  return known_[node];
}

Eigen::Affine3d GltfNodes::skin_placement(std::size_t number) {
  const tinygltf::Skin& skin = document_.model().skins[number];
  Eigen::Affine3d result = Eigen::Affine3d::Identity();
  if (skin.joints.empty()) return result;
  std::size_t first = 0;
  const auto order = [&](std::size_t k) { return std::pair(find(skin.joints[k]).depth, skin.joints[k]); };
  for (std::size_t k = 1; k < skin.joints.size(); ++k)
    if (order(k) < order(first)) first = k;
  Eigen::Matrix4d placement = find(skin.joints[first]).placement;
  if (skin.inverseBindMatrices >= 0) {
    const Eigen::MatrixXd inverse =
        document_.values(skin.inverseBindMatrices, "MAT4", {GltfDocument::float32});
    if (inverse.cols() < static_cast<Eigen::Index>(skin.joints.size()))
      throw Error(fmt::format("skins[{}]: it has {} joints and {} inverse bind matrices", number,
                              skin.joints.size(), inverse.cols()));
    placement *= Eigen::Map<const Eigen::Matrix4d>(inverse.col(static_cast<Eigen::Index>(first)).data());
  }
  if (!placement.allFinite() || placement.topLeftCorner<3, 3>().determinant() == 0)
    throw Error(fmt::format("skins[{}]: the frame of its joints cannot be inverted", number));
  // Inverse bind matrices have single precision: a placement this close to the identity counts as identity,
  // so that it does not round the positions.
  constexpr double single_precision = 1e-6;
  if ((placement - Eigen::Matrix4d::Identity()).cwiseAbs().maxCoeff() <= single_precision) return result;
  result.matrix() = placement;
  result.makeAffine();
  return result;
}

Polygons polygons_of(const GltfDocument& document, std::vector<GltfVertices>* origins) {
  return Reader(document, origins).read();
}

Polygons parse_gltf(std::string_view text, const BufferFile& buffer_file) {
  return polygons_of(load_gltf(text, buffer_file));
}

Polygons parse_glb(std::string_view bytes, const BufferFile& buffer_file) {
  return polygons_of(load_glb(bytes, buffer_file));
}

}  // namespace shoal
