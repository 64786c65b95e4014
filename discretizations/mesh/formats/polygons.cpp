// Ear clipping.
#include "discretizations/mesh/formats/polygons.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>
#include <Eigen/Geometry>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace shoal {
namespace {

using Triangle = std::array<Index, 3>;

/// Clips the ears of one polygon.
class EarClipper {
 public:
  EarClipper(const Points& x, const Index* corners, Index count) : x_(x), outline_(corners, corners + count) {
    for (Index k = 1; k + 1 < count; ++k)
      normal_ += (point(k) - point(0)).cross(Vector3(point(k + 1) - point(0)));
  }

  /// Appends the triangles; false if no ear is left before the end.
  bool clip(std::vector<Triangle>& triangles) {
    while (outline_.size() > 3) {
      const Index ear = best_ear();
      if (ear < 0) return false;
      const Index count = static_cast<Index>(outline_.size());
      triangles.push_back({outline_[(ear + count - 1) % count], outline_[ear], outline_[(ear + 1) % count]});
      outline_.erase(outline_.begin() + ear);
    }
    triangles.push_back({outline_[0], outline_[1], outline_[2]});
    return true;
  }

 private:
  Vector3 point(Index k) const { return x_.col(outline_[k % static_cast<Index>(outline_.size())]); }

  /// Twice the area of a triangle projected along the normal, positive if it is oriented like the polygon.
  double area(const Vector3& a, const Vector3& b, const Vector3& c) const {
    return (b - a).cross(Vector3(c - a)).dot(normal_);
  }

  bool is_empty(Index ear) const {
    const Index count = static_cast<Index>(outline_.size());
    const Vector3 a = point(ear + count - 1), b = point(ear), c = point(ear + 1);
    for (Index k = ear + 2; k < ear + count - 1; ++k) {
      const Vector3 p = point(k);
      if (area(a, b, p) < 0 || area(b, c, p) < 0 || area(c, a, p) < 0) continue;
      if (p == a ? enters(k, a, b, c) : p == b ? enters(k, b, c, a) : p != c || enters(k, c, a, b))
        return false;
    }
    return true;
  }

  /// Whether the outline at corner k, which lies at `tip`, continues into the triangle (tip, next, last).
  bool enters(Index k, const Vector3& tip, const Vector3& next, const Vector3& last) const {
    const Index count = static_cast<Index>(outline_.size());
    for (const Vector3& p : {point(k + count - 1), point(k + 1)})
      if (area(tip, next, p) > 0 && area(last, tip, p) > 0) return true;
    return false;
  }

  /// The convex corner with the best shaped triangle (area over longest edge squared) that contains no other
  /// corner.
  Index best_ear() const {
    const Index count = static_cast<Index>(outline_.size());
    Index best = -1;
    double best_shape = 0;
    for (Index k = 0; k < count; ++k) {
      const Vector3 a = point(k + count - 1), b = point(k), c = point(k + 1);
      const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
      const double shape = area(a, b, c) / longest;
      if (shape > best_shape && is_empty(k)) {
        best_shape = shape;
        best = k;
      }
    }
    return best;
  }

  const Points& x_;
  std::vector<Index> outline_;
  Vector3 normal_ = Vector3::Zero();
};

void check_face(const Polygons& polygons, Index face) {
  const Index begin = polygons.start[face], count = polygons.start[face + 1] - begin;
  if (count < 3 || count > max_corners)
    throw Error(
        fmt::format("face {} has {} corner{}, not 3 to {}", face, count, count == 1 ? "" : "s", max_corners));
  for (Index k = begin; k < begin + count; ++k)
    if (polygons.corner[k] < 0 || polygons.corner[k] >= polygons.x.cols())
      throw Error(fmt::format("face {} names vertex {}, outside [0, {}]", face, polygons.corner[k],
                              polygons.x.cols() - 1));
}

}  // namespace

void Polygons::close_face() {
  if (std::cmp_greater(corner.size(), std::numeric_limits<Index>::max()))
    throw Error("its faces have too many corners for the index type");
  start.push_back(static_cast<Index>(corner.size()));
}

void Polygons::add_strip(const std::vector<Index>& strip) {
  for (std::size_t k = 0; k + 2 < strip.size(); ++k) {
    const Index a = strip[k], b = strip[k + 1 + k % 2], c = strip[k + 2 - k % 2];
    if (a == b || b == c || c == a) continue;
    corner.insert(corner.end(), {a, b, c});
    close_face();
  }
}

Index drop_repeated_corners(Polygons& polygons) {
  Polygons kept;
  Index changed = 0;
  for (Index face = 0; face < polygons.count(); ++face) {
    const std::size_t begin = polygons.start[face], end = polygons.start[face + 1],
                      first = kept.corner.size();
    for (std::size_t k = begin; k < end; ++k)
      if (polygons.corner[k] != polygons.corner[k + 1 < end ? k + 1 : begin])
        kept.corner.push_back(polygons.corner[k]);
    changed += kept.corner.size() - first < end - begin;
    if (kept.corner.size() - first < 3)
      kept.corner.resize(first);
    else
      kept.close_face();
  }
  polygons.start = std::move(kept.start);
  polygons.corner = std::move(kept.corner);
  return changed;
}

Faces triangulate(Polygons& polygons) {
  std::vector<Triangle> triangles;
  Index cut = 0;
  for (Index face = 0; face < polygons.count(); ++face) {
    check_face(polygons, face);
    const Index* corner = &polygons.corner[polygons.start[face]];
    const Index count = polygons.start[face + 1] - polygons.start[face];
    if (count > 3) ++cut;
    if (!EarClipper(polygons.x, corner, count).clip(triangles))
      throw Error(fmt::format(
          "face {} with {} corners cannot be split into triangles: its outline crosses itself or has no area",
          face, count));
  }
  if (cut > 0)
    polygons.remarks.push_back(fmt::format("split {} of {} faces into triangles, {} in total", cut,
                                           polygons.count(), triangles.size()));
  Faces faces(3, triangles.size());
  for (std::size_t k = 0; k < triangles.size(); ++k)
    faces.col(static_cast<Eigen::Index>(k)) << triangles[k][0], triangles[k][1], triangles[k][2];
  return faces;
}

}  // namespace shoal
