// The closest point of a surface.
#include "discretizations/mesh/closest_point.hpp"

#include "discretizations/mesh/generators/random.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "shapes.hpp"

namespace shoal::test {
namespace {

Vector3 random_point(std::mt19937_64& random) {
  const double a = symmetric_random(random), b = symmetric_random(random), c = symmetric_random(random);
  return 2 * Vector3(a, b, c);
}

TEST(SurfaceTree, finds_no_point_farther_than_any_sample_of_any_face) {
  const Surface surface = load_surface("blob:2:slivers");
  const SurfaceTree tree(surface.mesh.faces, surface.x);
  std::mt19937_64 random(1);
  constexpr int parts = 5, points = 200;
  for (int i = 0; i < points; ++i) {
    const Vector3 point = random_point(random);
    const SurfacePoint found = tree.closest(point);
    double min_distance = std::numeric_limits<double>::infinity();
    for (Index k = 0; k < surface.mesh.face_count(); ++k)
      for (int a = 0; a <= parts; ++a)
        for (int b = 0; a + b <= parts; ++b) {
          const auto v = surface.mesh.faces.col(k);
          const Vector3 sample =
              (a * surface.x.col(v[0]) + b * surface.x.col(v[1]) + (parts - a - b) * surface.x.col(v[2])) /
              parts;
          min_distance = std::min(min_distance, (sample - point).norm());
        }
    EXPECT_LE((found.x - point).norm(), min_distance + 1e-14);
  }
}

TEST(SurfaceTree, gives_the_point_by_its_weights) {
  const Surface surface = load_surface("blob:2");
  const SurfaceTree tree(surface.mesh.faces, surface.x);
  std::mt19937_64 random(2);
  for (int i = 0; i < 200; ++i) {
    const SurfacePoint found = tree.closest(random_point(random));
    EXPECT_GE(found.weights.minCoeff(), 0);
    EXPECT_NEAR(found.weights.sum(), 1, 1e-15);
    EXPECT_LT((surface.x(Eigen::all, surface.mesh.faces.col(found.face)) * found.weights - found.x).norm(),
              1e-15);
  }
}

TEST(SurfaceTree, takes_the_side_that_the_normal_names) {
  const Surface sheet = load_surface("ellipsoid:3:1,1,0.01");
  const SurfaceTree tree(sheet.mesh.faces, sheet.x);
  // Just below the middle: the lower side is nearer.
  const Vector3 point(0.2, 0.1, -0.005);
  EXPECT_LT(tree.closest(point).x.z(), 0);
  EXPECT_GT(tree.closest(point, Vector3::UnitZ()).x.z(), 0);
  EXPECT_LT(tree.closest(point, -Vector3::UnitZ()).x.z(), 0);
}

TEST(SurfaceTree, takes_all_faces_where_none_has_the_normal) {
  const Surface flat = load_surface("rectangle:4x4");
  const SurfaceTree tree(flat.mesh.faces, flat.x);
  const Vector3 point(0.3, 0.4, 1);
  EXPECT_LT((tree.closest(point, -Vector3::UnitZ()).x - Vector3(0.3, 0.4, 0)).norm(), 1e-15);
}

}  // namespace
}  // namespace shoal::test
