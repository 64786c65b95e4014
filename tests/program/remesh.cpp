// The command `remesh`: what it writes is read back, with its skin, and moves as the original does.
#include "discretizations/mesh/closest_point.hpp"
#include "discretizations/mesh/gltf_writer.hpp"
#include "discretizations/mesh/writer.hpp"
#include "experiments/motions/skin.hpp"
#include "shoal.hpp"
#include "tests/support/skinned_tube.hpp"

namespace shoal {
namespace {

class Remesh : public test::Shoal {
 protected:
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
};

Motion walk(const Surface& surface) {
  const Character character = load_character(surface);
  auto mixer = std::make_shared<ClipMixer>(character.skeleton, character.clips);
  ClipSchedule schedule;
  schedule.clips = "walk";
  schedule.delay = 0;
  for (const ClipCommand& command : commands_of(schedule, *mixer)) mixer->add(command);
  return skin_motion(surface, character, mixer);
}

TEST_F(Remesh, keeps_skin_and_clips_so_that_the_body_walks_as_before) {
  ASSERT_EQ(shoal("remesh figure small.glb --vertices 700"), 0) << complaint();
  EXPECT_NE(output().find("19 joints; clips walk (2.5 s)"), std::string::npos) << output();
  EXPECT_NE(output().find("small.glb: 700 vertices, 1396 triangles in one piece"), std::string::npos)
      << output();
  const Surface before = load_surface("figure"), after = load_surface(path("small.glb"));
  ASSERT_EQ(after.mesh.vertex_count, 700);
  const Motion old_walk = walk(before), new_walk = walk(after);
  Points x, y;
  for (const double time : {0.0, 0.6, 1.5}) {
    old_walk(time, x);
    new_walk(time, y);
    const SurfaceTree tree(before.mesh.faces, x);
    double farthest = 0, sum = 0;
    for (Eigen::Index i = 0; i < y.cols(); ++i) {
      const double distance = (tree.closest(y.col(i)).x - y.col(i)).norm();
      farthest = std::max(farthest, distance);
      sum += distance;
    }
    // Edges of 0.32 m on limbs of radius 0.2 m and more: chords are off by L²/8r.
    EXPECT_LT(farthest, 0.08) << time;
    EXPECT_LT(sum / static_cast<double>(y.cols()), 0.008) << time;
  }
  EXPECT_EQ(shoal("run character --mesh small.glb --param clips=walk:0.8,wave:0.2 --end 0.1 --output a.h5"),
            0)
      << complaint();
}

TEST_F(Remesh, drops_all_but_the_largest_piece_and_says_so) {
  const test::SkinnedTube tube = test::skinned_tube();
  const Eigen::Index n = tube.x.cols(), m = tube.faces.cols();
  test::SkinnedTube both = tube;
  both.x.resize(3, 2 * n);
  both.x << tube.x, (0.5 * tube.x).colwise() + Vector3(2, 0, 0);
  both.faces.resize(3, 2 * m);
  both.faces << tube.faces, tube.faces.array() + static_cast<Index>(n);
  for (Eigen::Index i = 0; i < n; ++i) both.character.weights.append({{0, 1.0}}, 0);
  write_glb(path("two.glb"), both.x, both.faces, Points(), &both.character);
  ASSERT_EQ(shoal("remesh two.glb one.glb --keep-largest --height 10"), 0) << complaint();
  EXPECT_NE(output().find("dropped a piece of 138 vertices"), std::string::npos) << output();
  EXPECT_NE(output().find("scaled by 5, from 2 to 10 m"), std::string::npos) << output();
  const Surface surface = load_surface(path("one.glb"));
  EXPECT_EQ(surface.mesh.vertex_count, n);
  Points x;
  const Character character = load_character(surface);
  Skinning skinning(character.skeleton, character.weights, surface.x);
  SkeletonPose pose = character.skeleton.rest_pose();
  character.clips[0].sample(1, pose);
  skinning.deform(pose, x);
  SkeletonPose given = tube.character.skeleton.rest_pose();
  tube.character.clips[0].sample(1, given);
  Skinning original(tube.character.skeleton, tube.character.weights, tube.x);
  Points expected;
  original.deform(given, expected);
  EXPECT_LT((x.rowwise().maxCoeff() - 5 * expected.rowwise().maxCoeff()).norm(),
            1e-5);  // single precision of 10 m
}

TEST_F(Remesh, joins_vertices_within_the_distance_asked_for) {
  test::SkinnedTube tube = test::skinned_tube();
  const Eigen::Index last = tube.x.cols();
  tube.x.conservativeResize(3, last + 1);
  tube.x.col(last) = tube.x.col(0) + Vector3(1e-4, 0, 0);
  for (Index& corner : tube.faces.col(1).reshaped())
    if (corner == 0) corner = static_cast<Index>(last);
  write_obj(path("crack.obj"), tube.x, tube.faces);
  ASSERT_EQ(shoal("remesh crack.obj whole.ply --weld 1e-3"), 0) << complaint();
  EXPECT_EQ(load_surface(path("whole.ply")).mesh.vertex_count, last);
  EXPECT_TRUE(load_surface(path("whole.ply")).mesh.closed());
}

TEST_F(Remesh, says_in_a_sentence_what_it_does_not_do) {
  const auto refused = [&](const std::string& arguments, const std::string& part) {
    EXPECT_EQ(shoal("remesh " + arguments), 2) << arguments;
    EXPECT_NE(complaint().find(part), std::string::npos) << complaint();
    const std::string said = complaint();
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
  };
  refused("icosphere:2 a.stl --vertices 100", ".glb, .obj and .ply can be written");
  refused("icosphere:2 a.glb --vertices 100 --edge-length 1", "say the same thing");
  refused("icosphere:2 a.glb --edge-length -1", "not a length > 0");
  refused("icosphere:2 a.glb --vertices few", "not a whole number");
  refused("rectangle:4x4 a.glb --vertices 100", "boundary");
  refused("icosphere:2 --vertices 100", "is missing");
}

}  // namespace
}  // namespace shoal
