// Latitude–longitude spheres, boxes and arrows.
#include "reference/renderer/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {

PictureMesh sphere_mesh(double radius, int rings) {
  const int around = 2 * rings;
  PictureMesh mesh;
  mesh.normals.resize(3, (rings + 1) * around);
  mesh.faces.resize(3, 2 * rings * around);
  Index face = 0;
  for (int i = 0; i <= rings; ++i) {
    const double polar = std::numbers::pi * i / rings;
    for (int j = 0; j < around; ++j) {
      const double azimuth = 2 * std::numbers::pi * j / around;
      mesh.normals.col(i * around + j) << std::sin(polar) * std::cos(azimuth),
          std::sin(polar) * std::sin(azimuth), std::cos(polar);
      if (i == rings) continue;
      const Index here = i * around + j, next = i * around + (j + 1) % around;
      mesh.faces.col(face++) << here, here + around, next;
      mesh.faces.col(face++) << next, here + around, next + around;
    }
  }
  mesh.x = radius * mesh.normals;
  return mesh;
}

PictureMesh box_mesh(const Vector3& edges) {
  PictureMesh mesh;
  mesh.x.resize(3, 24);
  mesh.normals.resize(3, 24);
  mesh.faces.resize(3, 12);
  Index corner = 0, face = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (const double side : {-1.0, 1.0}) {
      const Vector3 out = side * Vector3::Unit(axis), first = Vector3::Unit((axis + 1) % 3),
                    second = out.cross(first);
      const Index begin = corner;
      for (const auto& [a, b] : {std::pair(-1, -1), {1, -1}, {1, 1}, {-1, 1}}) {
        mesh.x.col(corner) = 0.5 * (out + a * first + b * second).cwiseProduct(edges);
        mesh.normals.col(corner++) = out;
      }
      mesh.faces.col(face++) << begin, begin + 1, begin + 2;
      mesh.faces.col(face++) << begin, begin + 2, begin + 3;
    }
  return mesh;
}

PictureMesh arrow_mesh(const Points& from, const Points& arrow, double width) {
  constexpr int sides = 5;
  PictureMesh mesh;
  mesh.x.resize(3, from.cols() * (3 * sides + 1));
  mesh.faces.resize(3, from.cols() * 5 * sides);
  Index vertex = 0, face = 0;
  for (Eigen::Index i = 0; i < from.cols(); ++i) {
    const double length = arrow.col(i).norm();
    if (!(length > 0)) continue;
    const Vector3 along = arrow.col(i) / length, first = along.unitOrthogonal(), second = along.cross(first);
    const double head = std::min(3.5 * width, 0.5 * length),
                 thick = std::min(1.0, head / (3.5 * width)) * width;
    const Index tail = vertex, neck = tail + sides, brim = neck + sides, tip = brim + sides;
    for (int ring = 0; ring < 3; ++ring)
      for (int j = 0; j < sides; ++j) {
        const double angle = 2 * std::numbers::pi * j / sides, radius = (ring == 2 ? 1.4 : 0.5) * thick;
        mesh.x.col(vertex++) = Vector3(from.col(i)) + (ring == 0 ? 0 : length - head) * along +
                               radius * (std::cos(angle) * first + std::sin(angle) * second);
      }
    mesh.x.col(vertex++) = Vector3(from.col(i)) + length * along;
    for (int j = 0; j < sides; ++j) {
      const int next = (j + 1) % sides;
      for (const Index ring : {tail, neck}) {
        mesh.faces.col(face++) << ring + j, ring + next, ring + sides + next;
        mesh.faces.col(face++) << ring + j, ring + sides + next, ring + sides + j;
      }
      mesh.faces.col(face++) << brim + j, brim + next, tip;
    }
  }
  mesh.x.conservativeResize(3, vertex);
  mesh.faces.conservativeResize(3, face);
  return mesh;
}

}  // namespace shoal
