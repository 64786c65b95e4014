// Matrices of a camera, and the one that frames points.
#include "reference/renderer/camera.hpp"

#include "discretizations/common/error.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace shoal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tan_half_field = 0.27;  // 30° of view: little distortion

}  // namespace

Eigen::Matrix4d Camera::view() const {
  const Vector3 back = (eye - target).normalized(), right = up.cross(back).normalized();
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Identity();
  matrix.block<1, 3>(0, 0) = right.transpose();
  matrix.block<1, 3>(1, 0) = back.cross(right).transpose();
  matrix.block<1, 3>(2, 0) = back.transpose();
  matrix.block<3, 1>(0, 3) = -matrix.topLeftCorner<3, 3>() * eye;
  return matrix;
}

Eigen::Matrix4d Camera::projection(double aspect) const {
  Eigen::Matrix4d matrix = Eigen::Matrix4d::Zero();
  matrix(0, 0) = 1 / (tan_half_height * aspect);
  matrix(1, 1) = 1 / tan_half_height;
  matrix(2, 2) = -(far + near) / (far - near);
  matrix(2, 3) = -2 * far * near / (far - near);
  matrix(3, 2) = -1;
  return matrix;
}

Eigen::Vector2d Camera::pixel(const Vector3& point, int width, int height) const {
  const Eigen::Vector4d clip = projection(static_cast<double>(width) / height) * view() * point.homogeneous();
  return {0.5 * width * (1 + clip.x() / clip.w()), 0.5 * height * (1 - clip.y() / clip.w())};
}

Framing::Framing(const Vector3& view, const Vector3& up, double aspect, double margin)
    : forward_(-view.normalized()),
      given_up_(up.normalized()),
      max_right_(-infinity),
      max_left_(-infinity),
      max_up_(-infinity),
      max_down_(-infinity),
      nearest_(infinity),
      farthest_(-infinity),
      lowest_(infinity),
      lower_(Vector3::Constant(infinity)),
      upper_(Vector3::Constant(-infinity)) {
  const Vector3 right = forward_.cross(given_up_);
  if (!(right.norm() > 1e-6)) throw Error("--view is parallel to --up; change one of them");
  right_ = right.normalized();
  up_ = right_.cross(forward_);
  tan_half_height_ = tan_half_field * (1 - margin);
  tan_half_width_ = tan_half_height_ * aspect;
}

void Framing::add(const Points& x) {
  for (Eigen::Index i = 0; i < x.cols(); ++i) {
    const Vector3 p = x.col(i);
    const double along = p.dot(forward_), sideways = p.dot(right_), upwards = p.dot(up_);
    max_right_ = std::max(max_right_, sideways - tan_half_width_ * along);
    max_left_ = std::max(max_left_, -sideways - tan_half_width_ * along);
    max_up_ = std::max(max_up_, upwards - tan_half_height_ * along);
    max_down_ = std::max(max_down_, -upwards - tan_half_height_ * along);
    nearest_ = std::min(nearest_, along);
    farthest_ = std::max(farthest_, along);
    lowest_ = std::min(lowest_, p.dot(given_up_));
    lower_ = lower_.cwiseMin(p);
    upper_ = upper_.cwiseMax(p);
  }
}

Camera Framing::camera(double zoom) const {
  // The sum of two opposite inequalities determines the distance of the camera.
  const double back_for_width = (max_right_ + max_left_) / (2 * tan_half_width_),
               back_for_height = (max_up_ + max_down_) / (2 * tan_half_height_);
  const double along = -std::max(back_for_width, back_for_height);
  const double depth = nearest_ - along;  // distance of the nearest point
  Camera camera;
  camera.eye = 0.5 * (max_right_ - max_left_) * right_ + 0.5 * (max_up_ - max_down_) * up_ + along * forward_;
  camera.target = camera.eye + forward_;
  camera.up = given_up_;
  camera.tan_half_height = tan_half_field / zoom;
  camera.near = 0.3 * depth;
  camera.far = 4 * (farthest_ - along);
  return camera;
}

}  // namespace shoal
