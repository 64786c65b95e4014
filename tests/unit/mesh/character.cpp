// Skins in glTF files: writing and reading, merging of vertices, refusal of damaged ones; the skin of the figure.
#include "discretizations/mesh/characters/character.hpp"

#include "discretizations/mesh/characters/character_clips.hpp"
#include "discretizations/mesh/characters/figure_skin.hpp"
#include "discretizations/mesh/characters/gltf_writer.hpp"
#include "discretizations/mesh/formats/writer.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "shapes.hpp"
#include "tests/support/skinned_tube.hpp"
#include "tests/support/temporary.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <optional>

namespace shoal::test {
namespace {

using Json = nlohmann::json;

constexpr double single_precision = 1e-6;  // of coordinates up to 2 m

class SkinFile : public testing::Test {
 protected:
  std::string path() const { return (folder_ / "tube.glb").string(); }

  /// The tube's file after `change` to its JSON text.
  void write(const std::function<void(Json&)>& change = {}) const {
    const SkinnedTube tube = skinned_tube();
    std::string bytes = glb_bytes(tube.x, tube.faces, Points(), &tube.character);
    if (change) {
      std::uint32_t length = 0;
      std::memcpy(&length, bytes.data() + 12, sizeof length);
      Json json = Json::parse(bytes.substr(20, length));
      change(json);
      std::string text = json.dump();
      text.resize((text.size() + 3) / 4 * 4, ' ');
      bytes = bytes.substr(0, 20) + text + bytes.substr(20 + length);
      const auto put = [&](std::size_t at, std::size_t value) {
        const auto number = static_cast<std::uint32_t>(value);
        std::memcpy(bytes.data() + at, &number, sizeof number);
      };
      put(8, bytes.size());
      put(12, text.size());
    }
    write_mesh_file(path(), bytes);
  }
  std::string refusal(const std::function<void(Json&)>& change) const {
    write(change);
    return message_of([&] { load_character(load_surface(path())); });
  }

  TemporaryFolder folder_;
};

TEST_F(SkinFile, is_read_as_it_was_written) {
  write();
  const SkinnedTube tube = skinned_tube();
  const Surface surface = load_surface(path());
  const Character read = load_character(surface);
  ASSERT_EQ(read.skeleton.size(), 2);
  EXPECT_EQ(read.skeleton.joints[1].name, "upper");
  EXPECT_EQ(read.skeleton.joints[1].parent, 0);
  EXPECT_EQ(read.skeleton.joints[1].rest.translation, Vector3(0, 0, 1));
  ASSERT_EQ(read.clips.size(), 2u);
  EXPECT_EQ(read.clips[0].name, "bend");
  EXPECT_EQ(read.clips[1].name, "sway");
  EXPECT_EQ(read.averaged, 0);

  Skinning before(tube.character.skeleton, tube.character.weights, tube.x),
      after(read.skeleton, read.weights, surface.x);
  SkeletonPose pose = tube.character.skeleton.rest_pose(), pose_read = pose;
  tube.character.clips[0].sample(0.7, pose);
  read.clips[0].sample(0.7, pose_read);
  Points x, y;
  before.deform(pose, x);
  after.deform(pose_read, y);
  for (Index i = 0; i < surface.mesh.vertex_count; ++i)
    EXPECT_LT((y.col(i) - x.col(surface.input_vertex[static_cast<std::size_t>(i)])).norm(), single_precision);
}

TEST_F(SkinFile, rests_in_its_bind_pose_whatever_frame_it_stands_in) {
  // Nodes above the joints that turn, scale and shift all of them, and the mesh with them.
  const Eigen::Affine3d frame =
      Eigen::Translation3d(3, 4, 5) * Eigen::Quaterniond(0.8, 0.6, 0, 0) * Eigen::Scaling(2.0);
  write([](Json& file) {
    file["nodes"].push_back({{"children", {1}},
                             {"translation", {3, 4, 5}},
                             {"rotation", {0.6, 0, 0, 0.8}},
                             {"scale", {2, 2, 2}}});
    file["scenes"][0]["nodes"] = {0, 3};
  });
  const Surface surface = load_surface(path());
  const Character character = load_character(surface);
  Skinning skinning(character.skeleton, character.weights, surface.x);
  Points x;
  skinning.deform(character.skeleton.rest_pose(), x);
  EXPECT_LT((x - surface.x).lpNorm<Eigen::Infinity>(), 1e-12);
  SkeletonPose pose = character.skeleton.rest_pose();
  character.clips[0].sample(1, pose);
  skinning.deform(pose, x);
  const Points back = frame.inverse() * x;
  EXPECT_NEAR(back.row(2).maxCoeff(), 1 + std::sqrt(0.5) * 1.25,
              0.1);  // bent by 45°, in the tube's own frame and size
  const SkinnedTube tube = skinned_tube();
  for (Index i = 0; i < surface.mesh.vertex_count; ++i)
    EXPECT_LT(
        (surface.x.col(i) - frame * tube.x.col(surface.input_vertex[static_cast<std::size_t>(i)])).norm(),
        10 * single_precision);
}

TEST_F(SkinFile, has_the_mean_of_the_weights_of_welded_vertices) {
  SkinnedTube tube = skinned_tube();
  // Vertex 0 once more, moved by the other joint, for one of its faces.
  const Eigen::Index last = tube.x.cols();
  tube.x.conservativeResize(3, last + 1);
  tube.x.col(last) = tube.x.col(0);
  tube.character.weights.append({{1, 1.0}}, 0);
  for (Index& corner : tube.faces.col(1).reshaped())
    if (corner == 0) corner = static_cast<Index>(last);
  ASSERT_NE((tube.faces.array() == static_cast<Index>(last)).count(), 0);
  write_glb(path(), tube.x, tube.faces, Points(), &tube.character);
  const Surface surface = load_surface(path());
  const Character character = load_character(surface);
  EXPECT_EQ(character.averaged, 1);
  for (Index i = 0; i < surface.mesh.vertex_count; ++i) {
    if (surface.input_vertex[static_cast<std::size_t>(i)] != 0) continue;
    EXPECT_EQ(character.weights.start[i + 1] - character.weights.start[i], 2);
    EXPECT_DOUBLE_EQ(character.weights.weight[character.weights.start[i]], 0.5);
  }
}

TEST_F(SkinFile, is_refused_where_it_is_damaged) {
  const auto says = [&](const std::function<void(Json&)>& change, const std::string& part) {
    EXPECT_TRUE(contains(refusal(change), part));
  };
  says([](Json& f) { f["nodes"][0].erase("skin"); }, "it has no skin");
  says([](Json& f) { f["skins"][0]["joints"] = Json::array(); }, "skins[0]: it has no joints");
  says([](Json& f) { f["skins"][0]["joints"].push_back(2); }, "it has 3 joints and 2 inverse bind matrices");
  says([](Json& f) { f["meshes"][0]["primitives"][0]["attributes"].erase("JOINTS_0"); },
       "only one of JOINTS_0 and WEIGHTS_0 is present");
  says(
      [](Json& f) {
        f["meshes"][0]["primitives"][0]["attributes"].erase("JOINTS_0");
        f["meshes"][0]["primitives"][0]["attributes"].erase("WEIGHTS_0");
      },
      "it has no JOINTS_0 and WEIGHTS_0");
  says([](Json& f) { f["skins"][0]["joints"] = {1}; }, "names joint 1, outside [0, 1)");
  says([](Json& f) { f["nodes"][2]["children"] = {1}, f["scenes"][0]["nodes"] = {0}; },
       "is its own ancestor");
  says(
      [](Json& f) {
        f["nodes"].push_back({{"children", {2}}});
        f["scenes"][0]["nodes"] = {0};
      },
      "nodes[2]: it has two parents, 1 and 3");
  says(
      [](Json& f) {
        f["nodes"][1].erase("translation"), f["nodes"][1]["scale"] = {0, 1, 1};
      },
      "cannot be inverted");
  says([](Json& f) { f["animations"][0]["channels"].push_back(f["animations"][0]["channels"][0]); },
       "animations[0]: channels[1]: the rotation of node 2 is moved twice");
  says([](Json& f) { f["animations"][0]["channels"][0]["target"]["path"] = "colour"; },
       "channels[0]: its path is not one of translation, rotation, scale and weights");
  says([](Json& f) { f["animations"][0]["channels"][0]["target"]["path"] = "scale"; },
       "its type is VEC4 instead of VEC3");
  says([](Json& f) { f["animations"][0]["samplers"][0]["interpolation"] = "CUBICSPLINE"; },
       "2 times have 2 values, not 6");
  says(
      [](Json& f) {
        const auto output = f["animations"][0]["samplers"][0]["output"].get<std::size_t>();
        f["animations"][0]["samplers"][0]["input"] = output;
      },
      "its type is VEC4 instead of SCALAR");
}

TEST_F(SkinFile, keys_must_ascend) {
  SkinnedTube tube = skinned_tube();
  tube.character.clips[0].channels[0].times = {1.0, 1.0};
  write_glb(path(), tube.x, tube.faces, Points(), &tube.character);
  EXPECT_TRUE(contains(message_of([&] { load_character(load_surface(path())); }),
                       "animations[0]: channels[0]: its times do not increase: key 1 is at 1 s"));
}

TEST_F(SkinFile, a_mesh_without_a_skin_has_none) {
  const SkinnedTube tube = skinned_tube();
  write_glb(path(), tube.x, tube.faces);
  const Surface surface = load_surface(path());
  EXPECT_EQ(surface.mesh.vertex_count, tube.x.cols());
  EXPECT_FALSE(has_skin(surface));
  EXPECT_TRUE(contains(message_of([&] { load_character(surface); }), "it has no skin"));
  EXPECT_TRUE(contains(message_of([] { load_character(load_surface("icosphere:1")); }),
                       "mesh 'icosphere:1': it has no skin"));
}

// ---- the figure ------------------------------------------------------------------------------------------

TEST(FigureSkin, has_smooth_weights_of_sum_one) {
  const Surface surface = load_surface("figure:800");
  const SkinWeights weights = figure_weights(surface.mesh, surface.x);
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(figure_skeleton().size(), surface.mesh.vertex_count);
  for (Index i = 0; i < surface.mesh.vertex_count; ++i)
    for (Index k = weights.start[i]; k < weights.start[i + 1]; ++k)
      dense(weights.joint[k], i) = weights.weight[k];
  constexpr double round_off = 1e-14;
  EXPECT_LT((dense.colwise().sum().array() - 1).abs().maxCoeff(), round_off);
  double steepest = 0;  // change of a weight per metre
  for (Index e = 0; e < surface.mesh.edge_count(); ++e) {
    const Index a = surface.mesh.edges(0, e), b = surface.mesh.edges(1, e);
    steepest = std::max(steepest, (dense.col(a) - dense.col(b)).cwiseAbs().maxCoeff() /
                                      (surface.x.col(a) - surface.x.col(b)).norm());
  }
  EXPECT_LT(
      steepest,
      2.5);  // two steps of heat: a jump becomes a slope of 1/(4·0.2 m) on flat ground, steeper on limbs
}

/// The places of the joints.
Points places_of(const Skeleton& skeleton, const Clip& clip, double time) {
  SkeletonPose pose = skeleton.rest_pose();
  clip.sample(time, pose);
  std::vector<Eigen::Affine3d> placed;
  skeleton.place(pose, placed);
  Points x(3, skeleton.size());
  for (Index j = 0; j < skeleton.size(); ++j) x.col(j) = placed[static_cast<std::size_t>(j)].translation();
  return x;
}

Index joint_called(const Skeleton& skeleton, const std::string& name) {
  Index j = 0;
  while (skeleton.joints[static_cast<std::size_t>(j)].name != name) ++j;
  return j;
}

TEST(FigureSkin, walks_as_its_mirror_image_does_half_a_period_later) {
  const Skeleton skeleton = figure_skeleton();
  const Clip walk = figure_clips(skeleton, 1)[0];
  ASSERT_EQ(walk.name, "walk");
  const double period = walk.duration();
  constexpr double tolerance = 1e-9;  // slopes by differences
  for (const double time : {0.0, 0.31, 0.9, 1.2}) {
    const Points now = places_of(skeleton, walk, time), later = places_of(skeleton, walk, time + period / 2);
    for (Index j = 0; j < skeleton.size(); ++j) {
      std::string name = skeleton.joints[static_cast<std::size_t>(j)].name;
      if (name.starts_with("left"))
        name.replace(0, 4, "right");
      else if (name.starts_with("right"))
        name.replace(0, 5, "left");
      const Vector3 image = later.col(joint_called(skeleton, name));
      EXPECT_LT((now.col(j) - Vector3(-image.x(), image.y(), image.z())).norm(), tolerance) << name;
    }
  }
}

TEST(FigureSkin, strides_with_arms_against_legs_and_a_foot_near_the_ground) {
  const Skeleton skeleton = figure_skeleton();
  const Clip walk = figure_clips(skeleton, 1)[0];
  const Index left_foot = joint_called(skeleton, "left foot"),
              right_foot = joint_called(skeleton, "right foot"),
              left_knee = joint_called(skeleton, "left shin"),
              right_knee = joint_called(skeleton, "right shin"),
              left_hand = joint_called(skeleton, "left hand"),
              right_hand = joint_called(skeleton, "right hand");
  const double rest_height = places_of(skeleton, {"", {}, {}}, 0)(1, left_foot);
  for (int k = 0; k < 50; ++k) {
    const Points x = places_of(skeleton, walk, walk.duration() * k / 50);
    const double step = x(2, left_knee) - x(2, right_knee), swing = x(2, left_hand) - x(2, right_hand);
    if (std::abs(step) > 0.5) {
      EXPECT_LT(step * swing, 0) << k;
    }
    EXPECT_NEAR(std::min(x(1, left_foot), x(1, right_foot)), rest_height, 0.35) << k;  // of a body of 10 m
  }
}

/// The figure's skeleton under other names (those of one side, with % for it), its joints' axes turned anyhow, in a frame of
/// its own.
Skeleton renamed(const std::map<std::string, std::string>& names, const std::array<std::string, 2>& sides,
                 const Eigen::Affine3d& frame) {
  Skeleton skeleton = figure_skeleton();
  skeleton.frame = frame;
  std::vector<Eigen::Quaterniond> axes(static_cast<std::size_t>(skeleton.size()));
  for (std::size_t j = 0; j < axes.size(); ++j) {
    Joint& joint = skeleton.joints[j];
    axes[j] =
        Eigen::Quaterniond(Eigen::AngleAxisd(0.7 * static_cast<double>(j), Vector3(1, 2, -0.5).normalized()));
    const Eigen::Quaterniond parent =
        joint.parent < 0 ? Eigen::Quaterniond::Identity() : axes[static_cast<std::size_t>(joint.parent)];
    joint.rest.translation = parent.conjugate() * joint.rest.translation;
    joint.rest.rotation = parent.conjugate() * joint.rest.rotation * axes[j];
    for (const auto& [own, other] : names)
      for (std::size_t side = 0; side < 2; ++side)
        if (joint.name == (side == 0 ? "left " : "right ") + own) {
          joint.name = other;
          joint.name.replace(joint.name.find('%'), 1, sides[side]);
        }
  }
  return skeleton;
}

TEST(WalkClip, is_the_figures_walk_for_joints_of_other_names_axes_and_frames) {
  using Names = std::map<std::string, std::string>;
  const Names mixamo = {{"thigh", "mixamorig:%UpLeg"},
                        {"shin", "mixamorig:%Leg"},
                        {"foot", "mixamorig:%Foot"},
                        {"upper arm", "mixamorig:%Arm"},
                        {"forearm", "mixamorig:%ForeArm"}};
  const Names unreal = {{"thigh", "thigh_%"},
                        {"shin", "calf_%"},
                        {"foot", "foot_%"},
                        {"upper arm", "upperarm_%"},
                        {"forearm", "lowerarm_%"}};
  const Names suffix = {{"thigh", "B_Hip_%"},
                        {"shin", "B_Knee_%"},
                        {"foot", "B_Ankle_%"},
                        {"upper arm", "B_UpperArm_%"},
                        {"forearm", "B_ForeArm_%"}};
  Eigen::Affine3d turned = Eigen::Affine3d::Identity();
  turned.rotate(Eigen::AngleAxisd(2, Vector3(1, -1, 3).normalized())).scale(0.01).translation() << 1, 2, 3;

  const Skeleton figure = figure_skeleton();
  const Clip own = figure_clips(figure, 1)[0];
  for (const auto& [names, sides] : {std::pair(mixamo, std::array<std::string, 2>{"Left", "Right"}),
                                     std::pair(unreal, std::array<std::string, 2>{"l", "r"}),
                                     std::pair(suffix, std::array<std::string, 2>{"Left", "Right"})})
    for (const Eigen::Affine3d& frame : {Eigen::Affine3d::Identity(), turned}) {
      const Skeleton skeleton = renamed(names, sides, frame);
      const std::optional<Clip> walk = walk_clip(skeleton);
      ASSERT_TRUE(walk) << names.begin()->second;
      EXPECT_NEAR(walk->duration() / own.duration(), std::sqrt(frame.linear().col(0).norm()), 0.02);
      for (const double phase : {0.0, 0.2, 0.55, 0.8}) {
        const Points x = frame.inverse() * places_of(skeleton, *walk, phase * walk->duration()),
                     y = places_of(figure, own, phase * own.duration());
        for (const std::string name :
             {"left foot", "right foot", "left hand", "right hand", "left shin", "head"}) {
          const Index joint = joint_called(figure, name);
          constexpr double tolerance =
              0.35;  // m, of 10: arms hang 0.1 rad differently, and the neck is not turned
          EXPECT_LT((x.col(joint) - y.col(joint)).norm(), tolerance) << names.begin()->second << " " << name;
        }
        for (const std::string side : {"left ", "right "}) {
          const Index thigh = joint_called(figure, side + "thigh"),
                      foot = joint_called(figure, side + "foot");
          constexpr double leaning = 0.02;  // the hips are 0.03 rad ahead of the feet
          EXPECT_LT((x.col(foot) - x.col(thigh) - y.col(foot) + y.col(thigh)).norm(), leaning);
        }
      }
    }
}

TEST(WalkClip, lets_arms_hang_that_rest_stretched_out) {
  Skeleton skeleton = figure_skeleton();
  for (const double side : {1.0, -1.0}) {
    const std::string name = side > 0 ? "left " : "right ";
    Joint& arm = skeleton.joints[static_cast<std::size_t>(joint_called(skeleton, name + "upper arm"))];
    const Vector3 along =
        skeleton.joints[static_cast<std::size_t>(joint_called(skeleton, name + "forearm"))].rest.translation;
    arm.rest.rotation = Eigen::Quaterniond::FromTwoVectors(along, side * Vector3::UnitX());
  }
  const std::optional<Clip> walk = walk_clip(skeleton);
  ASSERT_TRUE(walk);
  const Index shoulder = joint_called(skeleton, "left upper arm"),
              elbow = joint_called(skeleton, "left forearm"), hand = joint_called(skeleton, "left hand");
  const Points stretched = places_of(skeleton, {"", {}, {}}, 0);
  ASSERT_NEAR(stretched(1, elbow), stretched(1, shoulder), 1e-12);
  for (const double phase : {0.0, 0.25, 0.5}) {
    const Points x = places_of(skeleton, *walk, phase * walk->duration());
    const double length = (x.col(elbow) - x.col(shoulder)).norm();
    EXPECT_LT(x(1, elbow) - x(1, shoulder), -0.85 * length) << phase;
    EXPECT_LT(std::abs(x(0, elbow) - x(0, shoulder)), 0.3 * length) << phase;
    EXPECT_GE(x(2, hand) - x(2, elbow), -0.4 * length) << phase << ": elbows bend forward";
  }
}

/// m, of the left knee ahead of the line from hip to ankle, while the figure walks; positive in a walk.
double knee_ahead(const Skeleton& skeleton) {
  const std::optional<Clip> walk = walk_clip(skeleton);
  if (!walk) return -1;
  const Skeleton figure = figure_skeleton();
  double min_bend = 10;
  for (int k = 0; k < 20; ++k) {
    const Points x = places_of(skeleton, *walk, walk->duration() * k / 20);
    for (const std::string side : {"left ", "right "}) {
      const Vector3 hip = x.col(joint_called(figure, side + "thigh")),
                    knee = x.col(joint_called(figure, side + "shin")),
                    ankle = x.col(joint_called(figure, side + "foot"));
      min_bend = std::min(min_bend, knee.z() - 0.5 * (hip.z() + ankle.z()));
    }
  }
  return min_bend;
}

TEST(WalkClip, bends_knees_ahead_also_in_mirrored_frames_and_where_left_is_called_right) {
  const Skeleton figure = figure_skeleton();
  EXPECT_GT(knee_ahead(figure), 0);
  Skeleton mirrored = figure;  // every joint's frame, with x to its right
  for (Joint& joint : mirrored.joints) {
    if (joint.parent < 0)
      joint.rest.scale.x() = -1;
    else
      joint.rest.translation.x() *= -1;
  }
  EXPECT_NEAR(knee_ahead(mirrored), knee_ahead(figure), 1e-9);
  Skeleton swapped = figure;
  for (Joint& joint : swapped.joints) {
    if (joint.name.starts_with("left"))
      joint.name.replace(0, 4, "right");
    else if (joint.name.starts_with("right"))
      joint.name.replace(0, 5, "left");
  }
  Joint toe{"toe", joint_called(figure, "left foot"), {}};
  toe.rest.translation = {0, 0, 0.9};
  swapped.joints.push_back(toe);
  EXPECT_NEAR(knee_ahead(swapped), knee_ahead(figure), 1e-9);
}

TEST(WalkClip, finds_limbs_among_joints_that_help_and_names_that_mislead) {
  const Skeleton figure = figure_skeleton();
  const double ahead = knee_ahead(figure);
  const auto with = [&](const std::string& name, Index parent) {
    Skeleton skeleton = figure;
    skeleton.joints.push_back({name, parent, {}});
    return skeleton;
  };
  const Index pelvis = figure.joints[static_cast<std::size_t>(joint_called(figure, "left thigh"))].parent;
  for (const char* name : {"LeftHipHolster", "CTRL_Hip_Left", "IK Arm Left", "left foot", "left_leg"})
    EXPECT_EQ(knee_ahead(with(name, pelvis)), ahead) << name;
  for (const char* space : {"Wright:", "Bigfoot:", "Shinobi:", "Leg_rig|", "Barefoot_"}) {
    Skeleton skeleton = figure;
    for (Joint& joint : skeleton.joints) joint.name = space + joint.name;
    EXPECT_EQ(knee_ahead(skeleton), ahead) << space;
  }
  for (const auto& [thigh, shin, foot, arm, forearm] :
       {std::array{"lThigh", "lShin", "lFoot", "lShldr", "lForeArm"},
        {"LThigh", "LCalf", "LFoot", "LUpperArm", "LForearm"},
        {"leftupleg", "leftleg", "leftfoot", "leftarm", "leftforearm"},
        {"Bip01 L Thigh", "Bip01 L Calf", "Bip01 L Foot", "Bip01 L UpperArm", "Bip01 L Forearm"}}) {
    Skeleton skeleton = figure;
    const std::map<std::string, std::string> names = {{"left thigh", thigh},
                                                      {"left shin", shin},
                                                      {"left foot", foot},
                                                      {"left upper arm", arm},
                                                      {"left forearm", forearm}};
    for (Joint& joint : skeleton.joints)
      if (const auto found = names.find(joint.name); found != names.end()) joint.name = found->second;
    EXPECT_TRUE(walk_clip(skeleton)) << thigh;
  }
}

TEST(WalkClip, is_none_of_bones_without_length_or_of_limbs_that_hang_on_each_other) {
  const Skeleton figure = figure_skeleton();
  for (const std::string name : {"left shin", "left foot", "left forearm"}) {
    Skeleton skeleton = figure;
    skeleton.joints[static_cast<std::size_t>(joint_called(figure, name))].rest.translation =
        Vector3(1e-7, 0, 0);
    EXPECT_FALSE(walk_clip(skeleton)) << name;
  }
  Skeleton skeleton = figure;
  for (const std::string name : {"left thigh", "right thigh"})
    skeleton.joints[static_cast<std::size_t>(joint_called(figure, name))].rest.translation.x() *= 1e-6;
  EXPECT_FALSE(walk_clip(skeleton));
  skeleton = figure;
  skeleton.joints[static_cast<std::size_t>(joint_called(figure, "right thigh"))].parent =
      joint_called(figure, "left thigh");
  EXPECT_FALSE(walk_clip(skeleton));
}

TEST(WalkClip, is_none_of_bodies_without_legs_and_arms) {
  EXPECT_FALSE(walk_clip(skinned_tube().character.skeleton));
  Skeleton skeleton = figure_skeleton();
  skeleton.joints[static_cast<std::size_t>(joint_called(skeleton, "left shin"))].name = "left tentacle";
  EXPECT_FALSE(walk_clip(skeleton));
  skeleton = figure_skeleton();
  for (Joint& joint : skeleton.joints) joint.parent = -1;  // a flat one: nothing hangs on anything
  EXPECT_FALSE(walk_clip(skeleton));
}

double volume_inside(const Mesh& mesh, const Geometry& geometry) {
  double volume = 0;
  for (Index f = 0; f < mesh.face_count(); ++f)
    volume += geometry.face_area[f] * geometry.face_normal.col(f).dot(geometry.centroid(mesh, f)) / 3;
  return volume;
}

TEST(FigureSkin, has_clips_that_close_and_keep_good_triangles) {
  const Surface surface = load_surface("figure");
  const Character figure = load_character(surface);
  Skinning skinning(figure.skeleton, figure.weights, surface.x);
  const Geometry rest = make_geometry(surface.mesh, surface.x);
  for (const Clip& clip : figure.clips) {
    EXPECT_LT(
        (places_of(figure.skeleton, clip, 0) - places_of(figure.skeleton, clip, clip.duration())).norm(),
        1e-12);
    SkeletonPose pose = figure.skeleton.rest_pose();
    Points x;
    double smallest_angle = 180, sharpest_crease = 1;
    for (int k = 0; k < 40; ++k) {
      clip.sample(clip.duration() * k / 40, pose);
      skinning.deform(pose, x);
      const Geometry geometry = make_geometry(surface.mesh, x);
      smallest_angle =
          std::min(smallest_angle, std::atan2(1.0, geometry.cotangent.maxCoeff()) * 180 / std::numbers::pi);
      // It is not inverted and keeps about its size.
      EXPECT_NEAR(volume_inside(surface.mesh, geometry) / volume_inside(surface.mesh, rest), 1, 0.08)
          << clip.name << " " << k;
      for (Index e = 0; e < surface.mesh.edge_count(); ++e)
        sharpest_crease =
            std::min(sharpest_crease, geometry.face_normal.col(surface.mesh.edge_faces(0, e))
                                          .dot(geometry.face_normal.col(surface.mesh.edge_faces(1, e))));
    }
    EXPECT_GT(smallest_angle, 10) << clip.name << ": the clamp of Angst 2007 would act";
    EXPECT_GT(sharpest_crease, std::cos(150 * std::numbers::pi / 180)) << clip.name << " folds";
  }
}

}  // namespace
}  // namespace shoal::test
