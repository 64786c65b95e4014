// The camera of the window, which turns about a point or flies.
#pragma once

#include "reference/renderer/picture.hpp"

#include <Eigen/Geometry>

#include <optional>

namespace shoal {

/// A ray from the eye through a pixel.
struct Ray {
  Vector3 from, along;  ///< m, unit
};

/// Where a ray meets a surface first.
struct Hit {
  Index face = 0;
  Vector3 point, normal, weights;  ///< m; unit, towards the eye; barycentric
  double distance = 0;             ///< m
};

/// It turns about a centre, which also sets the scale of zooming and panning. `up` stays up, as on a turntable.
class ViewCamera {
 public:
  explicit ViewCamera(const Camera& start) : camera_(start), center_(start.target) {}
  const Camera& camera() const { return camera_; }
  double distance() const { return (center_ - camera_.eye).norm(); }  ///< m, from the eye to the centre

  /// Turns about the centre, which stays where it is in the picture, so that its front moves in the picture by these angles to the right and down, rad; never upside down.
  void orbit(double right, double down);
  /// Multiplies the distance to the centre, within limits in m.
  void zoom(double factor, double nearest, double farthest);
  /// Moves everything at the distance of the centre by these numbers of pixels; the centre keeps its place in the picture.
  void pan(double pixels_right, double pixels_down, int height);
  /// Moves the centre, too, up in the picture.
  void raise_center(double pixels, int height);
  /// Turns to this point, which becomes the centre.
  void look_at(const Vector3& target) { camera_.target = center_ = target; }
  /// Chooses as centre the point of the line of sight next to `point`, at least `nearest` m away; the picture stays the same.
  void aim_near(const Vector3& point, double nearest);
  /// Distances along forward, right and up, m.
  void fly(double forward, double right, double up);
  /// Turns about the eye by angles to the right and up, rad; never upside down.
  void look(double right, double up);
  Ray ray(double x, double y, int width, int height) const;
  /// The displacement, m, of a point `away` m from the eye that moves by these numbers of pixels on the screen.
  Vector3 shift(double pixels_right, double pixels_down, double away, int height) const;

 private:
  Vector3 forward() const { return (camera_.target - camera_.eye).normalized(); }
  Vector3 right() const { return forward().cross(camera_.up).normalized(); }
  double depth() const { return (center_ - camera_.eye).dot(forward()); }  ///< m, of the centre
  /// Turns forward() by angles to the right and up.
  Eigen::Quaterniond turn(double right, double up) const;
  Camera camera_;
  Vector3 center_;
};

/// The first triangle that a ray hits, from either side. On a periodic mesh, corner c of face k lies at its vertex plus column
/// 3k + c of `corner_shift`.
std::optional<Hit> first_hit(const Ray& ray, const Points& x, const Faces& faces,
                             const Points& corner_shift = Points(3, 0));

}  // namespace shoal
