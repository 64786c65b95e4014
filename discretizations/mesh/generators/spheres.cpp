// Spheres by subdivision, by rows, and by random points.
#include "discretizations/mesh/generators/spheres.hpp"

#include "discretizations/mesh/edges.hpp"
#include "discretizations/mesh/generators/random.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <random>
#include <unordered_map>
#include <vector>

namespace shoal {
namespace {

using std::numbers::pi;

SphereMesh icosahedron() {
  SphereMesh mesh;
  mesh.x.resize(3, 12);
  mesh.x.col(0) << 0, 0, 1;
  mesh.x.col(11) << 0, 0, -1;
  const double z = 1 / std::sqrt(5.0);
  for (int k = 0; k < 5; ++k) {
    const double north = 2 * pi * k / 5, south = north + pi / 5;
    mesh.x.col(1 + k) << 2 * z * std::cos(north), 2 * z * std::sin(north), z;
    mesh.x.col(6 + k) << 2 * z * std::cos(south), 2 * z * std::sin(south), -z;
  }
  mesh.faces.resize(3, 20);
  for (int k = 0; k < 5; ++k) {
    const Index north = 1 + k, east = 1 + (k + 1) % 5, south = 6 + k, south_east = 6 + (k + 1) % 5;
    mesh.faces.col(4 * k) << 0, north, east;
    mesh.faces.col(4 * k + 1) << north, south, east;
    mesh.faces.col(4 * k + 2) << south, south_east, east;
    mesh.faces.col(4 * k + 3) << south, 11, south_east;
  }
  return mesh;
}

/// Splits each triangle into four; the edge midpoints are projected to the unit sphere.
SphereMesh subdivided(const SphereMesh& coarse) {
  const Index vertex_count = static_cast<Index>(coarse.x.cols());
  const EdgeList list = list_edges(coarse.faces, vertex_count);
  SphereMesh fine;
  fine.x.resize(3, vertex_count + list.edge_count());
  fine.x.leftCols(vertex_count) = coarse.x;
  for (Index edge = 0; edge < list.edge_count(); ++edge)
    fine.x.col(vertex_count + edge) =
        (coarse.x.col(list.edges(0, edge)) + coarse.x.col(list.edges(1, edge))).normalized();
  fine.faces.resize(3, 4 * coarse.faces.cols());
  for (Index face = 0; face < coarse.faces.cols(); ++face) {
    const auto v = coarse.faces.col(face);
    const Eigen::Matrix<Index, 3, 1> middle = list.face_edges.col(face).array() + vertex_count;
    fine.faces.col(4 * face) << v[0], middle[2], middle[1];
    fine.faces.col(4 * face + 1) << v[1], middle[0], middle[2];
    fine.faces.col(4 * face + 2) << v[2], middle[1], middle[0];
    fine.faces.col(4 * face + 3) = middle;
  }
  return fine;
}

SphereMesh subdivided(SphereMesh mesh, Index times) {
  for (Index l = 0; l < times; ++l) mesh = subdivided(mesh);
  return mesh;
}

/// Splits the faces at `vertex` into four and bisects their neighbours. A new vertex between a fine and a
/// coarse triangle is shifted into the fine one by this fraction of its height: otherwise the halves would be
/// right-angled, and their children would have dual edges of zero length.
SphereMesh refined_at(const SphereMesh& coarse, Index vertex) {
  constexpr double shift = 0.15;
  const Index vertex_count = static_cast<Index>(coarse.x.cols());
  const EdgeList list = list_edges(coarse.faces, vertex_count);
  const auto refines = [&](Index face) { return (coarse.faces.col(face).array() == vertex).any(); };
  Array<Index> middle_of(list.edge_count());
  for (Index& middle : middle_of) middle = -1;
  Array<Vector3> middles;
  for (Index face = 0; face < coarse.faces.cols(); ++face) {
    if (!refines(face)) continue;
    for (int c = 0; c < 3; ++c) {
      const Index edge = list.face_edges(c, face);
      if (middle_of[edge] >= 0) continue;
      Vector3 middle = 0.5 * (coarse.x.col(list.edges(0, edge)) + coarse.x.col(list.edges(1, edge)));
      const auto side = list.side.begin() + list.side_start[edge];
      if (!refines(side[0] / 3) || !refines(side[1] / 3))
        middle += shift * (coarse.x.col(coarse.faces(c, face)) - middle);
      middle_of[edge] = vertex_count + middles.size();
      middles.push_back(middle.normalized());
    }
  }
  SphereMesh fine;
  fine.x.resize(3, vertex_count + middles.size());
  fine.x.leftCols(vertex_count) = coarse.x;
  for (Index i = 0; i < middles.size(); ++i) fine.x.col(vertex_count + i) = middles[i];
  Array<std::array<Index, 3>> faces;
  for (Index face = 0; face < coarse.faces.cols(); ++face) {
    const std::array<Index, 3> v = {coarse.faces(0, face), coarse.faces(1, face), coarse.faces(2, face)};
    std::array<Index, 3> m{};
    for (int c = 0; c < 3; ++c) m[c] = middle_of[list.face_edges(c, face)];
    if (refines(face)) {
      for (const std::array<Index, 3>& child :
           {std::array{v[0], m[2], m[1]}, std::array{v[1], m[0], m[2]}, std::array{v[2], m[1], m[0]}, m})
        faces.push_back(child);
      continue;
    }
    const int cut = m[0] >= 0 ? 0 : m[1] >= 0 ? 1 : m[2] >= 0 ? 2 : -1;
    if (cut < 0) {
      faces.push_back(v);
      continue;
    }
    const Index apex = v[cut], a = v[(cut + 1) % 3], b = v[(cut + 2) % 3];
    faces.push_back({apex, a, m[cut]});
    faces.push_back({apex, m[cut], b});
  }
  fine.faces.resize(3, faces.size());
  for (Index k = 0; k < faces.size(); ++k) fine.faces.col(k) << faces[k][0], faces[k][1], faces[k][2];
  return fine;
}

/// A grid of points on the sphere, for finding neighbours.
class PointGrid {
 public:
  explicit PointGrid(double cell) : cell_(cell) {}

  void add(const Vector3& x) { points_[key(place(x))].push_back(x); }

  /// Whether a point is closer than `distance` ≤ cell.
  bool has_near(const Vector3& x, double distance) const {
    const Place at = place(x);
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        for (int k = -1; k <= 1; ++k) {
          const auto found = points_.find(key({at[0] + i, at[1] + j, at[2] + k}));
          if (found == points_.end()) continue;
          for (const Vector3& other : found->second)
            if ((other - x).squaredNorm() < distance * distance) return true;
        }
    return false;
  }

 private:
  using Place = std::array<std::int64_t, 3>;
  Place place(const Vector3& x) const {
    Place result{};
    for (int c = 0; c < 3; ++c) result[c] = static_cast<std::int64_t>(std::floor((x[c] + 2) / cell_));
    return result;
  }
  static std::int64_t key(const Place& place) { return (place[0] << 40) + (place[1] << 20) + place[2]; }

  double cell_;
  std::unordered_map<std::int64_t, std::vector<Vector3>> points_;
};

Vector3 random_on_sphere(std::mt19937_64& random) {
  const double z = symmetric_random(random), longitude = pi * symmetric_random(random);
  const double distance = std::sqrt(1 - z * z);
  return {distance * std::cos(longitude), distance * std::sin(longitude), z};
}

/// A convex hull to which points are added one at a time.
class GrowingHull {
 public:
  explicit GrowingHull(const Points& x)
      : x_(x),
        corners_{{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {0, 2, 3}},
        across_{{2, 3, 1}, {2, 0, 3}, {3, 0, 1}, {2, 1, 0}},
        face_at_(static_cast<Index>(x.cols())) {
    for (Index face = 0; face < 4; ++face) note(face);
  }

  /// Inserts the next point.
  void insert() {
    const Index point = inserted_, first = face_above(point), second = corners_.size(), third = second + 1;
    const auto [a, b, c] = corners_[first];
    const auto [across_a, across_b, across_c] = across_[first];
    corners_[first] = {point, a, b};
    corners_.push_back({point, b, c});
    corners_.push_back({point, c, a});
    across_[first] = {across_c, second, third};
    across_.push_back({across_a, third, first});
    across_.push_back({across_b, first, second});
    replace_neighbour(across_a, first, second);
    replace_neighbour(across_b, first, third);
    pending_ = {first, second, third};
    for (const Index face : pending_) note(face);
    while (!pending_.empty()) {
      const Index face = pending_.back();
      pending_.pop_back();
      make_convex(face);
    }
    ++inserted_;
  }

  Faces faces() const {
    Faces result(3, corners_.size());
    for (Index k = 0; k < corners_.size(); ++k)
      result.col(k) << corners_[k][0], corners_[k][1], corners_[k][2];
    return result;
  }

 private:
  using Triple = std::array<Index, 3>;

  void note(Index face) {
    for (const Index vertex : corners_[face]) face_at_[vertex] = face;
  }

  void replace_neighbour(Index face, Index before, Index now) {
    for (Index& neighbour : across_[face])
      if (neighbour == before) neighbour = now;
  }

  /// The nearest of about n^(1/3) hull points, as the start of the walk (Mücke, Saias & Zhu 1996).
  Index near(Index point) const {
    const auto samples = static_cast<std::int64_t>(std::cbrt(inserted_)) + 1;
    Index best = 0;
    for (std::int64_t i = 1; i < samples; ++i) {
      const auto candidate = static_cast<Index>(i * inserted_ / samples);
      if (x_.col(candidate).dot(x_.col(point)) > x_.col(best).dot(x_.col(point))) best = candidate;
    }
    return best;
  }

  /// The face intersected by the ray from the origin to the point.
  Index face_above(Index point) const {
    Index face = face_at_[near(point)];
    while (true) {
      const auto outside = [&](int corner) {
        const Vector3 from = x_.col(corners_[face][(corner + 1) % 3]),
                      to = x_.col(corners_[face][(corner + 2) % 3]);
        return from.cross(to).dot(x_.col(point)) < 0;
      };
      int corner = 0;
      while (corner < 3 && !outside(corner)) ++corner;
      if (corner == 3) return face;
      face = across_[face][corner];
    }
  }

  /// Flips the edge opposite to the new point, the first corner of the face, if the surface is not convex
  /// there.
  void make_convex(Index face) {
    const Index other = across_[face][0];
    const auto [point, a, b] = corners_[face];
    int corner = 0;  // corner of the other face opposite to the edge; the next one is b
    while (corners_[other][corner] == a || corners_[other][corner] == b) ++corner;
    const Index beyond = corners_[other][corner];
    const Vector3 origin = x_.col(point), to_a = x_.col(a) - origin, to_b = x_.col(b) - origin;
    if (!(to_a.cross(to_b).dot(x_.col(beyond) - origin) > 0)) return;
    const Index across_a_beyond = across_[other][(corner + 1) % 3],
                across_b_beyond = across_[other][(corner + 2) % 3];
    const Index across_point_a = across_[face][2], across_point_b = across_[face][1];
    corners_[face] = {point, a, beyond};
    across_[face] = {across_a_beyond, other, across_point_a};
    corners_[other] = {point, beyond, b};
    across_[other] = {across_b_beyond, across_point_b, face};
    replace_neighbour(across_a_beyond, other, face);
    replace_neighbour(across_point_b, face, other);
    note(face);
    note(other);
    pending_.push_back(face);
    pending_.push_back(other);
  }

  const Points& x_;
  Array<Triple> corners_, across_;  // corners of the faces; faces across the edges opposite to the corners
  Array<Index> face_at_;            // one face at each vertex
  Array<Index> pending_;            // faces whose first edge must be checked
  Index inserted_ = 4;
};

}  // namespace

SphereMesh icosphere(Index level) {
  return subdivided(icosahedron(), level);
}

SphereMesh refined_sphere(Index level) {
  return subdivided(refined_at(refined_at(icosahedron(), 0), 0), level);
}

SphereMesh jittered_sphere(Index level, double jitter, std::uint64_t seed) {
  SphereMesh mesh = icosphere(level);
  const Points rest = mesh.x;
  const EdgeList list = list_edges(mesh.faces, static_cast<Index>(rest.cols()));
  Vector length = Vector::Zero(rest.cols()), degree = length;
  for (Index edge = 0; edge < list.edge_count(); ++edge)
    for (int end = 0; end < 2; ++end) {
      length[list.edges(end, edge)] += (rest.col(list.edges(1, edge)) - rest.col(list.edges(0, edge))).norm();
      degree[list.edges(end, edge)] += 1;
    }
  std::mt19937_64 random(seed);
  for (Index v = 0; v < rest.cols(); ++v) {
    const Vector3 normal = rest.col(v), first = normal.unitOrthogonal(), second = normal.cross(first);
    double a = 1, b = 1;
    while (a * a + b * b > 1) {
      a = symmetric_random(random);
      b = symmetric_random(random);
    }
    mesh.x.col(v) = (normal + jitter * length[v] / degree[v] * (a * first + b * second)).normalized();
  }
  return mesh;
}

SphereMesh uv_sphere(Index level) {
  const Index rows = 2 << level, around = 2 * rows;
  SphereMesh mesh;
  mesh.x.resize(3, Eigen::Index{rows - 1} * around + 2);
  const Index south = static_cast<Index>(mesh.x.cols()) - 1;
  mesh.x.col(0) << 0, 0, 1;
  mesh.x.col(south) << 0, 0, -1;
  const auto vertex = [&](Index row, Index i) { return 1 + (row - 1) * around + i % around; };
  for (Index row = 1; row < rows; ++row)
    for (Index i = 0; i < around; ++i) {
      const double colatitude = pi * row / rows, longitude = 2 * pi * (i + 0.5 * (row % 2)) / around;
      mesh.x.col(vertex(row, i)) << std::sin(colatitude) * std::cos(longitude),
          std::sin(colatitude) * std::sin(longitude), std::cos(colatitude);
    }
  mesh.faces.resize(3, 2 * Eigen::Index{rows - 1} * around);
  Index face = 0;
  for (Index i = 0; i < around; ++i) {
    mesh.faces.col(face++) << 0, vertex(1, i), vertex(1, i + 1);
    mesh.faces.col(face++) << south, vertex(rows - 1, i + 1), vertex(rows - 1, i);
  }
  for (Index row = 1; row + 1 < rows; ++row)
    for (Index i = 0; i < around; ++i) {
      const Index a = vertex(row, i), b = vertex(row, i + 1), shift = row % 2;
      const Index below = vertex(row + 1, i + shift), next = vertex(row + 1, i + shift + 1);
      mesh.faces.col(face++) << a, below, b;
      mesh.faces.col(face++) << b, below, next;
    }
  return mesh;
}

SphereMesh random_sphere(Index level, std::uint64_t seed) {
  const Index count = 10 * (Index{1} << (2 * level)) + 2;
  SphereMesh mesh;
  mesh.x.resize(3, count);
  mesh.x.leftCols<4>() << 1, -1, -1, 1, 1, 1, -1, -1, 1, -1, 1, -1;  // a tetrahedron
  mesh.x.leftCols<4>() /= std::sqrt(3.0);
  // A hexagonal packing would give 3.8/√n; darts of one radius reach 3.0/√n.
  double distance = 3.3 / std::sqrt(static_cast<double>(count));
  constexpr double shrinking = 0.99;
  constexpr Index patience = 300;  // number of consecutive failures before the radius is reduced
  PointGrid grid(distance);
  for (Index i = 0; i < 4; ++i) grid.add(mesh.x.col(i));
  std::mt19937_64 random(seed);
  Index failures = 0;
  for (Index placed = 4; placed < count;) {
    const Vector3 dart = random_on_sphere(random);
    if (!grid.has_near(dart, distance)) {
      grid.add(dart);
      mesh.x.col(placed++) = dart;
      failures = 0;
    } else if (++failures == patience) {
      distance *= shrinking;
      failures = 0;
    }
  }
  mesh.faces = delaunay_on_sphere(mesh.x);
  return mesh;
}

Faces delaunay_on_sphere(const Points& x) {
  GrowingHull hull(x);
  for (Eigen::Index i = 4; i < x.cols(); ++i) hull.insert();
  return hull.faces();
}

}  // namespace shoal
