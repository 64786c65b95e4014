// Repairs of raw triangles; all are deterministic and keep the order of the source.
#include "discretizations/mesh/repair.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace shoal {
namespace {

/// Finds an earlier point within `tolerance`. Cells are larger than the tolerance, so that most lookups need
/// one cell, but only slightly, so that a cell contains few distinct points however unevenly these are
/// distributed.
class PointGrid {
 public:
  PointGrid(const Points& x, double tolerance) : x_(x), tolerance_(tolerance) {
    if (x.cols() > 0) origin_ = x.rowwise().minCoeff();
    cell_ = tolerances_per_cell * tolerance_;
    if (!(cell_ >= std::numeric_limits<double>::min())) cell_ = 1;  // all points coincide
  }

  /// Returns the first registered point within the tolerance of point i; if there is none, registers i and
  /// returns i.
  Index find_or_add(Index i) {
    const Cell low = cell_of(x_.col(i).array() - tolerance_), high = cell_of(x_.col(i).array() + tolerance_);
    Index found = i;
    for (std::int64_t a = low[0]; a <= high[0]; ++a)
      for (std::int64_t b = low[1]; b <= high[1]; ++b)
        for (std::int64_t c = low[2]; c <= high[2]; ++c) found = std::min(found, search({a, b, c}, i));
    if (found == i) cells_[cell_of(x_.col(i))].push_back(i);
    return found;
  }

 private:
  using Cell = std::array<std::int64_t, 3>;
  struct Hash {
    std::size_t operator()(const Cell& cell) const {
      std::uint64_t hash = 0;
      for (const std::int64_t k : cell) hash = (hash ^ static_cast<std::uint64_t>(k)) * 0x9e3779b97f4a7c15u;
      return hash ^ (hash >> 29);
    }
  };

  Cell cell_of(const Vector3& point) const {
    const Vector3 k = ((point - origin_) / cell_).array().floor();
    return {static_cast<std::int64_t>(k[0]), static_cast<std::int64_t>(k[1]),
            static_cast<std::int64_t>(k[2])};
  }
  Index search(const Cell& cell, Index i) const {
    const auto found = cells_.find(cell);
    if (found == cells_.end()) return i;
    for (const Index other : found->second)
      if ((x_.col(other) - x_.col(i)).norm() <= tolerance_) return other;
    return i;
  }

  const Points& x_;
  static constexpr double tolerances_per_cell = 16;
  double tolerance_, cell_;
  Vector3 origin_ = Vector3::Zero();
  std::unordered_map<Cell, std::vector<Index>, Hash> cells_;
};

/// Drops vertices without keep[v] and renumbers; replacement[v] is the kept vertex that replaces v.
void keep_vertices(Triangles& triangles, const std::vector<char>& keep,
                   const std::vector<Index>& replacement) {
  std::vector<Index> number(keep.size(), -1);
  Index count = 0;
  for (std::size_t v = 0; v < keep.size(); ++v) {
    if (!keep[v]) continue;
    number[v] = count;
    triangles.x.col(count) = triangles.x.col(static_cast<Eigen::Index>(v)).eval();
    triangles.source_vertex[count++] = triangles.source_vertex[v];
  }
  triangles.x.conservativeResize(Eigen::NoChange, count);
  triangles.source_vertex.resize(count);
  for (Index& vertex : triangles.faces.reshaped()) vertex = number[replacement[vertex]];
}

/// One edge-connected component of faces, in the order of traversal.
struct Component {
  std::vector<Index> faces;
  bool closed = true;
};

/// Collects the component of `seed` and decides for each face whether it must be flipped to be consistent
/// with the seed.
Component agree_with(Index seed, const Triangles& triangles, const EdgeList& list,
                     std::vector<signed char>& turned) {
  const VertexNames name(&triangles.source_vertex);
  Component component;
  component.faces.push_back(seed);
  turned[seed] = 0;
  for (std::size_t next = 0; next < component.faces.size(); ++next) {
    const Index face = component.faces[next];
    for (int c = 0; c < 3; ++c) {
      const Index edge = list.face_edges(c, face);
      const Index* side = &list.side[list.side_start[edge]];
      if (list.side_count(edge) == 1) {
        component.closed = false;
        continue;
      }
      const Index neighbour = side[0] / 3 == face ? side[1] / 3 : side[0] / 3;
      const bool agree = edge_tail(triangles.faces, side[0] / 3, side[0] % 3) !=
                         edge_tail(triangles.faces, side[1] / 3, side[1] % 3);
      const signed char wanted = agree ? turned[face] : 1 - turned[face];
      if (turned[neighbour] < 0) {
        turned[neighbour] = wanted;
        component.faces.push_back(neighbour);
      } else if (turned[neighbour] != wanted) {
        throw Error(
            fmt::format("the surface is one-sided, like a Möbius band: faces {} and {} at {} cannot be "
                        "oriented consistently",
                        face, neighbour, name.edge(list, edge)));
      }
    }
  }
  return component;
}

/// Whether the whole component must be inverted: closed ones must face outward, others follow the majority of
/// their faces.
bool must_invert(const Component& component, const Triangles& triangles,
                 const std::vector<signed char>& turned) {
  const Vector3 origin = triangles.x.col(triangles.faces(0, component.faces.front()));
  double volume = 0, area = 0;
  std::size_t turned_count = 0;
  for (const Index face : component.faces) {
    const Vector3 a = triangles.x.col(triangles.faces(0, face)) - origin;
    const Vector3 b = triangles.x.col(triangles.faces(1, face)) - origin;
    const Vector3 c = triangles.x.col(triangles.faces(2, face)) - origin;
    volume += (turned[face] ? -1 : 1) * a.dot(b.cross(c)) / 6;
    area += (b - a).cross(c - a).norm() / 2;
    turned_count += turned[face];
  }
  const bool encloses = component.closed && std::abs(volume) > 1e-12 * std::pow(area, 1.5);
  return encloses ? volume < 0 : 2 * turned_count > component.faces.size();
}

}  // namespace

std::string describe(const WeldTolerance& tolerance) {
  return fmt::format("{:g} {}", tolerance.length, tolerance.relative ? "of the diagonal" : "m");
}

double length_of(const WeldTolerance& tolerance, const Points& x) {
  if (!tolerance.relative || x.cols() == 0) return tolerance.length;
  return tolerance.length * (x.rowwise().maxCoeff() - x.rowwise().minCoeff()).norm();
}

Welded weld_vertices(Triangles& triangles, const WeldTolerance& tolerance, bool drops) {
  const Eigen::Index count = triangles.x.cols();
  Welded welded;
  if (count == 0) return welded;
  const double diagonal = (triangles.x.rowwise().maxCoeff() - triangles.x.rowwise().minCoeff()).norm();
  if (!std::isfinite(diagonal))
    throw Error("its vertices are too far apart: the diagonal of the bounding box overflows");
  PointGrid grid(triangles.x, length_of(tolerance, triangles.x));
  std::vector<Index> representative(count);
  std::vector<char> keep(count);
  for (Index v = 0; v < count; ++v) {
    representative[v] = grid.find_or_add(v);
    keep[v] = representative[v] == v;
    welded.vertices += !keep[v];
  }
  Index kept = 0;
  for (Index face = 0; face < triangles.faces.cols(); ++face) {
    bool lost = false;
    for (int c = 0; c < 3; ++c) {
      const Index a = triangles.faces(c, face), b = triangles.faces((c + 1) % 3, face);
      if (representative[a] != representative[b]) continue;
      if (!drops)
        throw Error(fmt::format("face {} is degenerate: its vertices {} and {} coincide", face,
                                triangles.source_vertex[a], triangles.source_vertex[b]));
      lost = true;
    }
    if (!lost) triangles.faces.col(kept++) = triangles.faces.col(face).eval();
  }
  welded.faces = static_cast<Index>(triangles.faces.cols()) - kept;
  triangles.faces.conservativeResize(Eigen::NoChange, kept);
  if (kept == 0) throw Error("all faces are degenerate");
  if (welded.vertices > 0) keep_vertices(triangles, keep, representative);
  return welded;
}

Index drop_unused_vertices(Triangles& triangles) {
  std::vector<char> keep(triangles.x.cols(), 0);
  for (const Index vertex : triangles.faces.reshaped()) keep[vertex] = 1;
  const Index dropped = static_cast<Index>(std::count(keep.begin(), keep.end(), 0));
  if (dropped == 0) return 0;
  std::vector<Index> itself(keep.size());
  std::iota(itself.begin(), itself.end(), 0);
  keep_vertices(triangles, keep, itself);
  return dropped;
}

void check_shapes(const Triangles& triangles) {
  const Points& x = triangles.x;
  for (Index face = 0; face < triangles.faces.cols(); ++face) {
    const Vector3 a = x.col(triangles.faces(0, face)), b = x.col(triangles.faces(1, face)),
                  c = x.col(triangles.faces(2, face));
    const double area = 0.5 * (b - a).cross(c - a).norm();
    const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
    // Also true for an area that overflows.
    if (!(area > degenerate_area * longest && std::isfinite(area)))
      throw Error(fmt::format("face {} is degenerate: its area is {} and its longest edge {}", face, area,
                              std::sqrt(longest)));
  }
}

Index orient_faces(Triangles& triangles) {
  const EdgeList list = list_edges(triangles.faces, static_cast<Index>(triangles.x.cols()));
  check_sides(list, VertexNames(&triangles.source_vertex));
  const Index face_count = static_cast<Index>(triangles.faces.cols());
  std::vector<signed char> turned(face_count, -1);
  Index turned_count = 0;
  for (Index seed = 0; seed < face_count; ++seed) {
    if (turned[seed] >= 0) continue;
    const Component component = agree_with(seed, triangles, list, turned);
    const bool invert = must_invert(component, triangles, turned);
    for (const Index face : component.faces) {
      if ((turned[face] != 0) == invert) continue;
      std::swap(triangles.faces(1, face), triangles.faces(2, face));
      ++turned_count;
    }
  }
  return turned_count;
}

}  // namespace shoal
