// The camera of the window, which flies and turns.
#pragma once

#include "reference/renderer/picture.hpp"

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

class FlyCamera {
 public:
  explicit FlyCamera(const Camera& start) : camera_(start) {}
  const Camera& camera() const { return camera_; }

  /// Distances along forward, right and up, m.
  void fly(double forward, double right, double up);
  /// Turns by angles to the right and up, rad; never upside down.
  void look(double right, double up);
  Ray ray(double x, double y, int width, int height) const;
  /// The displacement, m, of a point `away` m from the eye that moves by these numbers of pixels on the screen.
  Vector3 shift(double pixels_right, double pixels_down, double away, int height) const;

 private:
  Vector3 forward() const { return (camera_.target - camera_.eye).normalized(); }
  Vector3 right() const { return forward().cross(camera_.up).normalized(); }
  Camera camera_;
};

/// The first triangle that a ray hits, from either side. On a periodic mesh, corner c of face k lies at its vertex plus column
/// 3k + c of `corner_shift`.
std::optional<Hit> first_hit(const Ray& ray, const Points& x, const Faces& faces,
                             const Points& corner_shift = Points(3, 0));

}  // namespace shoal
