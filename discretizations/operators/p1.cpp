// Vorticity and means between faces and vertices.
#include "discretizations/operators/p1.hpp"

#include "discretizations/mesh/whole.hpp"

namespace shoal {

Vector3 centroid_velocity(const Mesh& mesh, const Geometry& geometry, const Points& velocity) {
  CentroidVelocity result(first_point(mesh, geometry.x));
  result.add(sum(mesh, Location::face, [&](Index k) { return result.moments(mesh, geometry, k, velocity); }));
  return result.value();
}

void vorticity_from_faces(const Mesh& mesh, const Geometry& geometry, const Points& velocity,
                          Vector& vorticity) {
  vorticity.setZero(mesh.vertex_count);
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 rotated = Vector3(velocity.col(k)).cross(Vector3(geometry.face_normal.col(k)));
    // v·(n × outward) = (v × n)·outward
    for (int c = 0; c < 3; ++c)
      vorticity[mesh.faces(c, k)] -= rotated.dot(area_gradient(mesh, geometry, k, c));
  }
  for (Index e = 0; e < mesh.edge_count(); ++e) {
    if (!mesh.is_wall(e)) continue;
    const Index tail = mesh.edges(0, e), head = mesh.edges(1, e);
    const double along = velocity.col(mesh.edge_faces(0, e)).dot(geometry.edge_vector(mesh, e));
    vorticity[tail] += 0.5 * along;
    vorticity[head] += 0.5 * along;
  }
  vorticity.array() /= geometry.vertex_area.array();
}

void average_to_vertices(const Mesh& mesh, const Vector& face_area, const Vector& face_values,
                         Vector& vertex_values) {
  vertex_values.setZero(mesh.vertex_count);
  Vector area = Vector::Zero(mesh.vertex_count);
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      area[mesh.faces(c, k)] += face_area[k];
      vertex_values[mesh.faces(c, k)] += face_area[k] * face_values[k];
    }
  vertex_values.array() /= area.array();
}

void average_to_faces(const Mesh& mesh, const Vector& vertex_values, Vector& face_values) {
  face_values.resize(mesh.face_count());
  for (Index k = 0; k < mesh.face_count(); ++k)
    face_values[k] = face_mean(vertex_values[mesh.faces(0, k)], vertex_values[mesh.faces(1, k)],
                               vertex_values[mesh.faces(2, k)]);
}

void edge_work(const Mesh& mesh, const Vector& face_area, const Points& cotangent, const Points& x,
               const Points& a, Vector& rates) {
  const Index faces = mesh.face_count();
  rates.resize(2 * faces);
  for (Index k = 0; k < faces; ++k) {
    // ∇φ꜀·∇φ_d = −cot/(2A) of the third corner, and each row sums to zero.
    const Vector3 metric = -cotangent.col(k) / (2 * face_area[k]);
    const auto product = [&](int c, int d) {
      return c == d ? -metric[(c + 1) % 3] - metric[(c + 2) % 3] : metric[3 - c - d];
    };
    double first = 0, second = 0;
    for (int c = 0; c < 3; ++c) {
      const int d = (c + 1) % 3;
      const Index i = mesh.faces(c, k), j = mesh.faces(d, k);
      Vector3 along = x.col(j) - x.col(i);
      if (mesh.periodic())
        along +=
            mesh.corner_shift.col(3 * Eigen::Index{k} + d) - mesh.corner_shift.col(3 * Eigen::Index{k} + c);
      const double work = 0.5 * (a.col(i) + a.col(j)).dot(along);
      first += work * (product(d, 1) - product(c, 1));
      second += work * (product(d, 2) - product(c, 2));
    }
    rates[k] = first / 3;
    rates[faces + k] = second / 3;
  }
}

}  // namespace shoal
