#include "discretizations/mesh/remeshing/implicit_surface.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_map>

namespace shoal {
namespace {

constexpr double max_grid_points = 50e6;
/// Limits of the cut position along an edge, away from both ends, so that no triangle degenerates. Remeshing
/// corrects the position.
constexpr double first_cut = 0.1, last_cut = 0.9;

/// Corners of a cube are numbered by their coordinates as bits, x lowest: one tetrahedron of positive volume
/// between 0 and 7 for each path of three edges.
constexpr std::array<std::array<int, 4>, 6> tetrahedra = {
    {{0, 1, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 3, 2, 7}, {0, 6, 4, 7}, {0, 5, 1, 7}}};

class March {
 public:
  March(const ImplicitSurface& surface, double cell) : low_(surface.low), cell_(cell) {
    const Vector3 cells = ((surface.high - surface.low) / cell).array().ceil();
    if (!(cell > 0 && cells.minCoeff() >= 1 && (cells.array() + 1).prod() <= max_grid_points))
      throw Error(fmt::format("cells of {} m do not divide the box of the surface into 1 to {:.0f}", cell,
                              max_grid_points));
    count_ = (cells.array() + 1).cast<Index>();
    sample(surface.f);
  }

  TriangleList run() {
    for (Index k = 0; k + 1 < count_[2]; ++k)
      for (Index j = 0; j + 1 < count_[1]; ++j)
        for (Index i = 0; i + 1 < count_[0]; ++i) cut_cube(number(i, j, k));
    if (faces_.empty())
      throw Error(fmt::format("cells of {} m do not resolve any part of the surface", cell_));
    return {Eigen::Map<const Faces>(faces_.data(), 3, faces_.size() / 3),
            Eigen::Map<const Points>(x_.data(), 3, x_.size() / 3)};
  }

 private:
  Index number(Index i, Index j, Index k) const { return i + count_[0] * (j + count_[1] * k); }
  Index number_at_corner(Index cube, int corner) const {
    return cube + number(corner & 1, corner >> 1 & 1, corner >> 2);
  }
  Vector3 position(Index point) const {
    const Index i = point % count_[0], j = point / count_[0] % count_[1], k = point / (count_[0] * count_[1]);
    return low_ + cell_ * Vector3(i, j, k);
  }

  void sample(const ScalarField& f) {
    values_.resize(count_.prod());
    for (Index point = 0; point < values_.size(); ++point) values_[point] = f(position(point));
    for (Index k = 0; k < count_[2]; ++k)
      for (Index j = 0; j < count_[1]; ++j)
        for (Index i = 0; i < count_[0]; ++i) {
          const bool inner =
              i > 0 && j > 0 && k > 0 && i + 1 < count_[0] && j + 1 < count_[1] && k + 1 < count_[2];
          if (!inner && values_[number(i, j, k)] < 0) throw Error("the surface extends beyond its box");
        }
  }

  void cut_cube(Index cube) {
    std::array<Index, 8> corner{};
    int inside = 0;
    for (int c = 0; c < 8; ++c) {
      corner[c] = number_at_corner(cube, c);
      inside += values_[corner[c]] < 0;
    }
    if (inside == 0 || inside == 8) return;
    for (const auto& [a, b, c, d] : tetrahedra) cut({corner[a], corner[b], corner[c], corner[d]});
  }

  /// One corner inside: one triangle. Two corners inside (corner 0 and another): two triangles. All other
  /// cases follow by exchanging inside and outside, which reverses the orientation.
  void cut(const std::array<Index, 4>& point) {
    int mask = 0;
    for (int c = 0; c < 4; ++c) mask |= (values_[point[c]] < 0) << c;
    const int inside = __builtin_popcount(mask);
    const bool inverted = inside == 3 || (inside == 2 && (mask & 1) == 0);
    switch (inverted ? 15 - mask : mask) {
      case 1:
        return add({cut_edge(point, 0, 1), cut_edge(point, 0, 2), cut_edge(point, 0, 3)}, inverted);
      case 2:
        return add({cut_edge(point, 1, 0), cut_edge(point, 1, 3), cut_edge(point, 1, 2)}, inverted);
      case 4:
        return add({cut_edge(point, 2, 3), cut_edge(point, 2, 0), cut_edge(point, 2, 1)}, inverted);
      case 8:
        return add({cut_edge(point, 3, 2), cut_edge(point, 3, 1), cut_edge(point, 3, 0)}, inverted);
      case 3:
        return add_pair(point, {0, 1, 2, 3}, inverted);
      case 5:
        return add_pair(point, {0, 2, 3, 1}, inverted);
      case 9:
        return add_pair(point, {0, 3, 1, 2}, inverted);
      default:
        return;
    }
  }

  /// Corners a, b inside and c, d outside, in an even permutation.
  void add_pair(const std::array<Index, 4>& point, const std::array<int, 4>& order, bool inverted) {
    const auto [a, b, c, d] = order;
    const Index ac = cut_edge(point, a, c), ad = cut_edge(point, a, d), bc = cut_edge(point, b, c),
                bd = cut_edge(point, b, d);
    add({ac, ad, bd}, inverted);
    add({ac, bd, bc}, inverted);
  }

  void add(std::array<Index, 3> face, bool inverted) {
    if (inverted) std::swap(face[1], face[2]);
    for (const Index v : face) faces_.push_back(v);
  }

  /// The vertex on the edge between two grid points of opposite sign, by linear interpolation.
  Index cut_edge(const std::array<Index, 4>& point, int from, int to) {
    const Index a = std::min(point[from], point[to]), b = std::max(point[from], point[to]);
    const Index next = x_.size() / 3;
    const auto [entry, is_new] = vertex_.try_emplace(std::int64_t{a} * values_.size() + b, next);
    if (is_new) {
      const double t = std::clamp(values_[a] / (values_[a] - values_[b]), first_cut, last_cut);
      const Vector3 x = (1 - t) * position(a) + t * position(b);
      for (const double coordinate : x) x_.push_back(coordinate);
    }
    return entry->second;
  }

  Vector3 low_;
  double cell_;
  Eigen::Array<Index, 3, 1> count_;  // number of grid points along x, y, z
  Array<double> values_;
  std::unordered_map<std::int64_t, Index> vertex_;  // keyed by the two grid points
  Array<Index> faces_;
  Array<double> x_;
};

/// ∇f at x, where f has the given value.
Vector3 gradient(const ScalarField& f, const Vector3& x, double value, double step) {
  Vector3 result;
  for (int axis = 0; axis < 3; ++axis) result[axis] = (f(x + step * Vector3::Unit(axis)) - value) / step;
  return result;
}

}  // namespace

TriangleList march_tetrahedra(const ImplicitSurface& surface, double cell) {
  return March(surface, cell).run();
}

Vector3 project_to_zero(const ScalarField& f, const Vector3& start, double scale) {
  constexpr int max_steps = 10;
  constexpr double tolerance = 1e-10, difference = 1e-5;  // relative to the scale
  Vector3 x = start;
  for (int step = 0; step < max_steps; ++step) {
    const double value = f(x);
    if (std::abs(value) < tolerance * scale) return x;
    const Vector3 slope = gradient(f, x, value, difference * scale);
    if (!(slope.squaredNorm() > 0)) break;
    const Vector3 change = value / slope.squaredNorm() * slope;
    x -= change * std::min(1.0, scale / change.norm());
  }
  return start;
}

RemeshedSurface mesh_implicit_surface(const ImplicitSurface& surface, double cell, RemeshOptions options) {
  const TriangleList marched = march_tetrahedra(surface, cell);
  options.project = [&](const Vector3& x, const Vector3&) { return project_to_zero(surface.f, x, cell); };
  return remesh(make_mesh(marched.faces, static_cast<Index>(marched.x.cols())), marched.x, options);
}

}  // namespace shoal
