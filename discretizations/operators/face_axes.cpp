// Corners of triangles in their own planes.
#include "discretizations/operators/face_axes.hpp"

namespace shoal {

void FaceAxes::refresh(const Mesh& mesh, const Geometry& geometry) {
  const Index faces = mesh.face_count();
  for (Vector* v : {&first, &second_1, &second_2}) v->resize(faces);
  for (Index k = 0; k < faces; ++k) {
    const Vector3 origin = geometry.x.col(mesh.faces(0, k));
    const Vector3 one = geometry.x.col(mesh.faces(1, k)) - origin;
    const Vector3 two = geometry.x.col(mesh.faces(2, k)) - origin;
    first[k] = one.norm();
    second_1[k] = one.dot(two) / first[k];
    second_2[k] = 2 * geometry.face_area[k] / first[k];
  }
}

}  // namespace shoal
