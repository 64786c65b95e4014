// Solids: volumes, moments of inertia and intersections with lines, with triangles compared with closed forms.
#include "solvers/coupling/solid.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace shoal {
namespace {

/// A box of triangles, one corner at `low`.
struct BoxOfTriangles {
  Faces faces = Faces(3, 12);
  Points x = Points(3, 8);
  BoxOfTriangles(const Vector3& low, const Vector3& size) {
    for (int i = 0; i < 8; ++i)
      x.col(i) = low + Vector3(i & 1, (i >> 1) & 1, (i >> 2) & 1).cwiseProduct(size);
    faces << 0, 0, 4, 4, 0, 0, 2, 2, 0, 0, 1, 1,  //
        2, 3, 5, 7, 1, 5, 6, 7, 4, 6, 3, 7,       //
        3, 1, 7, 6, 5, 4, 7, 3, 6, 2, 7, 5;
  }
};

Pose some_pose() {
  Pose pose;
  pose.position = Vector3(0.3, -0.2, 0.5);
  pose.rotation = Eigen::AngleAxisd(0.7, Vector3(1, 2, -1).normalized()).toRotationMatrix();
  return pose;
}

TEST(Solid, has_the_volume_and_the_moments_of_its_shape) {
  const Vector3 size(1, 2, 3);
  const Box box(size);
  EXPECT_DOUBLE_EQ(box.volume(), 6);
  EXPECT_NEAR((box.second_moments() - Vector3(6.5, 5, 2.5)).norm(), 0, 1e-14);  // V (b² + c²)/12
  const BoxOfTriangles given(Vector3(5, -1, 2), size);
  const TriangleSolid solid(given.faces, given.x);
  EXPECT_NEAR(solid.volume(), 6, 1e-12);
  Vector3 moments = solid.second_moments();
  std::sort(moments.data(), moments.data() + 3);
  EXPECT_NEAR((moments - Vector3(2.5, 5, 6.5)).norm(), 0, 1e-12);
  EXPECT_NEAR((solid.rest().position - Vector3(5.5, 0, 3.5)).norm(), 0, 1e-12);
  EXPECT_NEAR(((solid.rest().rotation * solid.points()).colwise() + solid.rest().position - given.x).norm(),
              0, 1e-12);

  const Ball ball(2);
  EXPECT_NEAR(ball.volume(), 32 * std::numbers::pi / 3, 1e-12);
  EXPECT_NEAR(ball.second_moments()[1], 0.4 * 4 * ball.volume(), 1e-12);
}

/// A box in closed form and its triangles, lines from everywhere, some of which begin inside.
TEST(Solid, of_triangles_is_cut_like_the_box_that_they_are) {
  const Vector3 size(1, 0.4, 0.7);
  const BoxOfTriangles given(-0.5 * size, size);
  const Box box(size);
  const TriangleSolid solid(given.faces, given.x);
  const Pose pose = some_pose();
  Pose of_solid = pose;
  of_solid.rotation = pose.rotation * solid.rest().rotation;
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto any = [&] { return Vector3(uniform(random), uniform(random), uniform(random)); };
  int hits = 0, inside = 0, differ = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vector3 origin = pose.position + any(), direction = any().normalized();
    const LineCut a = box.cut(pose, origin, direction), b = solid.cut(of_solid, origin, direction);
    if (a.hits && a.out - a.in < 1e-5) continue;  // an edge that single precision may miss
    ASSERT_EQ(a.hits, b.hits) << i;
    if (!a.hits) continue;
    ++hits;
    inside += a.in == 0;
    EXPECT_NEAR(a.in, b.in, 2e-6);
    EXPECT_NEAR(a.out, b.out, 2e-6);
    differ += (a.normal - b.normal).norm() > 1e-5;  // next to an edge either face may be the first
    EXPECT_LT(a.normal.dot(direction), 0);
    EXPECT_LT(b.normal.dot(direction), 0);
  }
  EXPECT_GT(hits, 200);
  EXPECT_GT(inside, 40);
  EXPECT_LE(differ, 2);
}

TEST(Solid, a_ball_is_cut_where_the_line_meets_its_surface) {
  const Ball ball(0.5);
  const Pose pose = some_pose();
  const Vector3 up = Vector3(1, 1, 1).normalized(), beside = Vector3(1, -1, 0).normalized();
  const LineCut cut = ball.cut(pose, pose.position + 0.3 * beside - 2 * up, up);
  ASSERT_TRUE(cut.hits);
  EXPECT_NEAR(cut.in, 2 - 0.4, 1e-14);
  EXPECT_NEAR(cut.out, 2 + 0.4, 1e-14);
  EXPECT_NEAR((cut.normal - (0.6 * beside - 0.8 * up)).norm(), 0, 1e-14);
  EXPECT_FALSE(ball.cut(pose, pose.position + 0.51 * beside - 2 * up, up).hits);
  EXPECT_FALSE(ball.cut(pose, pose.position + 2 * up, up).hits);  // behind
  EXPECT_EQ(ball.cut(pose, pose.position, up).in, 0);
}

TEST(Solid, that_is_none_is_refused) {
  EXPECT_THROW(Ball(0), Error);
  EXPECT_THROW(Box(Vector3(1, 0, 1)), Error);
  const Surface open = load_surface("rectangle:2x2");
  EXPECT_THROW(TriangleSolid(open.mesh.faces, open.x), Error);
  BoxOfTriangles inward(Vector3::Zero(), Vector3::Ones());
  inward.faces.row(0).swap(inward.faces.row(1));
  EXPECT_THROW(TriangleSolid(inward.faces, inward.x), Error);
}

}  // namespace
}  // namespace shoal
