#include "discretizations/mesh/closest_point.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace shoal {
namespace {

constexpr Index faces_per_leaf = 4;

/// Barycentric coordinates of the point of the triangle that is closest to `point`: the foot of the perpendicular where
/// it lies inside, otherwise the closest point of the three edges.
Vector3 closest_weights(const Vector3& point, const Vector3& a, const Vector3& b, const Vector3& c) {
  const std::array<Vector3, 3> corner = {a, b, c};
  const Vector3 normal = (b - a).cross(c - a);
  Vector3 weights;
  for (int k = 0; k < 3; ++k)
    weights[k] = (corner[(k + 2) % 3] - corner[(k + 1) % 3]).cross(point - corner[(k + 1) % 3]).dot(normal);
  if (weights.minCoeff() >= 0 && weights.sum() > 0) return weights / weights.sum();

  double closest = std::numeric_limits<double>::infinity();
  for (int k = 0; k < 3; ++k) {
    const int next = (k + 1) % 3;
    const Vector3 along = corner[next] - corner[k];
    const double t = std::clamp((point - corner[k]).dot(along) / along.squaredNorm(), 0.0, 1.0);
    const double distance = (corner[k] + t * along - point).squaredNorm();
    if (!(distance < closest)) continue;
    closest = distance;
    weights.setZero();
    weights[k] = 1 - t;
    weights[next] = t;
  }
  return weights;
}

}  // namespace

SurfaceTree::SurfaceTree(const Faces& faces, const Points& x) : faces_(faces), x_(x) {
  const Index face_count = static_cast<Index>(faces.cols());
  normals_.resize(3, face_count);
  Points middles(3, face_count);
  for (Index k = 0; k < face_count; ++k) {
    const Vector3 a = x.col(faces(0, k)), b = x.col(faces(1, k)), c = x.col(faces(2, k));
    normals_.col(k) = (b - a).cross(c - a);
    middles.col(k) = (a + b + c) / 3;
  }
  order_.resize(face_count);
  std::iota(order_.begin(), order_.end(), 0);
  build(0, face_count, middles);
}

void SurfaceTree::build(Index begin, Index end, const Points& middles) {
  Vector3 low = Vector3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (Index i = begin; i < end; ++i)
    for (int c = 0; c < 3; ++c) {
      low = low.cwiseMin(x_.col(faces_(c, order_[i])));
      high = high.cwiseMax(x_.col(faces_(c, order_[i])));
    }
  const Index node = nodes_.size();
  nodes_.push_back({low, high, begin, end, 0});
  if (end - begin <= faces_per_leaf) return;

  int axis = 0;
  (high - low).maxCoeff(&axis);
  const Index middle = begin + (end - begin) / 2;
  std::nth_element(
      order_.begin() + begin, order_.begin() + middle, order_.begin() + end,
      [&](Index a, Index b) { return std::pair(middles(axis, a), a) < std::pair(middles(axis, b), b); });
  build(begin, middle, middles);
  nodes_[node].second_child = nodes_.size();
  build(middle, end, middles);
}

double SurfaceTree::squared_distance(const Node& node, const Vector3& point) const {
  return (point - point.cwiseMax(node.low).cwiseMin(node.high)).squaredNorm();
}

void SurfaceTree::search(Index index, const Vector3& point, const Vector3& normal, SurfacePoint& best,
                         double& best_squared) const {
  const Node& node = nodes_[index];
  if (node.second_child != 0) {
    Index near = index + 1, far = node.second_child;
    double to_near = squared_distance(nodes_[near], point), to_far = squared_distance(nodes_[far], point);
    if (to_far < to_near) {
      std::swap(near, far);
      std::swap(to_near, to_far);
    }
    if (to_near < best_squared) search(near, point, normal, best, best_squared);
    if (to_far < best_squared) search(far, point, normal, best, best_squared);
    return;
  }
  for (Index i = node.begin; i < node.end; ++i) {
    const Index face = order_[i];
    if (normals_.col(face).dot(normal) < 0) continue;
    const Vector3 a = x_.col(faces_(0, face)), b = x_.col(faces_(1, face)), c = x_.col(faces_(2, face));
    const Vector3 weights = closest_weights(point, a, b, c);
    const Vector3 x = weights[0] * a + weights[1] * b + weights[2] * c;
    const double squared = (x - point).squaredNorm();
    if (!(squared < best_squared)) continue;
    best_squared = squared;
    best = {face, weights, x};
  }
}

SurfacePoint SurfaceTree::closest(const Vector3& point, const Vector3& normal) const {
  SurfacePoint best;
  double best_squared = std::numeric_limits<double>::infinity();
  search(0, point, normal, best, best_squared);
  if (best.face < 0) search(0, point, Vector3::Zero(), best, best_squared);
  return best;
}

}  // namespace shoal
