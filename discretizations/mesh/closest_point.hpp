// The closest point on a triangle surface, by a tree of bounding boxes of its faces.
#pragma once

#include "discretizations/common/array.hpp"

namespace shoal {

/// A point on a face: Σ weights[c] times the position of its corner c.
struct SurfacePoint {
  Index face = -1;
  Vector3 weights = Vector3::Zero();  ///< barycentric coordinates, ≥ 0 with sum 1
  Vector3 x = Vector3::Zero();
};

/// A binary tree of axis-aligned boxes, split at the median of the centroids along the longest side. Construction takes O(n log n), a
/// query O(log n) for points near the surface.
class SurfaceTree {
 public:
  SurfaceTree(const Faces& faces, const Points& x);

  /// The closest point on faces whose normal makes at most a right angle with `normal`, so that a point near a thin sheet finds its own
  /// side; on all faces if there are none, or if `normal` is zero. Ties are resolved deterministically.
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
  Points normals_;  // [3, nF] of any length
  Array<Index> order_;
  Array<Node> nodes_;
};

}  // namespace shoal
