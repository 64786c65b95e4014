// Motions begin at the given mesh and follow their formulas.
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/motions/motion.hpp"
#include "tests/support/catalog.hpp"
#include "tests/support/temporary.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

namespace shoal {
namespace {

Points at(const Motion& motion, double time) {
  Points x;
  motion(time, x);
  return x;
}

TEST(Motions, are_described_and_start_from_the_mesh) {
  for (const MotionEntry& entry : test::catalog().motions) {
    const Surface surface = load_surface(entry.stays_on_sphere ? "icosphere:2" : "torus:12x8");
    EXPECT_FALSE(entry.summary.empty()) << entry.name;
    if (entry.name == "none" || entry.name == "sequence" || entry.name == "skin") continue;
    const Parameters defaults(entry.parameters, {});
    const Motion motion = entry.make(surface, defaults, 0);
    constexpr double tolerance = 1e-15;  // a rounding of each coordinate
    EXPECT_LT((at(motion, 0) - surface.x).lpNorm<Eigen::Infinity>(), tolerance) << entry.name;
    EXPECT_GT((at(motion, 0.3) - surface.x).lpNorm<Eigen::Infinity>(), 1e-3) << entry.name;
  }
}

TEST(Motions, squash_a_sphere_to_an_ellipsoid) {
  const Surface surface = load_surface("icosphere:2");
  const Vector3 axis = Vector3(1, 2, -2) / 3;
  const Points x = at(squash(surface.x, axis, 0.8, 2), 0.5);
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    const double along = axis.dot(x.col(i)) / 1.8, across = (x.col(i) - axis * axis.dot(x.col(i))).norm();
    EXPECT_NEAR(along * along + across * across, 1, 1e-14);
  }
}

TEST(Motions, twist_keeps_distances_from_the_axis) {
  const Surface surface = load_surface("torus:12x8");
  const Points x = at(twist(surface.x, Vector3::UnitX(), 1.5, 2), 0.5);
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    EXPECT_NEAR(x.col(i).tail(2).norm(), surface.x.col(i).tail(2).norm(), 1e-14);
    EXPECT_DOUBLE_EQ(x(0, i), surface.x(0, i));
  }
}

TEST(Motions, a_surface_without_extent_along_the_axis_cannot_be_twisted) {
  EXPECT_THROW(twist(load_surface("rectangle:4x4").x, Vector3::UnitZ(), 1, 2), Error);
}

TEST(Motions, the_seed_chooses_how_a_surface_is_crumpled) {
  const Points rest = load_surface("icosphere:2").x;
  const auto crumpled = [&](std::uint64_t seed, double time) {
    return at(crumple(rest, 0.1, 1, 2, seed), time);
  };
  EXPECT_EQ(crumpled(1, 1), crumpled(1, 1));
  EXPECT_GT((crumpled(1, 1) - crumpled(2, 1)).norm(), 0.1);
  // Half the amplitude after half the time, as a mean over waves.
  const double rms = (crumpled(1, 2) - rest).norm() / std::sqrt(static_cast<double>(rest.cols()));
  EXPECT_NEAR(rms, 0.1, 0.05);
}

class Sequence : public testing::Test {
 protected:
  /// A tetrahedron of this size; on request with the corners of its last face in a different order.
  std::string write(const std::string& name, double size, bool other = false) {
    std::ofstream file(folder_ / name);
    file.precision(17);
    file << "v " << size << " 0 0\nv 0 " << size << " 0\nv 0 0 " << size << "\nv 0 0 0\n";
    file << "f 1 2 3\nf 1 4 2\nf 2 4 3\n" << (other ? "f 3 4 1\n" : "f 1 3 4\n");
    return (folder_ / name).string();
  }
  std::string pattern() const { return (folder_ / "*.obj").string(); }
  static std::string error_message(const Surface& surface, const std::string& pattern) {
    try {
      mesh_sequence(surface, pattern, 10);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  }

  test::TemporaryFolder folder_;
};

TEST_F(Sequence, goes_in_straight_lines_from_mesh_to_mesh_and_stays_at_the_last) {
  const Surface surface = load_surface(write("a.obj", 1));
  write("b.obj", 2);
  write("c.obj", 4);
  const Motion motion = mesh_sequence(surface, pattern(), 10);
  constexpr double tolerance = 1e-14;
  for (const auto& [time, size] :
       {std::pair(-1.0, 1.0), {0.0, 1.0}, {0.05, 1.5}, {0.1, 2.0}, {0.175, 3.5}, {9.0, 4.0}})
    EXPECT_LT((at(motion, time) - size * surface.x).lpNorm<Eigen::Infinity>(), tolerance) << time;
}

TEST_F(Sequence, is_in_the_order_of_the_numbers_in_its_names) {
  const Surface surface = load_surface(write("f1.obj", 1));
  write("f2.obj", 2);
  write("f10.obj", 3);
  write(".f3.obj", 9);  // hidden
  const Motion motion = mesh_sequence(surface, pattern(), 10);
  EXPECT_LT((at(motion, 0.1) - 2 * surface.x).lpNorm<Eigen::Infinity>(), 1e-14);
  EXPECT_LT((at(motion, 0.2) - 3 * surface.x).lpNorm<Eigen::Infinity>(), 1e-14);
}

TEST_F(Sequence, keeps_apart_what_touches_on_the_way_and_welds_what_the_first_mesh_welds) {
  // Two tetrahedra whose first corners share a place in the second file, and a corner of the first that is
  // written twice.
  const auto write_pair = [&](const std::string& name, double gap) {
    std::ofstream file(folder_ / name);
    file.precision(17);
    file << "v 0 0 0\nv -1 0 0\nv 0 -1 0\nv 0 0 -1\n"
         << "v " << gap << " 0 0\nv 2 0 0\nv 1 1 0\nv 1 0 1\nv 0 0 0\n"
         << "f 1 3 2\nf 1 2 4\nf 9 4 3\nf 2 3 4\nf 5 6 8\nf 5 7 6\nf 5 8 7\nf 6 7 8\n";
    return (folder_ / name).string();
  };
  const Surface surface = load_surface(write_pair("a.obj", 0.5));
  ASSERT_EQ(surface.mesh.vertex_count, 8);
  write_pair("b.obj", 0);
  const Motion motion = mesh_sequence(surface, pattern(), 10);
  const Points touching = at(motion, 0.1);
  EXPECT_NEAR((touching - surface.x).norm(), 0.5, 1e-14);
}

TEST_F(Sequence, says_which_file_does_not_fit) {
  const Surface surface = load_surface(write("a.obj", 1));
  EXPECT_NE(error_message(surface, "a.obj").find("one *"), std::string::npos);
  EXPECT_NE(error_message(surface, (folder_ / "none/*.obj").string()).find("no folder"), std::string::npos);
  EXPECT_NE(error_message(surface, (folder_ / "*.ply").string()).find("no file"), std::string::npos);
  write("b.obj", 1, true);
  EXPECT_NE(error_message(surface, pattern()).find("b.obj has another connectivity"), std::string::npos);
  const Surface larger = load_surface(write("b.obj", 2));
  EXPECT_NE(error_message(larger, pattern()).find("different vertex positions"), std::string::npos);
  EXPECT_NE(
      error_message(load_surface("icosphere:1"), pattern()).find("4 vertices and 4 faces, not 42 and 80"),
      std::string::npos);
}

}  // namespace
}  // namespace shoal
