// The closest point of a triangle surface: a tree of bounding boxes over its faces.
#pragma once

#include "discretizations/common/array.hpp"

namespace shoal {

/// A point of a face: Σ weights[c] times the position of its corner c.
struct SurfacePoint {
  Index face = -1;
  Vector3 weights = Vector3::Zero();  ///< barycentric coordinates, ≥ 0, of sum 1
  Vector3 x = Vector3::Zero();
};

/// A binary tree of axis-aligned boxes, halved at the median of the faces' middles along the longest side. Building
/// takes O(n log n), a query O(log n) where the point is near the surface.
class SurfaceTree {
 public:
  SurfaceTree(const Faces& faces, const Points& x);

  /// The closest point of the faces whose normal makes at most a right angle with `normal`, so that a point near a thin
  /// sheet finds its own side; of all faces where there is none, or `normal` is zero. Of points equally close that of
  /// the face found first, always the same.
  SurfacePoint closest(const Vector3& point, const Vector3& normal = Vector3::Zero()) const;

 private:
  struct Node {
    Vector3 low, high;
    Index begin, end;    // of order_
    Index second_child;  // the first one follows its parent; 0 in a leaf
  };

  void build(Index begin, Index end, const Points& middles);
  double squared_distance(const Node& node, const Vector3& point) const;
  void search(Index node, const Vector3& point, const Vector3& normal, SurfacePoint& best,
              double& best_squared) const;

  Faces faces_;
  Points x_;
  Points normals_;  // [3, nF] of no particular length
  Array<Index> order_;
  Array<Node> nodes_;
};

}  // namespace shoal
