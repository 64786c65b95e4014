// Families of spheres: closed, of genus 0, reproducible, with edges that halve from level to level and angles bounded
// from below; and the Delaunay property of the hull.
#include "discretizations/mesh/generators/spheres.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/quality.hpp"
#include "shapes.hpp"

#include <cmath>

namespace shoal::test {
namespace {

MeshQuality quality_of(const std::string& name) {
  const Surface surface = load_surface(name);
  return assess(surface, make_geometry(surface.mesh, surface.x));
}

struct SphereFamily {
  const char* name;
  Index (*vertices)(Index level);
  double min_angle;  ///< degrees, at level 4; as documented for the families, or by symmetry
};

void PrintTo(const SphereFamily& family, std::ostream* out) {
  *out << family.name;
}

class SphereFamilies : public ::testing::TestWithParam<SphereFamily> {
 protected:
  std::string at(Index level) const { return GetParam().name + (":" + std::to_string(level)); }
};

TEST_P(SphereFamilies, are_closed_oriented_spheres_at_every_level) {
  for (Index level = 0; level < 6; ++level) {
    const Surface surface = load_surface(at(level), 2.5);
    const MeshQuality quality = assess(surface, make_geometry(surface.mesh, surface.x));
    EXPECT_TRUE(quality.closed);
    EXPECT_EQ(quality.genus, 0);
    EXPECT_EQ(quality.components, 1);
    EXPECT_EQ(quality.vertices, GetParam().vertices(level));
    EXPECT_TRUE(surface.repairs.empty()) << surface.repairs.front();
    EXPECT_NEAR((surface.x.colwise().norm().array() - 2.5).abs().maxCoeff(), 0, 1e-14);
    const Geometry geometry = make_geometry(surface.mesh, surface.x);
    for (Index k = 0; k < surface.mesh.face_count(); ++k)
      ASSERT_GT(geometry.face_normal.col(k).dot(geometry.centroid(surface.mesh, k)), 0)
          << at(level) << " face " << k;
  }
}

TEST_P(SphereFamilies, halve_their_edges_from_level_to_level) {
  for (Index level = 2; level < 5; ++level)
    EXPECT_NEAR(quality_of(at(level)).edge_length_mean / quality_of(at(level + 1)).edge_length_mean, 2, 0.08);
}

TEST_P(SphereFamilies, keep_their_angles) {
  EXPECT_GT(quality_of(at(4)).angle.front(), GetParam().min_angle);
}

TEST_P(SphereFamilies, give_the_same_bits_twice) {
  const Surface a = load_surface(at(3)), b = load_surface(at(3));
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.mesh.faces, b.mesh.faces);
}

INSTANTIATE_TEST_SUITE_P(
    Mesh, SphereFamilies,
    ::testing::Values(
        SphereFamily{"icosphere", [](Index level) { return 10 * (1 << 2 * level) + 2; }, 54},
        SphereFamily{"jittered-sphere", [](Index level) { return 10 * (1 << 2 * level) + 2; }, 25},
        // The triangles at the poles have an angle of 180°/M, M = 32 rows.
        SphereFamily{"uv-sphere", [](Index level) { return (4 << level) * ((2 << level) - 1) + 2; }, 5.5},
        SphereFamily{"random-sphere", [](Index level) { return 10 * (1 << 2 * level) + 2; }, 20},
        SphereFamily{"refined-sphere", [](Index level) { return 30 * (1 << 2 * level) + 2; }, 25}));

TEST(Seed, makes_another_mesh_of_the_same_family) {
  for (const std::string family : {"jittered-sphere:3", "random-sphere:3"}) {
    EXPECT_EQ(load_surface(family).x, load_surface(family + ":seed=1").x);
    EXPECT_NE(load_surface(family).x, load_surface(family + ":seed=2").x);
    EXPECT_EQ(load_surface(family + ":seed=2").x, load_surface(family + ":seed=2").x);
  }
}

TEST(Jitter, is_a_part_of_the_edges) {
  const Points rest = icosphere(3).x;
  const double edge = quality_of("icosphere:3").edge_length_max;
  constexpr double rounding = 1e-15;
  EXPECT_LT((jittered_sphere(3, 0, 1).x - rest).cwiseAbs().maxCoeff(), rounding);
  for (const double jitter : {0.1, 0.3}) {
    const double largest = (jittered_sphere(3, jitter, 1).x - rest).colwise().norm().maxCoeff();
    EXPECT_LT(largest, jitter * edge);
    EXPECT_GT(largest, 0.8 * jitter * edge);
  }
}

TEST(Jitter, turns_no_triangle_over) {
  for (const char* seed : {"1", "2", "3"})
    EXPECT_GT(quality_of(std::string("jittered-sphere:5:jitter=0.3:seed=") + seed).angle.front(), 10);
}

TEST(RefinedSphere, has_fine_triangles_in_one_place_and_no_obtuse_ones) {
  const MeshQuality quality = quality_of("refined-sphere:4");
  EXPECT_GT(quality.edge_length_max / quality.edge_length_min, 4);
  EXPECT_EQ(quality.obtuse_faces, 0);
  EXPECT_EQ(quality.negative_duals + quality.degenerate_duals, 0);
}

/// No point lies above the plane of a face: the definition of the hull.
TEST(DelaunayOnSphere, is_the_convex_hull) {
  constexpr double tolerance = 4 * std::numeric_limits<double>::epsilon();
  const SphereMesh mesh = random_sphere(2, 7);
  EXPECT_EQ(mesh.faces, delaunay_on_sphere(mesh.x));
  for (Index k = 0; k < mesh.faces.cols(); ++k) {
    const Vector3 a = mesh.x.col(mesh.faces(0, k)), b = mesh.x.col(mesh.faces(1, k)),
                  c = mesh.x.col(mesh.faces(2, k));
    const Vector3 normal = (b - a).cross(c - a);
    EXPECT_LT((normal.transpose() * (mesh.x.colwise() - a)).maxCoeff(), tolerance) << "face " << k;
  }
}

TEST(RandomSphere, keeps_its_points_apart) {
  const Points x = random_sphere(3, 1).x;
  double nearest = 2;
  for (Eigen::Index i = 0; i < x.cols(); ++i)
    for (Eigen::Index j = 0; j < i; ++j) nearest = std::min(nearest, (x.col(i) - x.col(j)).norm());
  // Of 642 points in a hexagonal packing: 3.8/√642.
  EXPECT_GT(nearest, 0.6 * 3.8 / std::sqrt(642));
}

using Names = std::vector<std::string>;

TEST(MeshLists, stand_for_every_family_at_every_level) {
  EXPECT_EQ(meshes_of_list("icosphere:2,3"), (Names{"icosphere:2", "icosphere:3"}));
  EXPECT_EQ(meshes_of_list("icosphere,blob:2,3:slivers"),
            (Names{"icosphere:2:slivers", "icosphere:3:slivers", "blob:2:slivers", "blob:3:slivers"}));
  EXPECT_EQ(meshes_of_list("rectangle:10x5,20x10:2x1"), (Names{"rectangle:10x5:2x1", "rectangle:20x10:2x1"}));
  EXPECT_EQ(meshes_of_list("icosphere:1,icosphere:2"), (Names{"icosphere:1", "icosphere:2"}));
  EXPECT_EQ(meshes_of_list("ellipsoid:2:2,1,0.5,icosphere,blob:2,3:slivers"),
            (Names{"ellipsoid:2:2,1,0.5", "icosphere:2:slivers", "icosphere:3:slivers", "blob:2:slivers",
                   "blob:3:slivers"}));
}

TEST(MeshLists, leave_alone_what_is_none) {
  for (const char* name :
       {"icosphere:2", "ellipsoid:2:2,1,0.5", "ellipsoid:2,1,0.5", "a,b.obj", "icosphere,blub:2", ""})
    EXPECT_EQ(meshes_of_list(name), Names{name});
}

TEST(MeshResolution, is_what_the_meshes_of_a_family_differ_in) {
  const auto parts = [](const char* name) {
    const MeshResolution mesh = split_resolution(name);
    return std::pair(mesh.family, mesh.resolution);
  };
  EXPECT_EQ(parts("icosphere:4"), std::pair(std::string("icosphere"), std::string("4")));
  EXPECT_EQ(parts("blob:slivers:3"), std::pair(std::string("blob:slivers"), std::string("3")));
  EXPECT_EQ(parts("jittered-sphere:3:jitter=0.1"),
            std::pair(std::string("jittered-sphere:jitter=0.1"), std::string("3")));
  EXPECT_EQ(parts("rectangle:40x10:4x1"), std::pair(std::string("rectangle:4x1"), std::string("40x10")));
  EXPECT_EQ(parts("mine:3"), std::pair(std::string("mine"), std::string("3")));  // in memory
  EXPECT_EQ(parts("models/a:3.obj"), std::pair(std::string("models/a:3.obj"), std::string()));
}

}  // namespace
}  // namespace shoal::test
