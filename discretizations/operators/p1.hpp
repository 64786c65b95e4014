// Piecewise linear functions on triangles, and transfers between faces and vertices.
#pragma once

#include "discretizations/mesh/geometry.hpp"

namespace shoal {

/// Aₖ∇φ of the corner's hat function: ½ n × (edge opposite to the corner). −Aₖ∇φ is also the outward normal
/// times length of the part of the corner's dual cell boundary inside the face (Angst 2007, fig. 4.6 b).
inline Vector3 area_gradient(const Mesh& mesh, const Geometry& geometry, Index face, int corner) {
  const Vector3 opposite =
      geometry.corner(mesh, face, (corner + 2) % 3) - geometry.corner(mesh, face, (corner + 1) % 3);
  const Vector3 normal = geometry.face_normal.col(face);
  return 0.5 * normal.cross(opposite);
}

/// The velocity of the centroid ∫x dA/∫dA of the added faces, whose vertices move with ẋ: the mean
/// translation of a surface, unaffected by motions of points within it. For a periodic surface, which has no
/// centroid: the mean of ẋ.
class CentroidVelocity {
 public:
  /// Area, its rate of change, first moment, its rate of change.
  using Moments = Eigen::Matrix<double, 8, 1>;

  /// `origin`: a point near the faces, relative to which positions are taken, to avoid round-off of large
  /// positions.
  explicit CentroidVelocity(const Vector3& origin = Vector3::Zero()) : origin_(origin) {}

  Moments moments(const Mesh& mesh, const Geometry& geometry, Index face, const Points& velocity) const {
    Vector3 sum = Vector3::Zero();
    double growth = 0;
    for (int c = 0; c < 3; ++c) {
      const Vector3 at_corner = velocity.col(mesh.faces(c, face));
      sum += at_corner;
      growth += at_corner.dot(area_gradient(mesh, geometry, face, c));
    }
    if (mesh.periodic()) growth = 0;
    const double area = geometry.face_area[face];
    const Vector3 centroid = geometry.centroid(mesh, face) - origin_;
    Moments moments;
    moments << area, growth, area * centroid, area / 3 * sum + growth * centroid;
    return moments;
  }
  void add(const Moments& moments) { sums_ += moments; }
  Vector3 value() const { return (sums_.tail<3>() - sums_[1] / sums_[0] * sums_.segment<3>(2)) / sums_[0]; }

 private:
  Vector3 origin_;
  Moments sums_ = Moments::Zero();
};

/// centroid_velocity() of the whole surface, m/s.
Vector3 centroid_velocity(const Mesh& mesh, const Geometry& geometry, const Points& velocity);

/// The tangential part of a vector field a [3, nV] given at vertices, by its work along the edges,
///
///     aₖ = ⅓ Σ ½(aᵢ+aⱼ)·(xⱼ−xᵢ) (∇φⱼ−∇φᵢ)    over the three edges of face k.
///
/// It is exact for a constant field and zero for a field that points to the centre of a sphere. rates [2·nF]
/// = aₖ·∇φ꜀: those of c = 1 of all faces, then of c = 2; that of c = 0 is minus their sum.
void edge_work(const Mesh& mesh, const Vector& face_area, const Points& cotangent, const Points& x,
               const Points& a, Vector& rates);

/// Vorticity of a face-wise velocity [3, nF] at vertices: circulation around the dual cell over its area,
/// 1/s. On a wall the dual cell is closed along the wall, where the tangential velocity of the adjacent face
/// is used.
void vorticity_from_faces(const Mesh& mesh, const Geometry& geometry, const Points& velocity,
                          Vector& vorticity);

/// Area-weighted mean of the faces around each vertex.
void average_to_vertices(const Mesh& mesh, const Vector& face_area, const Vector& face_values,
                         Vector& vertex_values);

/// Mean of the three vertices of a face.
inline double face_mean(double a, double b, double c) {
  return (a + b + c) * (1.0 / 3.0);
}

/// Mean of the three vertices of each face.
void average_to_faces(const Mesh& mesh, const Vector& vertex_values, Vector& face_values);

}  // namespace shoal
