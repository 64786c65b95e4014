// Lines and arrows over the water, compared with flows with known paths.
#include "reference/view/overlays.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

namespace shoal {
namespace {

struct Turning {
  explicit Turning(const std::string& name) : surface(load_surface(name)) {
    geometry = make_geometry(surface.mesh, surface.x);
    vertex_normals(surface.mesh, geometry, normals);
    velocity.resize(3, surface.mesh.face_count());
    for (Index k = 0; k < surface.mesh.face_count(); ++k) {
      const Vector3 n = geometry.face_normal.col(k),
                    v = Vector3::UnitZ().cross(geometry.centroid(surface.mesh, k));
      velocity.col(k) = v - n.dot(v) * n;
    }
  }
  Surface surface;
  Geometry geometry;
  Points normals;
  Values velocity;  // of 1 rad/s about z
};

Array<Index> all(Index count) {
  Array<Index> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

double length(const Points& lines) {
  double sum = 0;
  for (Eigen::Index i = 0; i < lines.cols(); i += 2) sum += (lines.col(i + 1) - lines.col(i)).norm();
  return sum;
}

TEST(Overlays, show_each_edge_once) {
  const Turning flow("icosphere:2");
  const Points lines = edge_lines(flow.surface.mesh, flow.surface.x);
  EXPECT_EQ(lines.cols(), 2 * flow.surface.mesh.edge_count());
  EXPECT_NEAR(length(lines), flow.geometry.edge_length.sum(), 1e-10);
  EXPECT_NEAR(length(edge_lines(flow.surface.mesh.faces, flow.surface.x)), length(lines), 1e-10);
}

TEST(Overlays, interpolate_a_turn_to_the_vertices) {
  for (const auto& [mesh, max_error] : {std::pair("icosphere:4", 0.02), std::pair("icosphere:5", 0.01)}) {
    const Turning flow(mesh);
    const Points v = velocity_at_vertices(flow.surface.mesh, flow.geometry, flow.normals, flow.velocity);
    double worst = 0;
    for (Index i = 0; i < flow.surface.mesh.vertex_count; ++i)
      worst = std::max(worst, (v.col(i) - Vector3::UnitZ().cross(flow.surface.x.col(i))).norm());
    EXPECT_LT(worst, max_error) << mesh;
  }
}

/// A corner of a triangle.
struct Wedge {
  Index k;
  int c;
};

/// The triangle at the vertex whose first edge from there, counterclockwise, leads to `spoke`; none: any.
Wedge wedge_at(const Mesh& mesh, Index vertex, Index spoke) {
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      if (mesh.faces(c, k) == vertex && (spoke == Mesh::none || mesh.faces((c + 1) % 3, k) == spoke))
        return {k, c};
  throw Error("the fan is not closed");
}

/// By (5.1), (5.3) and (5.5) of Angst 2007: in the flattened plane all vectors at a vertex are the mean over its fan.
TEST(Overlays, map_the_velocity_of_a_vertex_to_each_triangle_around_it) {
  for (const char* name : {"icosphere:2", "ellipsoid:2:1,0.6,0.3"}) {
    const Turning flow(name);
    const Mesh& mesh = flow.surface.mesh;
    const Points vectors = velocity_at_corners(mesh, flow.geometry, flow.velocity);
    Vector sum_of_angles = Vector::Zero(mesh.vertex_count);
    const auto edge = [&](Index k, int c, int other) -> Vector3 {
      return flow.surface.x.col(mesh.faces((c + other) % 3, k)) - flow.surface.x.col(mesh.faces(c, k));
    };
    const auto angle = [&](Index k, int c) {
      return std::acos(edge(k, c, 1).normalized().dot(edge(k, c, 2).normalized()));
    };
    for (Index k = 0; k < mesh.face_count(); ++k)
      for (int c = 0; c < 3; ++c) sum_of_angles[mesh.faces(c, k)] += angle(k, c);
    for (Index vertex = 0; vertex < mesh.vertex_count; vertex += 7) {
      std::vector<Wedge> fan = {wedge_at(mesh, vertex, Mesh::none)};  // counterclockwise
      const Index first = mesh.faces((fan[0].c + 1) % 3, fan[0].k);
      for (Index next = 0; (next = mesh.faces((fan.back().c + 2) % 3, fan.back().k)) != first;)
        fan.push_back(wedge_at(mesh, vertex, next));
      const double stretch = 2 * std::numbers::pi / sum_of_angles[vertex];
      // (a, b) with v = a u + b u' in the triangle, and its image a |u| û + b |u'| û' in the plane
      double begin = 0;
      Eigen::Vector2d mean = Eigen::Vector2d::Zero();
      std::vector<Eigen::Vector2d> images;
      for (const auto& [k, c] : fan) {
        const double flat = stretch * angle(k, c);
        Eigen::Matrix<double, 3, 2> wedge;
        wedge << edge(k, c, 1), edge(k, c, 2);
        Eigen::Matrix2d plane;
        plane << wedge.col(0).norm() * std::cos(begin), wedge.col(1).norm() * std::cos(begin + flat),
            wedge.col(0).norm() * std::sin(begin), wedge.col(1).norm() * std::sin(begin + flat);
        const auto image = [&](const Vector3& v) -> Eigen::Vector2d {
          return plane * wedge.colPivHouseholderQr().solve(v);
        };
        mean += flat / (2 * std::numbers::pi) * image(flow.velocity.col(k));
        images.push_back(image(vectors.col(3 * k + c)));
        EXPECT_LT(std::abs(flow.geometry.face_normal.col(k).dot(vectors.col(3 * k + c))), 1e-13)
            << "in its plane";
        begin += flat;
      }
      for (const Eigen::Vector2d& image : images) EXPECT_LT((image - mean).norm(), 1e-12) << name << vertex;
    }
  }
}

/// Consecutive straight parts from the start along the circle of the flow, as long as the distance covered in that time.
TEST(Overlays, trace_back_along_circles) {
  const Turning flow("icosphere:4");
  const Mesh& mesh = flow.surface.mesh;
  const double time = 0.7;
  for (Index face = 0; face < mesh.face_count(); face += 97) {
    Array<Index> start(1);
    start[0] = face;
    const Points lines = traces_from_faces(mesh, flow.geometry, flow.velocity, start, time, flow.surface.x);
    const Vector3 from = flow.geometry.centroid(mesh, face), end = lines.rightCols<1>();
    ASSERT_GE(lines.cols(), 2);
    EXPECT_LT((lines.col(0) - from).norm(), 1e-12);
    for (Eigen::Index i = 1; i + 1 < lines.cols(); i += 2)
      EXPECT_LT((lines.col(i + 1) - lines.col(i)).norm(), 1e-12) << "it has a gap";
    const Vector3 exact = Eigen::AngleAxisd(-time, Vector3::UnitZ()) * from;
    EXPECT_LT((end - exact).norm(), 0.02) << face;
    EXPECT_NEAR(length(lines), time * from.head<2>().norm(), 0.02);
  }
  const Points from_vertices =
      traces_from_vertices(mesh, flow.geometry, flow.velocity, all(mesh.vertex_count), time, flow.surface.x);
  double exact = 0;
  for (Index i = 0; i < mesh.vertex_count; ++i) exact += time * flow.surface.x.col(i).head<2>().norm();
  EXPECT_NEAR(length(from_vertices), exact, 0.01 * exact);
}

/// In a plane, a trace that keeps the velocity of its start is straight; one that follows each triangle's is not.
TEST(Overlays, trace_back_in_straight_lines_with_the_velocity_of_the_start) {
  const Turning flow("rectangle:16x16:2x2");
  Array<Index> start(1);
  const Vector3 middle(1, 1, 0);
  start[0] = 0;
  for (Index k = 0; k < flow.surface.mesh.face_count(); ++k)
    if ((flow.geometry.centroid(flow.surface.mesh, k) - middle).norm() <
        (flow.geometry.centroid(flow.surface.mesh, start[0]) - middle).norm())
      start[0] = k;
  const double time = 0.5;
  const Vector3 straight =
      flow.geometry.centroid(flow.surface.mesh, start[0]) - time * flow.velocity.col(start[0]);
  for (const bool keep : {true, false}) {
    const Points lines =
        traces_from_faces(flow.surface.mesh, flow.geometry, flow.velocity, start, time, flow.surface.x, keep);
    const double off = (lines.rightCols<1>() - straight).norm();
    EXPECT_TRUE(keep ? off < 1e-12 : off > 0.1) << off;
  }
}

TEST(Overlays, of_water_at_rest_are_points) {
  Turning flow("icosphere:2");
  flow.velocity.setZero();
  const Mesh& mesh = flow.surface.mesh;
  EXPECT_EQ(length(traces_from_vertices(mesh, flow.geometry, flow.velocity, all(mesh.vertex_count), 10,
                                        flow.surface.x)),
            0);
  EXPECT_TRUE(velocity_at_vertices(mesh, flow.geometry, flow.normals, flow.velocity).isZero(0));
}

}  // namespace
}  // namespace shoal
