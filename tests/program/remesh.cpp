// The command `remesh`: its output is read back, including the skin, and moves like the original.
#include "discretizations/mesh/characters/character.hpp"
#include "discretizations/mesh/characters/gltf_writer.hpp"
#include "discretizations/mesh/closest_point.hpp"
#include "discretizations/mesh/formats/writer.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/motions/skin.hpp"
#include "shoal.hpp"
#include "tests/support/skinned_tube.hpp"

#include <fstream>

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
  ASSERT_EQ(shoal("remesh figure small.glb --vertices 700"), 0) << error_output();
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
      << error_output();
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
  ASSERT_EQ(shoal("remesh two.glb one.glb --keep-largest --height 10"), 0) << error_output();
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
  ASSERT_EQ(shoal("remesh crack.obj whole.ply --weld 1e-3"), 0) << error_output();
  EXPECT_EQ(load_surface(path("whole.ply")).mesh.vertex_count, last);
  EXPECT_TRUE(load_surface(path("whole.ply")).mesh.closed());
}

/// Two tetrahedra that share an edge, a face twice, and one that names a vertex twice.
const char* const touching =
    "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 1 1 0\nv -1 0 0\nv -1 -1 0\n"
    "f 1 2 3\nf 2 1 4\nf 3 2 4\nf 1 3 4\nf 1 2 5\nf 2 1 6\nf 5 2 6\nf 1 5 6\nf 4 3 2\nf 1 1 2\n";

TEST_F(Remesh, repairs_what_is_no_manifold_and_says_what_it_did) {
  std::ofstream(folder_ / "touching.obj") << touching;
  EXPECT_EQ(shoal("inspect touching.obj"), 2);
  EXPECT_NE(error_output().find("touching.obj"), std::string::npos);
  EXPECT_NE(error_output().find("use shoal remesh --repair"), std::string::npos) << error_output();
  ASSERT_EQ(shoal("remesh touching.obj whole.ply --repair"), 0) << error_output();
  for (const char* said : {"dropped 1 faces with a repeated vertex", "dropped 1 duplicate faces",
                           "separated the surface at 1 edges with three or more faces",
                           "split vertices, adding 2", "whole.ply: 8 vertices, 8 triangles in 2 pieces"})
    EXPECT_NE(output().find(said), std::string::npos) << said << " is not in: " << output();
  const Surface whole = load_surface(path("whole.ply"));
  EXPECT_TRUE(whole.mesh.closed());
  EXPECT_EQ(whole.mesh.euler_characteristic(), 4);
  ASSERT_EQ(shoal("remesh touching.obj one.ply --repair --keep-largest"), 0) << error_output();
  EXPECT_NE(output().find("dropped a piece of 4 vertices"), std::string::npos) << output();
  EXPECT_EQ(load_surface(path("one.ply")).mesh.vertex_count, 4);
}

TEST_F(Remesh, repairs_a_skinned_body_that_then_moves_as_before) {
  test::SkinnedTube tube = test::skinned_tube();
  tube.faces.conservativeResize(3, tube.faces.cols() + 1);
  tube.faces.rightCols<1>() << 0, 1, 70;  // a fin
  write_glb(path("fin.glb"), tube.x, tube.faces, Points(), &tube.character);
  EXPECT_EQ(shoal("inspect fin.glb"), 2);
  ASSERT_EQ(shoal("remesh fin.glb whole.glb --repair --keep-largest"), 0) << error_output();
  const Surface surface = load_surface(path("whole.glb"));
  EXPECT_TRUE(surface.mesh.closed());
  EXPECT_EQ(surface.mesh.vertex_count, tube.x.cols());
  const Character character = load_character(surface);
  EXPECT_EQ(character.skeleton.size(), 2);
  EXPECT_EQ(character.averaged, 0);
  EXPECT_EQ(shoal("run rest --mesh whole.glb --motion skin --end 0.02 --dt 0.01 --output a.h5"), 0)
      << error_output();
}

TEST_F(Remesh, and_inspect_show_the_geometry_of_what_no_skeleton_can_move) {
  const test::SkinnedTube tube = test::skinned_tube();
  std::string bytes = glb_bytes(tube.x, tube.faces, Points(), &tube.character);
  // Weights that are called otherwise, so that the skin has none.
  for (std::size_t at = bytes.find("WEIGHTS_0"); at != std::string::npos; at = bytes.find("WEIGHTS_0"))
    bytes.replace(at, 9, "WEIGHED_0");
  write_mesh_file(path("tube.glb"), bytes);
  ASSERT_EQ(shoal("inspect tube.glb"), 0) << error_output();
  EXPECT_NE(output().find("138 vertices"), std::string::npos) << output();
  EXPECT_NE(output().find("skin: cannot move the surface (mesh 'tube.glb'"), std::string::npos) << output();
  ASSERT_EQ(shoal("remesh tube.glb plain.glb --vertices 200"), 0) << error_output();
  EXPECT_NE(output().find("dropped its skin, which cannot move it"), std::string::npos) << output();
  EXPECT_FALSE(has_skin(load_surface(path("plain.glb"))));
  EXPECT_EQ(shoal("run rest --mesh tube.glb --end 0.02 --dt 0.01 --output a.h5"), 0) << error_output();
}

TEST_F(Remesh, inspect_tells_where_boundaries_lie) {
  // A strip of two squares with a hole of one triangle.
  std::ofstream(folder_ / "plate.obj") << "v 0 0 0\nv 4 0 0\nv 4 2 0\nv 0 2 0\nv 1 1 0\nv 2 1 0\nv 2 1.5 0\n"
                                          "f 1 2 6 5\nf 2 3 7 6\nf 3 4 5 7\nf 4 1 5\n";
  ASSERT_EQ(shoal("inspect plate.obj"), 0) << error_output();
  EXPECT_NE(
      output().find(
          "boundary      loop-1: 4 edges, 12 m, about (2, 1, 0), from (0, 0, 0) to (4, 2, 0)\n"
          "boundary      loop-2: 3 edges, 2.618 m, about (1.595, 1.155, 0), from (1, 1, 0) to (2, 1.5, 0)\n"),
      std::string::npos)
      << output();
}

TEST_F(Remesh, and_runs_and_inspect_weld_within_the_distance_asked_for) {
  std::ofstream(folder_ / "crack.obj")
      << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 0.001 0\nv 0 1.001 0\nv 1 1 0\nf 1 2 3\nf 4 6 5\n";
  ASSERT_EQ(shoal("inspect crack.obj"), 0) << error_output();
  EXPECT_NE(output().find("6 vertices"), std::string::npos) << output();
  ASSERT_EQ(shoal("inspect crack.obj --weld 0.002"), 0) << error_output();
  EXPECT_NE(output().find("4 vertices"), std::string::npos) << output();
  EXPECT_NE(output().find("welded 2 vertices within 0.002 m of another"), std::string::npos) << output();
  ASSERT_EQ(shoal("run rest --mesh crack.obj --param weld=0.002 --end 0.02 --dt 0.01 --output a.h5"), 0)
      << error_output();
  EXPECT_EQ(shoal("inspect a.h5"), 0);
  EXPECT_NE(output().find("4 vertices"), std::string::npos) << output();
  EXPECT_EQ(shoal("run rest --mesh icosphere:1 --param weld=0.002 --end 0.02 --output b.h5"), 2);
}

TEST_F(Remesh, says_in_a_sentence_what_it_does_not_do) {
  const auto refused = [&](const std::string& arguments, const std::string& part) {
    EXPECT_EQ(shoal("remesh " + arguments), 2) << arguments;
    EXPECT_NE(error_output().find(part), std::string::npos) << error_output();
    const std::string said = error_output();
    EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1);
  };
  refused("icosphere:2 a.stl --vertices 100", "use .glb, .obj or .ply");
  refused("icosphere:2 a.glb --vertices 100 --edge-length 1", "cannot be combined");
  refused("icosphere:2 a.glb --edge-length -1", "not a length > 0");
  refused("icosphere:2 a.glb --vertices few", "not a whole number");
  refused("rectangle:4x4 a.glb --vertices 100", "boundary");
  refused("icosphere:2 --vertices 100", "is missing");
}

}  // namespace
}  // namespace shoal
