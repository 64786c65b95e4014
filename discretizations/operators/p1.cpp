// Vorticity and means between faces and vertices.
#include "discretizations/operators/p1.hpp"

namespace shoal {

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
    const double along = velocity.col(mesh.edge_faces(0, e)).dot(geometry.x.col(head) - geometry.x.col(tail));
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

}  // namespace shoal
