// Surfaces without a generator, made from generated ones.
#pragma once

#include "discretizations/mesh/loading/load_surface.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iomanip>
#include <vector>

namespace shoal::test {

/// Two equal unit spheres side by side, the second 5 m along x.
inline Surface two_spheres(const std::string& mesh) {
  const Surface one = load_surface(mesh);
  const auto vertices = static_cast<Index>(one.x.cols()), faces = one.mesh.face_count();
  Faces both(3, 2 * faces);
  Points x(3, 2 * vertices);
  both << one.mesh.faces, (one.mesh.faces.array() + vertices).matrix();
  x << one.x, one.x;
  x.rightCols(vertices).row(0).array() += 5;
  return make_surface("two spheres", "generated", both, x);
}

/// The triangles of a unit sphere with centres above z = 0: a hemisphere with a wall.
inline Surface hemisphere(const std::string& mesh) {
  const Surface sphere = load_surface(mesh);
  const Geometry geometry = make_geometry(sphere.mesh, sphere.x);
  std::vector<Index> kept;
  for (Index k = 0; k < sphere.mesh.face_count(); ++k)
    if (geometry.centroid(sphere.mesh, k).z() > 0) kept.push_back(k);
  return make_surface("half a sphere", "generated", sphere.mesh.faces(Eigen::all, kept), sphere.x);
}

/// The squares (i, j) of columns × rows for which keep(i, j), each cut into two triangles, with corners at map(side·(i, j, 0)). `map`
/// is a rotation or a reflection; the normal is +z in both cases if it maps the plane to itself.
inline Surface squares(
    Index columns, Index rows, double side,
    const std::function<bool(Index, Index)>& keep = [](Index, Index) { return true; },
    const Eigen::Matrix3d& map = Eigen::Matrix3d::Identity()) {
  Points x(3, (columns + 1) * (rows + 1));
  for (Index j = 0; j <= rows; ++j)
    for (Index i = 0; i <= columns; ++i) x.col(j * (columns + 1) + i) = map * Vector3(i * side, j * side, 0);
  std::vector<std::array<Index, 3>> kept;
  const bool flipped = map.determinant() < 0;
  for (Index j = 0; j < rows; ++j)
    for (Index i = 0; i < columns; ++i) {
      if (!keep(i, j)) continue;
      const Index a = j * (columns + 1) + i, b = a + 1, c = b + columns + 1, d = c - 1;
      for (const auto& [p, q, r] : {std::array{a, b, c}, std::array{a, c, d}})
        kept.push_back(flipped ? std::array{p, r, q} : std::array{p, q, r});
    }
  Faces faces(3, kept.size());
  for (std::size_t k = 0; k < kept.size(); ++k) faces.col(k) << kept[k][0], kept[k][1], kept[k][2];
  return make_surface("squares", "generated", faces, x);
}

/// Writes the surface as an OFF file with all digits.
inline void write_off(const Surface& surface, const std::filesystem::path& path) {
  std::ofstream file(path);
  file << "OFF\n" << surface.x.cols() << " " << surface.mesh.face_count() << " 0\n" << std::setprecision(17);
  for (Index i = 0; i < surface.x.cols(); ++i) file << surface.x.col(i).transpose() << "\n";
  for (Index k = 0; k < surface.mesh.face_count(); ++k)
    file << "3 " << surface.mesh.faces.col(k).transpose() << "\n";
}

}  // namespace shoal::test
