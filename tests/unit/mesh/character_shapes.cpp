// The figure and the letters.
#include "discretizations/mesh/generators/character_shapes.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/quality.hpp"
#include "shapes.hpp"

#include <cmath>
#include <map>
#include <numbers>

namespace shoal::test {
namespace {

struct Expected {
  const char* name;
  Index vertices, components;
};

void PrintTo(const Expected& expected, std::ostream* out) {
  *out << expected.name;
}

class Character : public ::testing::TestWithParam<Expected> {};

TEST_P(Character, has_its_size_and_topology_and_good_angles) {
  const Surface surface = load_surface(GetParam().name);
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  const MeshQuality quality = assess(surface, geometry);
  EXPECT_EQ(quality.vertices, GetParam().vertices);
  EXPECT_EQ(quality.faces, 2 * GetParam().vertices - 4 * GetParam().components);
  EXPECT_EQ(quality.components, GetParam().components);
  EXPECT_EQ(quality.euler_characteristic, 2 * GetParam().components);
  EXPECT_TRUE(quality.closed);
  EXPECT_TRUE(surface.repairs.empty());
  EXPECT_GT(quality.angle.front(), 25);
  const double mean =
      geometry.cotangent.colwise().maxCoeff().unaryExpr([](double c) { return std::atan(1 / c); }).mean();
  EXPECT_GT(mean, 50 * std::numbers::pi / 180);
}

INSTANTIATE_TEST_SUITE_P(Mesh, Character,
                         ::testing::Values(Expected{"figure", 1346, 1}, Expected{"letters", 3832, 4},
                                           Expected{"figure:500", 500, 1}, Expected{"figure:2001", 2001, 1},
                                           Expected{"letters:1000", 1000, 4}));

TEST(Character, of_the_fewest_vertices_is_still_whole) {
  for (const auto& [name, characteristic] : {std::pair("figure:200", 2), std::pair("letters:600", 8)}) {
    const Surface surface = load_surface(name);
    EXPECT_EQ(surface.mesh.euler_characteristic(), characteristic) << name;
    EXPECT_TRUE(surface.mesh.closed());
  }
}

TEST(Figure, is_scaled_by_radius_and_the_same_each_time) {
  // Scaling by a power of two commutes with rounding.
  const Surface one = load_surface("figure:300"), two = load_surface("figure:300", 2.0);
  EXPECT_EQ(two.x, 2.0 * one.x);
  EXPECT_EQ(two.mesh.faces, one.mesh.faces);
}

TEST(Figure, stands_upright_on_its_soles) {
  const Points x = figure_surface(figure_vertices).x;
  EXPECT_NEAR(x.row(1).minCoeff(), 0, 0.03);
  EXPECT_NEAR(x.row(1).maxCoeff(), 10, 0.05);
  EXPECT_LT(std::abs(x.row(0).minCoeff() + x.row(0).maxCoeff()), 0.2);
  // Seen from the front its legs are apart.
  for (Index v = 0; v < x.cols(); ++v)
    if (x(1, v) < 4) {
      EXPECT_GT(std::abs(x(0, v)), 0.1);
    }
}

TEST(Figure, has_flesh_around_its_bones_and_little_more) {
  const std::vector<Bone> bones = figure_bones();
  const Points x = figure_surface(figure_vertices).x;
  // −k log Σ exp(−dᵢ/k) = 0 leaves 0 ≤ min d ≤ k log n, with k = 0.1 m.
  const double max_distance = 0.1 * std::log(static_cast<double>(bones.size()));
  for (Index v = 0; v < x.cols(); ++v) {
    const double distance = bone_distance(bones[nearest_bone(bones, x.col(v))], x.col(v));
    EXPECT_GT(distance, -1e-9);
    EXPECT_LT(distance, max_distance);
  }
}

TEST(Figure, has_all_regions_on_their_sides) {
  const std::vector<Bone> bones = figure_bones();
  const Points x = figure_surface(figure_vertices).x;
  std::map<std::string, Index> count;
  for (Index v = 0; v < x.cols(); ++v) {
    const Bone& bone = bones[nearest_bone(bones, x.col(v))];
    ++count[bone.region];
    const bool left = bone.region.rfind("left", 0) == 0, right = bone.region.rfind("right", 0) == 0;
    EXPECT_TRUE(!left || x(0, v) > -0.1) << bone.name;
    EXPECT_TRUE(!right || x(0, v) < 0.1) << bone.name;
    EXPECT_TRUE(bone.region != "head" || x(1, v) > 7.5);
  }
  EXPECT_EQ(count.size(), 6u);
  for (const char* region : {"torso", "head", "left arm", "right arm", "left leg", "right leg"})
    EXPECT_GT(count[region], 50) << region;
}

TEST(FigureBones, are_a_tree_with_parents_first_and_mirror_images) {
  const std::vector<Bone> bones = figure_bones();
  EXPECT_EQ(bones.front().parent, -1);
  for (Index i = 1; i < static_cast<Index>(bones.size()); ++i) {
    const Bone& bone = bones[i];
    ASSERT_GE(bone.parent, 0);
    ASSERT_LT(bone.parent, i);
    if (bone.name.rfind("right", 0) != 0) continue;
    std::string name = bone.name;
    name.replace(0, 5, "left");
    const auto left = std::find_if(bones.begin(), bones.end(), [&](const Bone& b) { return b.name == name; });
    ASSERT_NE(left, bones.end()) << name;
    EXPECT_EQ(left->start.cwiseProduct(Vector3(-1, 1, 1)), bone.start);
    EXPECT_EQ(left->end.cwiseProduct(Vector3(-1, 1, 1)), bone.end);
    EXPECT_EQ(bones[left->parent].region.substr(bones[left->parent].region.find(' ') + 1),
              bones[bone.parent].region.substr(bones[bone.parent].region.find(' ') + 1));
  }
}

TEST(BoneDistance, is_that_of_the_spheres_along_the_bone) {
  const Bone slanted{"b", "torso", -1, {0.1, 0.2, 0.3}, {0.5, 1.4, 0.1}, 0.5, 0.2, 0},
      broad{"b", "torso", -1, {0.1, 0.2, 0.3}, {0.1, 1.4, 0.1}, 0.2, 0.4, 0.3};
  constexpr int samples = 1000;
  for (const Bone& bone : {slanted, broad})
    for (const Vector3& point : {Vector3(2, 1, 0), Vector3(0.4, -3, 1), Vector3(-0.5, 2, 2),
                                 Vector3(0.3, 3, 0.2), Vector3(0.2, 0.6, 0.9)}) {
      double min_distance = std::numeric_limits<double>::infinity();
      for (int i = 0; i <= samples; ++i)
        for (int j = -100; j <= 100; ++j) {
          const double t = static_cast<double>(i) / samples;
          const Vector3 center =
              (1 - t) * bone.start + t * bone.end + j / 100.0 * bone.breadth * Vector3::UnitX();
          const double radius = (1 - t) * bone.start_radius + t * bone.end_radius;
          min_distance = std::min(min_distance, (point - center).norm() - radius);
        }
      EXPECT_NEAR(bone_distance(bone, point), min_distance, 1e-4) << point.transpose();
    }
}

TEST(FigureBones, are_scaled_by_radius) {
  const std::vector<Bone> one = figure_bones(), two = figure_bones(2);
  const Vector3 point(1, 5, 0.3);
  for (std::size_t i = 0; i < one.size(); ++i)
    EXPECT_NEAR(bone_distance(two[i], 2 * point), 2 * bone_distance(one[i], point), 1e-13);
}

}  // namespace
}  // namespace shoal::test
