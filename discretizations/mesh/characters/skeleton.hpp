// Skeletons, clips that move their joints, and linear-blend skinning, as defined by glTF 2.0.
#pragma once

#include "discretizations/common/array.hpp"

#include <string>
#include <utility>
#include <vector>

namespace shoal {

/// x ↦ translation + rotation (scale ∘ x).
struct Transform {
  Vector3 translation = Vector3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vector3 scale = Vector3::Ones();

  Eigen::Affine3d matrix() const;
};

/// The transforms of all joints, each relative to its parent.
using SkeletonPose = Array<Transform>;

struct Joint {
  std::string name;
  Index parent = -1;  ///< less than the joint's own index; −1 for a root
  Transform rest;     ///< rest transform relative to the parent; with it the skin equals the mesh
};

struct Skeleton {
  std::vector<Joint> joints;
  /// Applied to every root: from the frame of the joints to that of the mesh.
  Eigen::Affine3d frame = Eigen::Affine3d::Identity();

  Index size() const { return static_cast<Index>(joints.size()); }
  SkeletonPose rest_pose() const;
  /// [nJ] transforms from each joint's own frame to that of the mesh.
  void place(const SkeletonPose& pose, std::vector<Eigen::Affine3d>& placed) const;
};

/// One of the three components of a joint's transform as a function of time (glTF 2.0, 3.11 and appendix C).
struct Channel {
  enum Path { translation, rotation, scale };
  enum Interpolation { step, linear, cubic };

  Index joint = 0;
  Path path = translation;
  Interpolation interpolation = linear;
  Array<double> times;  ///< s, increasing, at least one
  /// [3 or 4 (x, y, z, w), number of times]; for `cubic`, three columns per time: in-tangent, value, out-tangent, with tangents per
  /// second.
  Eigen::MatrixXd values;
};

/// A movement. Joints without channels stay at rest; the components of a moved joint without a channel are those of `base`.
struct Clip {
  std::string name;
  std::vector<Channel> channels;
  std::vector<Transform> base;  ///< [nJ]

  double duration() const;  ///< s, the last time of its channels
  /// [nJ] whether it moves each joint.
  std::vector<char> moved_joints() const;
  /// Sets the transforms of the moved joints to those at `time`, s, clamped to the range of the keys. Does not allocate.
  void sample(double time, SkeletonPose& pose) const;
};

/// The weighted mean of a joint's transforms: the mean of translations and scales, and the normalised sum of the unit quaternions of
/// rotations, each with the sign closer to the rest rotation, so that the result does not depend on the order. If that sum vanishes,
/// the rest rotation.
class TransformMean {
 public:
  void add(const Transform& transform, double weight, const Transform& rest);
  Transform value(const Transform& rest) const;

 private:
  Vector3 translation_ = Vector3::Zero(), scale_ = Vector3::Zero();
  Eigen::Vector4d rotation_ = Eigen::Vector4d::Zero();
};

/// Weights of joints at a vertex; a joint may occur more than once.
using Influences = std::vector<std::pair<Index, double>>;

/// Weights of joints at all vertices, as compressed rows; the weights of a vertex are > 0 with sum 1.
struct SkinWeights {
  Array<Index> start = {0};  ///< [nV + 1]
  Array<Index> joint;
  Array<double> weight;

  Index vertex_count() const { return start.size() - 1; }
  /// Appends a vertex with these weights ≥ 0, dropping those up to `min_weight` times their sum. Throws Error
  /// if the sum is zero or not finite.
  void append(Influences influences, double min_weight);
  /// Appends the influences of a vertex, multiplied by `factor`, to a list.
  void add_to(Influences& influences, Index vertex, double factor) const;
};

/// Linear-blend skinning: x = Σ wⱼ Gⱼ Gⱼ(rest)⁻¹ X, where Gⱼ maps the frame of joint j to that of the mesh.
class Skinning {
 public:
  Skinning(Skeleton skeleton, SkinWeights weights, Points rest);
  const Skeleton& skeleton() const { return skeleton_; }
  /// Does not allocate if x has the right size. Not thread-safe.
  void deform(const SkeletonPose& pose, Points& x);

 private:
  Skeleton skeleton_;
  SkinWeights weights_;
  Points rest_;
  std::vector<Eigen::Affine3d> from_rest_, placed_;  // [nJ]
};

}  // namespace shoal
