#include "reference/view/overlays.hpp"

#include "discretizations/operators/p1.hpp"
#include "discretizations/transport/back_trace.hpp"
#include "discretizations/transport/flattening.hpp"

#include <vector>

namespace shoal {
namespace {

/// In the layout of fefv: β₁ of all faces, then β₂.
Vector rates_of(const Mesh& mesh, const Geometry& geometry, const Values& velocity) {
  const Index count = mesh.face_count();
  Vector rates(2 * count);
  for (Index k = 0; k < count; ++k)
    for (int c = 1; c < 3; ++c)  // β꜀ = v·∇φ꜀
      rates[(c - 1) * count + k] =
          Vector3(velocity.col(k)).dot(area_gradient(mesh, geometry, k, c)) / geometry.face_area[k];
  return rates;
}

BarycentricRates rates_at(const Vector& rates, Index face) {
  return {rates[face], rates[rates.size() / 2 + face]};
}

/// Collects the segments of traces.
class Lines {
 public:
  Lines(const Mesh& mesh, const Points& x) : mesh_(mesh), x_(x) {}

  template <TraceVelocity which = TraceVelocity::of_each_triangle>
  void trace(const TangentFrames& frames, const Vector& rates, Index face, const std::array<double, 3>& from,
             BarycentricRates start, double time) {
    trace_back<which>(
        frames, face, from, start, time, [&](Index k) { return rates_at(rates, k); },
        [&](const TracedPoint& point, const std::array<double, 3>& begin, const std::array<double, 3>& end) {
          ends_.push_back(place(point.face, begin));
          ends_.push_back(place(point.face, end));
        });
  }

  Points points() const {
    Points points(3, static_cast<Eigen::Index>(ends_.size()));
    for (Eigen::Index i = 0; i < points.cols(); ++i) points.col(i) = ends_[static_cast<std::size_t>(i)];
    return points;
  }

 private:
  Vector3 place(Index face, const std::array<double, 3>& weight) const {
    Vector3 point = Vector3::Zero();
    for (int c = 0; c < 3; ++c) point += weight[static_cast<std::size_t>(c)] * x_.col(mesh_.faces(c, face));
    return point;
  }

  const Mesh& mesh_;
  const Points& x_;
  std::vector<Vector3> ends_;
};

}  // namespace

Points velocity_at_corners(const Mesh& mesh, const Geometry& geometry, const Values& velocity) {
  Flattening flattening(mesh, FanWeight::angle);
  flattening.refresh(geometry);
  Array<CornerRates> rates(3 * mesh.face_count());
  flattening.interpolate(rates_of(mesh, geometry, velocity), rates);
  Points vectors(3, rates.size());
  for (Index corner = 0; corner < rates.size(); ++corner) {
    const Index k = corner / 3;
    const int c = corner % 3;
    const Vector3 here = geometry.corner(mesh, k, c);
    vectors.col(corner) = rates[corner].next * (geometry.corner(mesh, k, (c + 1) % 3) - here) +
                          rates[corner].last * (geometry.corner(mesh, k, (c + 2) % 3) - here);
  }
  return vectors;
}

Points edge_lines(const Mesh& mesh, const Points& x) {
  Points ends(3, 2 * mesh.edge_count());
  for (Index e = 0; e < mesh.edge_count(); ++e)
    for (int end = 0; end < 2; ++end) ends.col(2 * e + end) = x.col(mesh.edges(end, e));
  return ends;
}

/// Takes an edge in the triangle that runs from its smaller to its larger vertex, so that shared edges are taken once.
Points edge_lines(const Faces& faces, const Points& x) {
  std::vector<Index> ends;
  for (Eigen::Index f = 0; f < faces.cols(); ++f)
    for (int c = 0; c < 3; ++c)
      if (faces(c, f) < faces((c + 1) % 3, f)) ends.insert(ends.end(), {faces(c, f), faces((c + 1) % 3, f)});
  Points lines(3, static_cast<Eigen::Index>(ends.size()));
  for (Eigen::Index i = 0; i < lines.cols(); ++i) lines.col(i) = x.col(ends[static_cast<std::size_t>(i)]);
  return lines;
}

/// The mean over the fan is a vector in the flattened plane. Mapping it back to each triangle (5.5) gives vectors in space, whose mean,
/// weighted with the angles, is shown.
Points velocity_at_vertices(const Mesh& mesh, const Geometry& geometry, const Points& normals,
                            const Values& velocity) {
  Flattening flattening(mesh, FanWeight::angle);
  flattening.refresh(geometry);
  const Points at_corners = velocity_at_corners(mesh, geometry, velocity);
  Points sum = Points::Zero(3, mesh.vertex_count);
  Vector weight = Vector::Zero(mesh.vertex_count);
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index vertex = mesh.faces(c, k);
      const double angle = flattening.angle(3 * k + c);
      sum.col(vertex) += angle * at_corners.col(3 * k + c);
      weight[vertex] += angle;
    }
  for (Index i = 0; i < mesh.vertex_count; ++i) {
    const Vector3 mean = sum.col(i) / weight[i], n = normals.col(i);
    sum.col(i) = mean - n.dot(mean) * n;
  }
  return sum;
}

Points traces_from_faces(const Mesh& mesh, const Geometry& geometry, const Values& velocity,
                         const Array<Index>& starts, double time, const Points& x, bool keep_velocity) {
  TangentFrames frames(mesh);
  frames.refresh(geometry);
  const Vector rates = rates_of(mesh, geometry, velocity);
  Lines lines(mesh, x);
  constexpr std::array<double, 3> middle = {1.0 / 3, 1.0 / 3, 1.0 / 3};
  for (const Index face : starts)
    if (keep_velocity)
      lines.trace<TraceVelocity::of_the_start>(frames, rates, face, middle, rates_at(rates, face), time);
    else
      lines.trace(frames, rates, face, middle, rates_at(rates, face), time);
  return lines.points();
}

/// Starts at each vertex, in the triangle that lies upstream, with the fan's velocity mapped to that triangle.
Points traces_from_vertices(const Mesh& mesh, const Geometry& geometry, const Values& velocity,
                            const Array<Index>& starts, double time, const Points& x) {
  TangentFrames frames(mesh);
  frames.refresh(geometry);
  const Vector rates = rates_of(mesh, geometry, velocity);
  Flattening flattening(mesh, FanWeight::angle);
  flattening.refresh(geometry);
  Array<CornerRates> at_corners(3 * mesh.face_count());
  flattening.interpolate(rates, at_corners);
  std::vector<Index> upstream(static_cast<std::size_t>(mesh.vertex_count), Mesh::none);  // 3·face + corner
  for (Index corner = 0; corner < at_corners.size(); ++corner)
    if (at_corners[corner].next <= 0 && at_corners[corner].last <= 0)
      upstream[static_cast<std::size_t>(mesh.faces(corner % 3, corner / 3))] = corner;
  Lines lines(mesh, x);
  for (const Index vertex : starts) {
    const Index corner = upstream[static_cast<std::size_t>(vertex)];
    if (corner == Mesh::none) continue;  // at a wall, no triangle may lie upstream
    std::array<double, 3> at{};
    at[static_cast<std::size_t>(corner % 3)] = 1;
    lines.trace(frames, rates, corner / 3, at, at_corners[corner].rates(corner % 3), time);
  }
  return lines.points();
}

}  // namespace shoal
