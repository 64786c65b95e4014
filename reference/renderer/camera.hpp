// The camera that shows a set of points as large as possible.
#pragma once

#include "reference/renderer/picture.hpp"

namespace shoal {

/// Collects points, of one instant or of a whole motion, and computes the camera that views them along a given direction.
///
/// With the camera's axes right r, up u and forward f, its position c and its half angle α, a point p is visible if
/// |(p−c)·r| ≤ tan α (p−c)·f and likewise for u: four linear inequalities, each determined by the largest left side over all points.
class Framing {
 public:
  /// `view` points from the points to the camera; `aspect` is width over height; `margin` is the fraction of each side left free.
  /// Throws Error if view and up are parallel.
  Framing(const Vector3& view, const Vector3& up, double aspect, double margin = 0.1);
  void add(const Points& x);
  /// zoom > 1 magnifies the centre.
  Camera camera(double zoom = 1) const;
  Vector3 center() const { return 0.5 * (lower_ + upper_); }        ///< m, of the box around the points
  double radius() const { return 0.5 * (upper_ - lower_).norm(); }  ///< m, half its diagonal
  double lowest() const { return lowest_; }                         ///< m along `up`

 private:
  Vector3 right_, up_, forward_, given_up_;
  double tan_half_height_, tan_half_width_;
  double max_right_, max_left_, max_up_, max_down_;  // maxima of ±p·r − tan α p·f
  double nearest_, farthest_, lowest_;               // m, along f and `up`
  Vector3 lower_, upper_;
};

}  // namespace shoal
