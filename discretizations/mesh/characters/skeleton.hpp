// Skeletons, clips that move their joints, and linear-blend skinning, with the meanings of glTF 2.0.
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
  Index parent = -1;  ///< less than the joint's own number; −1 of a root
  Transform rest;     ///< in which the skin is the mesh itself, relative to the parent
};

struct Skeleton {
  std::vector<Joint> joints;
  /// In front of every root: from the frame of the joints to that of the mesh.
  Eigen::Affine3d frame = Eigen::Affine3d::Identity();

  Index size() const { return static_cast<Index>(joints.size()); }
  SkeletonPose rest_pose() const;
  /// [nJ] from each joint's own frame to that of the mesh.
  void place(const SkeletonPose& pose, std::vector<Eigen::Affine3d>& placed) const;
};

/// One of the three parts of a joint's transform as a function of time (glTF 2.0, 3.11 and appendix C).
struct Channel {
  enum Path { translation, rotation, scale };
  enum Interpolation { step, linear, cubic };

  Index joint = 0;
  Path path = translation;
  Interpolation interpolation = linear;
  Array<double> times;  ///< s, ascending, at least one
  /// [3 or 4 (x, y, z, w), number of times]; of `cubic` three columns for each time: in-tangent, value, out-tangent,
  /// tangents per second.
  Eigen::MatrixXd values;
};

/// A movement. What it says nothing about, stays at rest; of a joint that it moves in one part the others are those
/// of `base`.
struct Clip {
  std::string name;
  std::vector<Channel> channels;
  std::vector<Transform> base;  ///< [nJ]

  double duration() const;  ///< s, the last time of its channels
  /// [nJ] which joints it moves.
  std::vector<char> moved_joints() const;
  /// Sets the transforms of the joints that it moves to those at `time`, s; before the first key and after the last those
  /// hold. Allocates nothing.
  void sample(double time, SkeletonPose& pose) const;
};

/// The weighted mean of a joint's transforms: of translations and scales the mean; of rotations the normalised sum of the
/// unit quaternions, each with the sign that is nearer to that of the joint at rest, so that the order does not matter.
/// Where that sum vanishes, the rotation at rest.
class TransformMean {
 public:
  void add(const Transform& transform, double weight, const Transform& rest);
  Transform value(const Transform& rest) const;

 private:
  Vector3 translation_ = Vector3::Zero(), scale_ = Vector3::Zero();
  Eigen::Vector4d rotation_ = Eigen::Vector4d::Zero();
};

/// How much each joint moves a vertex; a joint may be named more than once.
using Influences = std::vector<std::pair<Index, double>>;

/// How much each joint moves each vertex, as compressed rows; the weights of a vertex are > 0 and have the sum 1.
struct SkinWeights {
  Array<Index> start = {0};  ///< [nV + 1]
  Array<Index> joint;
  Array<double> weight;

  Index vertex_count() const { return start.size() - 1; }
  /// Appends a vertex of these weights ≥ 0, leaving out those up to `least` times their sum. Throws Error where the sum is
  /// zero or not finite.
  void append(Influences influences, double least);
  /// Adds the influences of a vertex times `factor` to a list.
  void add_to(Influences& influences, Index vertex, double factor) const;
};

/// x = Σ wⱼ Gⱼ Gⱼ(rest)⁻¹ X, with Gⱼ from the frame of joint j to that of the mesh: linear-blend skinning.
class Skinning {
 public:
  Skinning(Skeleton skeleton, SkinWeights weights, Points rest);
  const Skeleton& skeleton() const { return skeleton_; }
  /// Allocates nothing where x has its size already. Not to be called from two threads at once.
  void deform(const SkeletonPose& pose, Points& x);

 private:
  Skeleton skeleton_;
  SkinWeights weights_;
  Points rest_;
  std::vector<Eigen::Affine3d> from_rest_, placed_;  // [nJ]
};

}  // namespace shoal
