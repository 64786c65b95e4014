// The camera that shows a set of points as large as fits.
#pragma once

#include "reference/renderer/picture.hpp"

namespace shoal {

/// Collects points, of one instant or of a whole motion, and finds the camera that looks at them along a direction.
///
/// With the axes right r, up u and forward f of the camera and half angles tan α of the picture, a point p is seen from c if
/// |(p−c)·r| ≤ tan α (p−c)·f, and so for u: four linear inequalities, of which the largest left side over all points counts.
class Framing {
 public:
  /// The picture is seen along −view, `view` the direction from the points to the camera; `aspect` its width over its height,
  /// `margin` the part of either that is left free. Throws Error if view and up are parallel.
  Framing(const Vector3& view, const Vector3& up, double aspect, double margin = 0.1);
  void add(const Points& x);
  /// zoom > 1 shows the middle, larger.
  Camera camera(double zoom = 1) const;
  Vector3 center() const { return 0.5 * (lower_ + upper_); }        ///< m, of the box around the points
  double radius() const { return 0.5 * (upper_ - lower_).norm(); }  ///< m, half its diagonal
  double lowest() const { return lowest_; }                         ///< m along `up`

 private:
  Vector3 right_, up_, forward_, given_up_;
  double tan_half_height_, tan_half_width_;
  double max_right_, max_left_, max_up_, max_down_;  // of the left sides ±p·r − tan α p·f
  double nearest_, farthest_, lowest_;               // m, along f and `up`
  Vector3 lower_, upper_;
};

}  // namespace shoal
