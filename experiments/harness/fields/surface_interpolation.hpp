// Values of the fields of a triangle surface at points on or near it, to second order in the edge length.
#pragma once

#include "discretizations/mesh/closest_point.hpp"

namespace shoal {

/// The points on `x`, `faces` that are closest to given points. A point on the wrong side of a thin sheet is avoided by the normals.
class SurfaceInterpolation {
 public:
  /// `points` [3, n] and the outward normals `normals` [3, n] there, or no normals; m. Throws Error if a
  /// position is not finite.
  SurfaceInterpolation(const Faces& faces, const Points& x, const Points& points, const Points& normals = {});

  /// The distances of the points from the surface, m.
  const Vector& distance() const { return distance_; }
  /// The unit normals of the faces of the closest points.
  const Points& normal() const { return normal_; }

  /// [k, n] from values [k, nV] at the vertices, linear in each triangle. Exact for linear functions on a plane.
  Eigen::MatrixXd from_vertices(const Eigen::MatrixXd& values) const;

  /// [k, n] from values [k, nF] of the triangles at the points `centres` [3, nF] of their planes:
  ///
  ///     v_f + g·(x − c_f),    g = argmin Σ |v_j − v_f − g·d_j|²/|d_j|²,    d_j = c_j − c_f in the plane of f,
  ///
  /// over the triangles j that share a vertex with f. Exact for linear functions on a plane, at boundaries too; not limited, so that
  /// values beside a jump overshoot as any linear interpolation of a mesh does.
  Eigen::MatrixXd from_faces(const Eigen::MatrixXd& values, const Points& centres) const;

  /// The same for tangential vectors [3, nF]: each is turned into the plane of f first, by the least rotation.
  Points vectors_from_faces(const Points& vectors, const Points& centres) const;

 private:
  template <class Neighbour>
  Eigen::MatrixXd reconstructed(const Eigen::MatrixXd& values, const Points& centres,
                                const Neighbour& neighbour) const;

  Faces faces_;
  Index vertex_count_;
  Points face_normal_, normal_;
  std::vector<SurfacePoint> places_;
  Vector distance_;
  Array<Index> ring_start_, ring_;  // the faces at each vertex
};

/// `vector` turned by the least rotation that takes the unit vector `from` to `to`.
Vector3 turned(const Vector3& vector, const Vector3& from, const Vector3& to);

}  // namespace shoal
