// Isotropic remeshing: the same surface with uniform, nearly equilateral triangles.
#pragma once

#include "discretizations/mesh/mesh.hpp"

#include <functional>

namespace shoal {

/// Points on a triangle surface: point i is Σ weights(c, i) times the position of vertex corners(c, i).
struct SurfacePlaces {
  Array<Index> face;  ///< [n]
  Faces corners;      ///< [3, n] the vertices of that face
  Points weights;     ///< [3, n] barycentric coordinates, ≥ 0 with sum 1
};

/// The point of a surface near `point`, on the side with a normal close to `normal` (unit).
using SurfaceProjection = std::function<Vector3(const Vector3& point, const Vector3& normal)>;

/// Exactly one of `edge_length` and `vertices` must be positive, the other zero.
struct RemeshOptions {
  double edge_length = 0;     ///< target L, m
  Index vertices = 0;         ///< exactly this many
  int sizing_rounds = 10;     ///< rounds of splits, collapses, flips towards six neighbours and relaxation
  int smoothing_rounds = 20;  ///< rounds of Delaunay flips and relaxation
  SurfaceProjection project;  ///< empty: closest point of the given surface
};

struct RemeshedSurface {
  Faces faces;  ///< [3, nF] oriented as given
  Points x;     ///< [3, nV]
  SurfacePlaces
      places;  ///< of the new vertices on the given surface; the nearest ones if projected elsewhere
};

/// Splits edges longer than 4/3 L, collapses those shorter than 4/5 L, flips, relaxes in the tangent planes and projects
/// back (Botsch & Kobbelt 2004, doi:10.1145/1057432.1057457); then flips to Delaunay and relaxes with a fixed number of vertices.
/// Preserves genus, orientation and the number of components. The same input gives the same bits.
/// Throws Error if the surface has a boundary, is periodic, or has a face without area, if the options are invalid, or if the surface
/// would fold with so few vertices.
RemeshedSurface remesh(const Mesh& mesh, const Points& x, const RemeshOptions& options);

/// [k, n] values at the places, interpolated linearly from `values` [k, nV] at the vertices of the given surface.
Eigen::MatrixXd transfer(const Eigen::MatrixXd& values, const SurfacePlaces& places);

}  // namespace shoal
