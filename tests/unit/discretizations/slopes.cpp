// The linear reconstruction by itself: fields that it keeps, bounds of the limiters, momentum.
#include "discretizations/limiters/limiter.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"

#include <gtest/gtest.h>

#include <random>

namespace shoal {
namespace {

/// A plane mesh, with edges in the order of the mesh.
struct Plane {
  explicit Plane(const std::string& name)
      : surface(load_surface(name)), geometry(make_geometry(surface.mesh, surface.x)) {
    const Mesh& mesh = surface.mesh;
    face_frames(mesh, geometry, frames);
    for (Vector* values : {&left_1, &left_2, &right_1, &right_2}) values->setZero(mesh.edge_count());
    for (Index e = 0; e < mesh.edge_count(); ++e) {
      place.push_back(e);
      const Vector3 along = geometry.edge_vector(mesh, e).normalized();
      const Vector3 normal = along.cross(Vector3::UnitZ());
      for (const int side : {0, 1}) {
        const Index cell = mesh.edge_faces(side, e);
        if (cell == Mesh::none) continue;
        const Tangent in_cell = to_frame(cell, normal);
        (side == 0 ? left_1 : right_1)[e] = in_cell.real();
        (side == 0 ? left_2 : right_2)[e] = in_cell.imag();
      }
    }
    for (Vector* values : {&depth, &velocity_1, &velocity_2, &bed}) values->setZero(mesh.face_count());
  }

  Vector3 axis(Index cell) const {
    return (geometry.corner(surface.mesh, cell, 1) - geometry.corner(surface.mesh, cell, 0)).normalized();
  }
  Tangent to_frame(Index cell, const Vector3& v) const {
    return {v.dot(axis(cell)), v.dot(Vector3::UnitZ().cross(axis(cell)))};
  }
  void set(Index cell, double depth_there, const Vector3& v) {
    depth[cell] = depth_there;
    const Tangent in_cell = to_frame(cell, v);
    velocity_1[cell] = in_cell.real();
    velocity_2[cell] = in_cell.imag();
  }
  Traces traces(const std::string& limiter) const {
    const LimiterEntry& entry = limiters().find(limiter);
    LinearReconstruction slopes;
    slopes.measure(surface.mesh, frames, place, {left_1, left_2, right_1, right_2}, entry.at);
    Traces result;
    entry.extend(slopes, {depth.data(), velocity_1.data(), velocity_2.data(), bed.data(), 1e-12}, {}, result);
    return result;
  }
  /// visit(cell, edge, the edge's slot on the side of the cell)
  template <class Visit>
  void for_each_side(const Visit& visit) const {
    for (Index e = 0; e < surface.mesh.edge_count(); ++e)
      for (const int side : {0, 1})
        if (const Index cell = surface.mesh.edge_faces(side, e); cell != Mesh::none)
          visit(cell, e, e + side * surface.mesh.edge_count());
  }
  Vector3 velocity(const Traces& traces, Index edge, Index slot) const {
    const Vector3 along = geometry.edge_vector(surface.mesh, edge).normalized();
    return traces.normal[slot] * along.cross(Vector3::UnitZ()) + traces.tangential[slot] * along;
  }
  Vector3 middle(Index edge) const {
    return 0.5 * (surface.x.col(surface.mesh.edges(0, edge)) + surface.x.col(surface.mesh.edges(1, edge)));
  }

  Surface surface;
  Geometry geometry;
  Array<FaceFrame> frames;
  Array<Index> place;
  Vector left_1, left_2, right_1, right_2;
  Vector depth, velocity_1, velocity_2, bed;
};

/// Cells with a vertex on the boundary are mirrored there, so that they do not keep a slope.
bool is_inside(const Plane& plane, Index cell) {
  const Mesh& mesh = plane.surface.mesh;
  for (Index e = 0; e < mesh.edge_count(); ++e)
    if (mesh.is_wall(e))
      for (const int end : {0, 1})
        for (int c = 0; c < 3; ++c)
          if (mesh.faces(c, cell) == mesh.edges(end, e)) return false;
  return true;
}

TEST(Slopes, are_those_of_linear_fields) {
  const auto depth_at = [](const Vector3& x) { return 3 + 0.4 * x.x() - 0.7 * x.y(); };
  const Vector3 velocity(0.3, -0.2, 0);
  for (const std::string limiter : {"none", "kuzmin"}) {
    Plane plane("rectangle:9x8:3x2:jittered");
    for (Index k = 0; k < plane.depth.size(); ++k)
      plane.set(k, depth_at(plane.geometry.centroid(plane.surface.mesh, k)), velocity);
    const Traces traces = plane.traces(limiter);
    int sides = 0;
    plane.for_each_side([&](Index cell, Index edge, Index slot) {
      if (!is_inside(plane, cell)) return;
      ++sides;
      EXPECT_NEAR(traces.depth[slot], depth_at(plane.middle(edge)), 1e-13) << limiter;
      EXPECT_NEAR((plane.velocity(traces, edge, slot) - velocity).norm(), 0, 1e-13) << limiter;
    });
    EXPECT_GT(sides, 100);
  }
}

TEST(Slopes, keep_the_momentum_of_a_cell) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> number(0, 1);
  for (const LimiterEntry& limiter : limiters()) {
    Plane plane("rectangle:9x8:3x2:jittered");
    for (Index k = 0; k < plane.depth.size(); ++k)
      plane.set(k, std::pow(10, -6 * number(random)), {number(random) - 0.5, number(random) - 0.5, 0});
    const Traces traces = plane.traces(limiter.name);
    Points momentum = Points::Zero(3, plane.depth.size());
    Vector depth = Vector::Zero(plane.depth.size());
    plane.for_each_side([&](Index cell, Index edge, Index slot) {
      depth[cell] += traces.depth[slot] / 3;
      momentum.col(cell) += traces.depth[slot] / 3 * plane.velocity(traces, edge, slot);
    });
    for (Index k = 0; k < depth.size(); ++k) {
      const Vector3 mean =
          plane.velocity_1[k] * plane.axis(k) + plane.velocity_2[k] * Vector3::UnitZ().cross(plane.axis(k));
      EXPECT_NEAR(depth[k], plane.depth[k], 1e-14) << limiter.name;
      EXPECT_NEAR((momentum.col(k) - plane.depth[k] * mean).norm(), 0, 1e-14) << limiter.name;
    }
  }
}

/// Whatever the data: at a midpoint of an edge no depth beyond those of the cells that the limiter compares.
TEST(Slopes, stay_within_the_neighbours) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> number(0, 1);
  for (const std::string limiter : {"barth-jespersen", "venkatakrishnan", "kuzmin"}) {
    Plane plane("rectangle:9x8:3x2:jittered");
    const Mesh& mesh = plane.surface.mesh;
    for (Index k = 0; k < plane.depth.size(); ++k) plane.set(k, 0.1 + number(random), {number(random), 0, 0});
    plane.bed.setConstant(1);
    const auto touches = [&](Index a, Index b) {
      int shared = 0;
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) shared += mesh.faces(i, a) == mesh.faces(j, b);
      return shared >= (limiter == "kuzmin" ? 1 : 2);
    };
    const Traces traces = plane.traces(limiter);
    double least_gap = 1, most_change = 0;
    plane.for_each_side([&](Index cell, Index edge, Index slot) {
      double least = plane.depth[cell], greatest = least, slowest = 1, fastest = 0;
      for (Index k = 0; k < plane.depth.size(); ++k)
        if (touches(cell, k)) {
          least = std::min(least, plane.depth[k]);
          greatest = std::max(greatest, plane.depth[k]);
          const double speed = std::hypot(plane.velocity_1[k], plane.velocity_2[k]);
          slowest = std::min(slowest, speed);
          fastest = std::max(fastest, speed);
        }
      least_gap = std::min({least_gap, traces.depth[slot] - least, greatest - traces.depth[slot]});
      most_change = std::max(most_change, std::abs(traces.depth[slot] - plane.depth[cell]));
      const Vector3 v = plane.velocity(traces, edge, slot);  // all along x
      EXPECT_NEAR(v.y(), 0, 1e-13);
      if (!is_inside(plane, cell)) return;  // mirrored velocities
      EXPECT_GE(v.x(), slowest - 1e-13) << limiter;
      EXPECT_LE(v.x(), fastest + 1e-13) << limiter;
    });
    EXPECT_GE(least_gap, -1e-14) << limiter;
    EXPECT_GT(most_change, 0.05) << limiter;
  }
}

}  // namespace
}  // namespace shoal
