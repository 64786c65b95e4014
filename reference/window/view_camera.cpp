#include "reference/window/view_camera.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {

Eigen::Quaterniond ViewCamera::turn(double to_right, double upwards) const {
  const Vector3 up = camera_.up.normalized();
  const double height = std::asin(std::clamp(forward().dot(up), -1.0, 1.0));
  constexpr double max_angle = 1.5;
  const double tilt = std::clamp(height + upwards, -max_angle, max_angle) - height;
  return Eigen::AngleAxisd(-to_right, up) * Eigen::AngleAxisd(tilt, right());
}

void ViewCamera::orbit(double to_right, double down) {
  const Eigen::Quaterniond rotation = turn(to_right, -down);
  for (Vector3* point : {&camera_.eye, &camera_.target}) *point = center_ + rotation * (*point - center_);
}

void ViewCamera::zoom(double factor, double nearest, double farthest) {
  const double scale = std::clamp(factor * distance(), nearest, farthest) / distance();
  for (Vector3* point : {&camera_.eye, &camera_.target}) *point = center_ + scale * (*point - center_);
}

void ViewCamera::pan(double pixels_right, double pixels_down, int height) {
  const Vector3 way = shift(pixels_right, pixels_down, depth(), height);
  for (Vector3* point : {&camera_.eye, &camera_.target, &center_}) *point -= way;
}

void ViewCamera::raise_center(double pixels, int height) {
  const Vector3 way = shift(0, -pixels, depth(), height);
  for (Vector3* point : {&camera_.eye, &camera_.target}) *point -= way;
}

void ViewCamera::aim_near(const Vector3& point, double nearest) {
  center_ = camera_.eye + std::max(nearest, (point - camera_.eye).dot(forward())) * forward();
  camera_.target = center_;
}

void ViewCamera::fly(double ahead, double to_right, double upwards) {
  const Vector3 way = ahead * forward() + to_right * right() + upwards * camera_.up.normalized();
  for (Vector3* point : {&camera_.eye, &camera_.target, &center_}) *point += way;
}

void ViewCamera::look(double to_right, double upwards) {
  camera_.target = center_ = camera_.eye + distance() * (turn(to_right, upwards) * forward());
}

Ray ViewCamera::ray(double x, double y, int width, int height) const {
  const Vector3 ahead = forward(), side = right(), above = side.cross(ahead);
  const double half = camera_.tan_half_height, across = half * width / height;
  const Vector3 along = ahead + (2 * x / width - 1) * across * side + (1 - 2 * y / height) * half * above;
  return {camera_.eye, along.normalized()};
}

Vector3 ViewCamera::shift(double pixels_right, double pixels_down, double away, int height) const {
  const Vector3 ahead = forward(), side = right(), above = side.cross(ahead);
  const double pixel = 2 * camera_.tan_half_height * away / height;
  return pixel * (pixels_right * side - pixels_down * above);
}

/// Möller and Trumbore 1997, doi:10.1080/10867651.1997.10487468.
std::optional<Hit> first_hit(const Ray& ray, const Points& x, const Faces& faces,
                             const Points& corner_shift) {
  const auto corner = [&](Index k, int c) -> Vector3 {
    const Vector3 point = x.col(faces(c, k));
    return corner_shift.cols() == 0 ? point : point + corner_shift.col(3 * k + c);
  };
  std::optional<Hit> best;
  double nearest = std::numeric_limits<double>::infinity();
  for (Index k = 0; k < static_cast<Index>(faces.cols()); ++k) {
    const Vector3 a = corner(k, 0), ab = corner(k, 1) - a, ac = corner(k, 2) - a;
    const Vector3 p = ray.along.cross(ac);
    const double det = ab.dot(p);
    if (det == 0) continue;
    const Vector3 from_a = ray.from - a;
    const double u = from_a.dot(p) / det;
    if (!(u >= 0 && u <= 1)) continue;
    const Vector3 q = from_a.cross(ab);
    const double v = ray.along.dot(q) / det, t = ac.dot(q) / det;
    if (!(v >= 0 && u + v <= 1 && t > 0 && t < nearest)) continue;
    nearest = t;
    Vector3 normal = ab.cross(ac).normalized();
    if (normal.dot(ray.along) > 0) normal = -normal;
    best = Hit{k, ray.from + t * ray.along, normal, {1 - u - v, u, v}, t};
  }
  return best;
}

}  // namespace shoal
