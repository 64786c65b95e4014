#include "discretizations/mesh/characters/skeleton.hpp"

#include "discretizations/common/error.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace shoal {
namespace {

/// The value of a channel at a time; quaternions are not normalised.
Eigen::Vector4d value_at(const Channel& channel, double time) {
  const auto rows = channel.values.rows();
  const bool cubic = channel.interpolation == Channel::cubic;
  const auto key = [&](Index k, int part) {
    Eigen::Vector4d value = Eigen::Vector4d::Zero();
    value.head(rows) = channel.values.col(cubic ? 3 * k + part : k);
    return value;
  };
  constexpr int in = 0, middle = 1, out = 2;
  const Array<double>& times = channel.times;
  const Index last = times.size() - 1;
  if (!(time > times.front())) return key(0, middle);
  if (time >= times[last]) return key(last, middle);
  const Index next = static_cast<Index>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
  const Index k = next - 1;
  if (channel.interpolation == Channel::step) return key(k, middle);
  const double length = times[next] - times[k], t = (time - times[k]) / length;
  if (cubic)
    return (2 * t * t * t - 3 * t * t + 1) * key(k, middle) +
           length * (t * t * t - 2 * t * t + t) * key(k, out) +
           (3 * t * t - 2 * t * t * t) * key(next, middle) + length * (t * t * t - t * t) * key(next, in);
  if (channel.path != Channel::rotation) return (1 - t) * key(k, middle) + t * key(next, middle);
  const Eigen::Quaterniond from(key(k, middle)), to(key(next, middle));
  return from.normalized().slerp(t, to.normalized()).coeffs();
}

}  // namespace

Eigen::Affine3d Transform::matrix() const {
  Eigen::Affine3d result;
  result.makeAffine();
  result.linear() = rotation.toRotationMatrix() * scale.asDiagonal();
  result.translation() = translation;
  return result;
}

SkeletonPose Skeleton::rest_pose() const {
  SkeletonPose pose(size());
  for (Index j = 0; j < size(); ++j) pose[j] = joints[j].rest;
  return pose;
}

void Skeleton::place(const SkeletonPose& pose, std::vector<Eigen::Affine3d>& placed) const {
  placed.resize(joints.size());
  for (std::size_t j = 0; j < joints.size(); ++j) {
    const Index parent = joints[j].parent;
    placed[j] = (parent < 0 ? frame : placed[parent]) * pose[static_cast<Index>(j)].matrix();
  }
}

double Clip::duration() const {
  double last = 0;
  for (const Channel& channel : channels) last = std::max(last, channel.times.back());
  return last;
}

std::vector<char> Clip::moved_joints() const {
  std::vector<char> moved(base.size(), false);
  for (const Channel& channel : channels) moved[channel.joint] = true;
  return moved;
}

void Clip::sample(double time, SkeletonPose& pose) const {
  for (const Channel& channel : channels) pose[channel.joint] = base[channel.joint];
  for (const Channel& channel : channels) {
    const Eigen::Vector4d value = value_at(channel, time);
    Transform& transform = pose[channel.joint];
    if (channel.path == Channel::translation) transform.translation = value.head<3>();
    if (channel.path == Channel::scale) transform.scale = value.head<3>();
    if (channel.path != Channel::rotation) continue;
    const double norm = value.norm();  // zero if a spline passes through zero
    if (norm > 0) transform.rotation = Eigen::Quaterniond(Eigen::Vector4d(value / norm));
  }
}

void TransformMean::add(const Transform& transform, double weight, const Transform& rest) {
  translation_ += weight * transform.translation;
  scale_ += weight * transform.scale;
  const bool opposite = transform.rotation.dot(rest.rotation) < 0;
  rotation_ += (opposite ? -weight : weight) * transform.rotation.coeffs();
}

Transform TransformMean::value(const Transform& rest) const {
  constexpr double vanishing = 1e-9;
  const double norm = rotation_.norm();
  return {translation_,
          norm > vanishing ? Eigen::Quaterniond(Eigen::Vector4d(rotation_ / norm)) : rest.rotation, scale_};
}

void SkinWeights::append(Influences influences, double min_weight) {
  std::stable_sort(influences.begin(), influences.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  double sum = 0, kept = 0;
  std::size_t count = 0;  // number of distinct joints, which are moved to the front
  for (const auto& [named, part] : influences) {
    sum += part;
    if (count > 0 && influences[count - 1].first == named)
      influences[count - 1].second += part;
    else
      influences[count++] = {named, part};
  }
  influences.resize(count);
  if (!(sum > 0) || !std::isfinite(sum)) throw Error("it has no weight");
  std::erase_if(influences, [&](const auto& one) { return !(one.second > min_weight * sum); });
  for (const auto& one : influences) kept += one.second;
  for (const auto& [named, part] : influences) {
    joint.push_back(named);
    weight.push_back(part / kept);
  }
  start.push_back(joint.size());
}

void SkinWeights::add_to(Influences& influences, Index vertex, double factor) const {
  for (Index k = start[vertex]; k < start[vertex + 1]; ++k)
    influences.emplace_back(joint[k], factor * weight[k]);
}

Skinning::Skinning(Skeleton skeleton, SkinWeights weights, Points rest)
    : skeleton_(std::move(skeleton)), weights_(std::move(weights)), rest_(std::move(rest)) {
  assert(weights_.vertex_count() == rest_.cols());
  skeleton_.place(skeleton_.rest_pose(), from_rest_);
  for (Eigen::Affine3d& joint : from_rest_) joint = joint.inverse();
  placed_.resize(from_rest_.size());
}

void Skinning::deform(const SkeletonPose& pose, Points& x) {
  using Matrix34 = Eigen::Matrix<double, 3, 4>;
  skeleton_.place(pose, placed_);
  for (std::size_t j = 0; j < placed_.size(); ++j) placed_[j] = placed_[j] * from_rest_[j];
  x.resize(3, rest_.cols());
  for (Index v = 0; v < weights_.vertex_count(); ++v) {
    Matrix34 blended = Matrix34::Zero();
    for (Index k = weights_.start[v]; k < weights_.start[v + 1]; ++k)
      blended += weights_.weight[k] * placed_[weights_.joint[k]].affine();
    x.col(v) = blended.leftCols<3>() * rest_.col(v) + blended.col(3);
  }
}

}  // namespace shoal
