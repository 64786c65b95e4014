// Samplers as glTF 2.0 defines them, means of transforms, and linear-blend skinning against its closed form.
#include "discretizations/mesh/characters/skeleton.hpp"

#include "shapes.hpp"
#include "tests/support/skinned_tube.hpp"

namespace shoal::test {
namespace {

constexpr double round_off = 1e-14;

Transform sampled(const Channel& channel, double time) {
  Clip clip;
  clip.base = {Transform()};
  clip.channels = {channel};
  SkeletonPose pose(1);
  clip.sample(time, pose);
  return pose[0];
}

Eigen::MatrixXd columns(std::initializer_list<Vector3> list) {
  Eigen::MatrixXd result(3, list.size());
  Eigen::Index k = 0;
  for (const Vector3& column : list) result.col(k++) = column;
  return result;
}

TEST(Sampler, steps_hold_a_key_until_the_next) {
  const Channel channel{
      0, Channel::translation, Channel::step, {1.0, 2.0, 4.0}, columns({{1, 0, 0}, {2, 0, 0}, {3, 0, 0}})};
  for (const auto& [time, value] :
       {std::pair(0.0, 1.0), {1.0, 1.0}, {1.999, 1.0}, {2.0, 2.0}, {3.9, 2.0}, {4.0, 3.0}, {9.0, 3.0}})
    EXPECT_EQ(sampled(channel, time).translation.x(), value) << time;
}

TEST(Sampler, linear_translations_and_scales_go_in_straight_lines) {
  const Channel channel{0, Channel::scale, Channel::linear, {1.0, 3.0}, columns({{1, 2, 3}, {2, 0, 7}})};
  EXPECT_LT((sampled(channel, 1.5).scale - Vector3(1.25, 1.5, 4)).norm(), round_off);
  EXPECT_EQ(sampled(channel, 0).scale, Vector3(1, 2, 3));
  EXPECT_EQ(sampled(channel, 5).scale, Vector3(2, 0, 7));
}

TEST(Sampler, linear_rotations_turn_evenly_the_shorter_way) {
  const Vector3 axis = Vector3(1, 2, 2) / 3;
  for (const double sign : {1.0, -1.0}) {  // q and −q are one rotation
    Eigen::MatrixXd values(4, 2);
    values.col(0) = Eigen::Quaterniond::Identity().coeffs();
    values.col(1) = sign * Eigen::Quaterniond(Eigen::AngleAxisd(1.2, axis)).coeffs();
    const Channel channel{0, Channel::rotation, Channel::linear, {0.0, 2.0}, values};
    for (const double time : {0.0, 0.5, 1.5, 2.0}) {
      const Eigen::Quaterniond expected(Eigen::AngleAxisd(0.6 * time, axis));
      EXPECT_LT(sampled(channel, time).rotation.angularDistance(expected), 1e-7)
          << time;  // √ε: an arccosine near 1
    }
  }
}

TEST(Sampler, cubic_splines_reproduce_a_cubic_polynomial) {
  const auto f = [](double t) { return Vector3(t * t * t, 1 - t * t, 2 * t); };
  const auto slope = [](double t) { return Vector3(3 * t * t, -2 * t, 2); };
  const Array<double> times = {0.5, 1.5, 4.0};
  Eigen::MatrixXd values(3, 9);
  for (Index k = 0; k < 3; ++k) {
    values.col(3 * k) = slope(times[k]);
    values.col(3 * k + 1) = f(times[k]);
    values.col(3 * k + 2) = slope(times[k]);
  }
  const Channel channel{0, Channel::translation, Channel::cubic, times, values};
  constexpr double tolerance = 1e-13;  // values up to 64
  for (const double time : {0.5, 0.7, 1.5, 2.0, 3.9})
    EXPECT_LT((sampled(channel, time).translation - f(time)).norm(), tolerance) << time;
  EXPECT_EQ(sampled(channel, 0).translation, f(0.5));
  EXPECT_EQ(sampled(channel, 9).translation, f(4));
}

TEST(Sampler, parts_that_a_clip_does_not_move_are_those_of_its_base) {
  Clip clip;
  clip.base = {Transform{Vector3(1, 2, 3), Eigen::Quaterniond::Identity(), Vector3(2, 2, 2)}, Transform()};
  clip.channels = {{0, Channel::translation, Channel::step, {0.0}, columns({{5, 5, 5}})}};
  SkeletonPose pose(2);
  pose[1].translation << 7, 7, 7;
  clip.sample(0, pose);
  EXPECT_EQ(pose[0].translation, Vector3(5, 5, 5));
  EXPECT_EQ(pose[0].scale, Vector3(2, 2, 2));
  EXPECT_EQ(pose[1].translation, Vector3(7, 7, 7));  // it does not move that joint
}

TEST(TransformMean, does_not_depend_on_order_or_on_the_signs_of_quaternions) {
  const Transform rest;
  const Transform a{Vector3(1, 0, 0), Eigen::Quaterniond(Eigen::AngleAxisd(1, Vector3::UnitX())),
                    Vector3::Ones()};
  Transform b{Vector3(0, 1, 0), Eigen::Quaterniond(Eigen::AngleAxisd(2, Vector3::UnitY())), Vector3::Ones()};
  TransformMean one, other;
  one.add(a, 0.3, rest);
  one.add(b, 0.7, rest);
  b.rotation.coeffs() *= -1;
  other.add(b, 0.7, rest);
  other.add(a, 0.3, rest);
  EXPECT_LT((one.value(rest).matrix().matrix() - other.value(rest).matrix().matrix()).norm(), round_off);
}

TEST(Skinning, bends_a_tube_as_the_closed_form_says) {
  const SkinnedTube tube = skinned_tube();
  Skinning skinning(tube.character.skeleton, tube.character.weights, tube.x);
  SkeletonPose pose = tube.character.skeleton.rest_pose();
  tube.character.clips[0].sample(1, pose);
  Points x;
  skinning.deform(pose, x);
  const Eigen::Matrix3d rotation(Eigen::AngleAxisd(std::numbers::pi / 4, Vector3::UnitX()));
  const Vector3 joint = Vector3::UnitZ();
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    const Vector3 at = tube.x.col(i);
    const double w = upper_weight(at.z());
    const Vector3 expected = (1 - w) * at + w * (joint + rotation * (at - joint));
    EXPECT_LT((x.col(i) - expected).norm(), round_off) << i;
  }
}

TEST(Skinning, leaves_the_mesh_as_it_is_at_rest) {
  const SkinnedTube tube = skinned_tube();
  Skinning skinning(tube.character.skeleton, tube.character.weights, tube.x);
  Points x;
  skinning.deform(tube.character.skeleton.rest_pose(), x);
  EXPECT_LT((x - tube.x).lpNorm<Eigen::Infinity>(), round_off);
}

TEST(SkinWeights, are_merged_and_normalised) {
  SkinWeights weights;
  weights.append({{2, 1}, {0, 2}, {2, 1}, {1, 1e-9}}, 1e-6);
  EXPECT_EQ(weights.joint, (Array<Index>{0, 2}));
  EXPECT_EQ(weights.weight, (Array<double>{0.5, 0.5}));
  EXPECT_TRUE(contains(message_of([&] { weights.append({{0, 0.0}}, 0); }), "no weight"));
}

}  // namespace
}  // namespace shoal::test
