#include "experiments/harness/fields/surface_interpolation.hpp"

#include "discretizations/common/error.hpp"

#include <Eigen/QR>

#include <set>

namespace shoal {

Vector3 turned(const Vector3& vector, const Vector3& from, const Vector3& to) {
  return Eigen::Quaterniond::FromTwoVectors(from, to) * vector;
}

SurfaceInterpolation::SurfaceInterpolation(const Faces& faces, const Points& x, const Points& points,
                                           const Points& normals)
    : faces_(faces),
      vertex_count_(static_cast<Index>(x.cols())),
      face_normal_(3, faces.cols()),
      normal_(3, points.cols()),
      distance_(points.cols()),
      ring_start_(vertex_count_ + 1, 0) {
  if (!x.allFinite() || !points.allFinite()) throw Error("a position of the surface is not finite");
  for (Eigen::Index k = 0; k < faces.cols(); ++k) {
    const Vector3 a = x.col(faces(0, k)), b = x.col(faces(1, k)), c = x.col(faces(2, k));
    face_normal_.col(k) = (b - a).cross(c - a).normalized();
  }
  const SurfaceTree tree(faces, x);
  for (Eigen::Index i = 0; i < points.cols(); ++i) {
    places_.push_back(
        tree.closest(points.col(i), normals.cols() > 0 ? Vector3(normals.col(i)) : Vector3::Zero()));
    distance_[i] = (places_.back().x - points.col(i)).norm();
    normal_.col(i) = face_normal_.col(places_.back().face);
  }
  for (const Index vertex : faces.reshaped()) ++ring_start_[vertex + 1];
  for (Index i = 0; i < vertex_count_; ++i) ring_start_[i + 1] += ring_start_[i];
  ring_.resize(static_cast<Index>(faces.size()));
  Array<Index> next = ring_start_;
  for (Eigen::Index k = 0; k < faces.cols(); ++k)
    for (const Index vertex : faces.col(k)) ring_[next[vertex]++] = static_cast<Index>(k);
}

Eigen::MatrixXd SurfaceInterpolation::from_vertices(const Eigen::MatrixXd& values) const {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(values.rows(), static_cast<Eigen::Index>(places_.size()));
  for (Eigen::Index i = 0; i < result.cols(); ++i) {
    const SurfacePoint& place = places_[static_cast<std::size_t>(i)];
    for (int c = 0; c < 3; ++c) result.col(i) += place.weights[c] * values.col(faces_(c, place.face));
  }
  return result;
}

template <class Neighbour>
Eigen::MatrixXd SurfaceInterpolation::reconstructed(const Eigen::MatrixXd& values, const Points& centres,
                                                    const Neighbour& neighbour) const {
  constexpr double flat = 1e-10;  // neighbours in one line determine the gradient along it only
  Eigen::MatrixXd result(values.rows(), static_cast<Eigen::Index>(places_.size()));
  for (Eigen::Index i = 0; i < result.cols(); ++i) {
    const SurfacePoint& place = places_[static_cast<std::size_t>(i)];
    const Index f = place.face;
    const Vector3 n = face_normal_.col(f), centre = centres.col(f), first = n.unitOrthogonal();
    Eigen::Matrix<double, 2, 3> plane;
    plane << first.transpose(), n.cross(first).transpose();
    std::set<Index> around;
    for (const Index vertex : faces_.col(f))
      around.insert(ring_.begin() + ring_start_[vertex], ring_.begin() + ring_start_[vertex + 1]);
    around.erase(f);
    Eigen::Matrix2d matrix = Eigen::Matrix2d::Zero();
    Eigen::Matrix2Xd right = Eigen::Matrix2Xd::Zero(2, values.rows());
    for (const Index j : around) {
      const Eigen::Vector2d d = plane * (centres.col(j) - centre);
      const double weight = d.squaredNorm();
      if (!(weight > 0)) continue;  // two sheets, one on the other
      matrix += d * d.transpose() / weight;
      const auto value = neighbour(j, f);
      for (Eigen::Index r = 0; r < values.rows(); ++r) right.col(r) += (value[r] - values(r, f)) / weight * d;
    }
    Eigen::CompleteOrthogonalDecomposition<Eigen::Matrix2d> solver;
    solver.setThreshold(flat);
    solver.compute(matrix);
    const Eigen::Matrix2Xd gradient = solver.solve(right);
    result.col(i) = values.col(f) + gradient.transpose() * (plane * (place.x - centre));
  }
  return result;
}

Eigen::MatrixXd SurfaceInterpolation::from_faces(const Eigen::MatrixXd& values, const Points& centres) const {
  return reconstructed(values, centres, [&](Index j, Index) { return values.col(j); });
}

Points SurfaceInterpolation::vectors_from_faces(const Points& vectors, const Points& centres) const {
  return reconstructed(vectors, centres, [&](Index j, Index f) {
    return turned(vectors.col(j), face_normal_.col(j), face_normal_.col(f));
  });
}

}  // namespace shoal
