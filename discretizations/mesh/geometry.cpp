// Areas, normals, lengths and cotangents of a surface.
#include "discretizations/mesh/geometry.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/part.hpp"
#include "discretizations/mesh/whole.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace shoal {
namespace {

/// cot = (u·w)/|u×w| of the two edges u, w that leave a corner; |u×w| is twice the area at all three.
void measure_faces(const Mesh& mesh, Geometry& geometry) {
  const double* __restrict x = geometry.x.data();
  const Index* __restrict corners = mesh.faces.data();
  double *__restrict normal = geometry.face_normal.data(), *__restrict area = geometry.face_area.data(),
                     *__restrict cotangent = geometry.cotangent.data();
  parallel_for(mesh.face_count(), [=](Index first, Index last) {
#pragma omp simd
    for (Index k = first; k < last; ++k) {
      const std::int64_t a = 3 * std::int64_t{corners[3 * k]}, b = 3 * std::int64_t{corners[3 * k + 1]},
                         c = 3 * std::int64_t{corners[3 * k + 2]};
      const double bx = x[b] - x[a], by = x[b + 1] - x[a + 1], bz = x[b + 2] - x[a + 2];
      const double cx = x[c] - x[a], cy = x[c + 1] - x[a + 1], cz = x[c + 2] - x[a + 2];
      const double nx = by * cz - bz * cy, ny = bz * cx - bx * cz, nz = bx * cy - by * cx;
      const double twice_area = std::sqrt(nx * nx + ny * ny + nz * nz), inverse = 1 / twice_area;
      const double dx = cx - bx, dy = cy - by, dz = cz - bz;
      normal[3 * k] = nx * inverse;
      normal[3 * k + 1] = ny * inverse;
      normal[3 * k + 2] = nz * inverse;
      area[k] = 0.5 * twice_area;
      cotangent[3 * k] = (bx * cx + by * cy + bz * cz) * inverse;
      cotangent[3 * k + 1] = -(bx * dx + by * dy + bz * dz) * inverse;
      cotangent[3 * k + 2] = (cx * dx + cy * dy + cz * dz) * inverse;
    }
  });
}

/// The same for meshes with faces across a periodic seam.
void measure_periodic_faces(const Mesh& mesh, Geometry& geometry) {
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 a = geometry.corner(mesh, k, 0), b = geometry.corner(mesh, k, 1),
                  c = geometry.corner(mesh, k, 2);
    const Vector3 normal = (b - a).cross(c - a);
    const double twice_area = normal.norm();
    geometry.face_normal.col(k) = normal / twice_area;
    geometry.face_area[k] = 0.5 * twice_area;
    geometry.cotangent.col(k) << (b - a).dot(c - a), (a - b).dot(c - b), (a - c).dot(b - c);
    geometry.cotangent.col(k) /= twice_area;
  }
}

void measure_vertices(const Mesh& mesh, Geometry& geometry) {
  const double* __restrict face_area = geometry.face_area.data();
  double* __restrict area = geometry.vertex_area.data();
  const Index *start = mesh.ring_start.data(), *corner = mesh.ring_corner.data();
  parallel_for(mesh.vertex_count, [=](Index first, Index last) {
    for (Index i = first; i < last; ++i) {
      double sum = 0;
      for (Index j = start[i]; j < start[i + 1]; ++j) sum += face_area[corner[j] / 3];
      area[i] = sum / 3;
    }
  });
}

void measure_edges(const Mesh& mesh, Geometry& geometry) {
  const double* __restrict x = geometry.x.data();
  const Index* __restrict ends = mesh.edges.data();
  double* __restrict length = geometry.edge_length.data();
  parallel_for(mesh.edge_count(), [=](Index first, Index last) {
#pragma omp simd
    for (Index e = first; e < last; ++e) {
      const double *tail = x + 3 * std::int64_t{ends[2 * e]}, *head = x + 3 * std::int64_t{ends[2 * e + 1]};
      const double dx = head[0] - tail[0], dy = head[1] - tail[1], dz = head[2] - tail[2];
      length[e] = std::sqrt(dx * dx + dy * dy + dz * dz);
    }
  });
}

/// The number of an element in the whole surface.
Index in_whole(const Mesh& mesh, Location at, Index element) {
  return mesh.part ? mesh.part->in_whole(at)[element] : element;
}

/// Throws Error naming the first own face without area; NaN counts as no area.
void check_areas(const Mesh& mesh, const Vector& area) {
  bool sound = true;
  for (const double a : area) sound &= a > 0 && a < std::numeric_limits<double>::infinity();
  if (sound) return;
  const Range faces = own(mesh, Location::face);
  for (Index face = faces.begin; face < faces.begin + faces.count; ++face)
    if (!(area[face] > 0 && std::isfinite(area[face])))
      throw Error(fmt::format("face {} is degenerate: its area is {}", in_whole(mesh, Location::face, face),
                              area[face]));
}

/// The same for vertices, without coordinates that are not finite.
void check_positions(const Mesh& mesh, const Points& x) {
  if (!mesh.part) return shoal::check_positions(x);
  const Range vertices = own(mesh, Location::vertex);
  for (Index i = vertices.begin; i < vertices.begin + vertices.count; ++i)
    if (!x.col(i).allFinite())
      throw Error(fmt::format("vertex {} is not finite: ({}, {}, {})", in_whole(mesh, Location::vertex, i),
                              x(0, i), x(1, i), x(2, i)));
}

}  // namespace

void check_positions(const Points& x) {
  double sum = 0;  // sum of zeros, or NaN
  const double* coordinate = x.data();
#pragma omp simd reduction(+ : sum)
  for (Eigen::Index i = 0; i < x.size(); ++i) sum += 0 * coordinate[i];
  if (sum == 0) return;
  for (Eigen::Index i = 0; i < x.cols(); ++i)
    if (!x.col(i).allFinite())
      throw Error(fmt::format("vertex {} is not finite: ({}, {}, {})", i, x(0, i), x(1, i), x(2, i)));
}

void compute_geometry(const Mesh& mesh, const Points& x, Geometry& geometry) {
  if (x.cols() != mesh.vertex_count)
    throw Error(fmt::format("{} positions for {} vertices", x.cols(), mesh.vertex_count));
  check_positions(mesh, x);
  geometry.x = x;
  geometry.face_normal.resize(3, mesh.face_count());
  geometry.face_area.resize(mesh.face_count());
  geometry.cotangent.resize(3, mesh.face_count());
  geometry.vertex_area.resize(mesh.vertex_count);
  geometry.edge_length.resize(mesh.edge_count());
  mesh.periodic() ? measure_periodic_faces(mesh, geometry) : measure_faces(mesh, geometry);
  check_areas(mesh, geometry.face_area);
  measure_vertices(mesh, geometry);
  if (mesh.periodic())
    for (Index e = 0; e < mesh.edge_count(); ++e)
      geometry.edge_length[e] = geometry.edge_vector(mesh, e).norm();
  else
    measure_edges(mesh, geometry);
}

Geometry make_geometry(const Mesh& mesh, const Points& x) {
  Geometry geometry;
  compute_geometry(mesh, x, geometry);
  return geometry;
}

void vertex_normals(const Mesh& mesh, const Geometry& geometry, Points& normals) {
  normals.setZero(3, mesh.vertex_count);
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Vector3 area = geometry.face_area[k] * geometry.face_normal.col(k);
    for (int c = 0; c < 3; ++c) {
      const double to_next = geometry.edge_length[mesh.face_edges((c + 2) % 3, k)],
                   to_last = geometry.edge_length[mesh.face_edges((c + 1) % 3, k)];
      normals.col(mesh.faces(c, k)) += area / (to_next * to_next * to_last * to_last);
    }
  }
  for (Index i = 0; i < mesh.vertex_count; ++i) normals.col(i).normalize();
}

}  // namespace shoal
