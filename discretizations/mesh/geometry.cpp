// Areas, normals, lengths and cotangents of a surface.
#include "discretizations/mesh/geometry.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {
namespace {

/// cot = (u·w)/|u×w| of the two edges u, w that leave a corner; |u×w| is twice the area at all three.
void set_face(const Mesh& mesh, Index face, Geometry& geometry) {
  const Vector3 a = geometry.x.col(mesh.faces(0, face));
  const Vector3 ab = geometry.x.col(mesh.faces(1, face)) - a;
  const Vector3 ac = geometry.x.col(mesh.faces(2, face)) - a;
  const Vector3 cross = ab.cross(ac);
  const double twice_area = cross.norm();
  // Written so that NaN is refused too.
  if (!(twice_area > 0 && std::isfinite(twice_area)))
    throw Error(fmt::format("face {} is degenerate: its area is {}", face, 0.5 * twice_area));
  const Vector3 bc = ac - ab;
  geometry.face_normal.col(face) = cross / twice_area;
  geometry.face_area[face] = 0.5 * twice_area;
  geometry.cotangent(0, face) = ab.dot(ac) / twice_area;
  geometry.cotangent(1, face) = -ab.dot(bc) / twice_area;
  geometry.cotangent(2, face) = ac.dot(bc) / twice_area;
}

}  // namespace

void check_positions(const Points& x) {
  for (Eigen::Index i = 0; i < x.cols(); ++i)
    if (!x.col(i).allFinite())
      throw Error(fmt::format("vertex {} is not finite: ({}, {}, {})", i, x(0, i), x(1, i), x(2, i)));
}

void compute_geometry(const Mesh& mesh, const Points& x, Geometry& geometry) {
  if (x.cols() != mesh.vertex_count)
    throw Error(fmt::format("{} positions for {} vertices", x.cols(), mesh.vertex_count));
  check_positions(x);
  geometry.x = x;
  geometry.face_normal.resize(3, mesh.face_count());
  geometry.face_area.resize(mesh.face_count());
  geometry.cotangent.resize(3, mesh.face_count());
  geometry.vertex_area.resize(mesh.vertex_count);
  geometry.edge_length.resize(mesh.edge_count());

  geometry.vertex_area.setZero();
  for (Index face = 0; face < mesh.face_count(); ++face) {
    set_face(mesh, face, geometry);
    for (int c = 0; c < 3; ++c) geometry.vertex_area[mesh.faces(c, face)] += geometry.face_area[face] / 3.0;
  }
  for (Index edge = 0; edge < mesh.edge_count(); ++edge)
    geometry.edge_length[edge] = (x.col(mesh.edges(1, edge)) - x.col(mesh.edges(0, edge))).norm();
}

Geometry make_geometry(const Mesh& mesh, const Points& x) {
  Geometry geometry;
  compute_geometry(mesh, x, geometry);
  return geometry;
}

void vertex_normals(const Mesh& mesh, const Geometry& geometry, Points& normals) {
  normals.setZero(3, mesh.vertex_count);
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c)
      normals.col(mesh.faces(c, k)) += geometry.face_area[k] * geometry.face_normal.col(k);
  for (Index i = 0; i < mesh.vertex_count; ++i) normals.col(i).normalize();
}

}  // namespace shoal
