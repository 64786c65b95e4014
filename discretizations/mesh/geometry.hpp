// Geometry of a surface at one instant, apart from its connectivity.
#pragma once

#include "discretizations/mesh/mesh.hpp"

#include <Eigen/Geometry>

namespace shoal {

/// Everything metric that schemes share. All arrays are flat and keep their storage when refreshed.
struct Geometry {
  Points x;            ///< [3, nV] m
  Points face_normal;  ///< [3, nF] unit, outward
  Vector face_area;    ///< [nF] Aₖ, m²
  Vector vertex_area;  ///< [nV] Aᵢ = Σ Aₖ/3, barycentric dual cell, m²
  Vector edge_length;  ///< [nE] m
  Points cotangent;    ///< [3, nF] cotangent of the angle at corner c

  Vector3 centroid(const Mesh& mesh, Index face) const {
    return (x.col(mesh.faces(0, face)) + x.col(mesh.faces(1, face)) + x.col(mesh.faces(2, face))) / 3.0;
  }
  double total_area() const { return face_area.sum(); }
};

/// [3, nV] unit: the mean of the faces around each vertex, by area. Allocates only when the sizes change.
void vertex_normals(const Mesh& mesh, const Geometry& geometry, Points& normals);

/// Throws Error naming the vertex that is not finite.
void check_positions(const Points& x);

/// Refreshes `geometry` for positions x [3, nV]; allocates only when the sizes change.
/// Throws Error naming the face if one has no area, or the vertex if a position is not finite.
void compute_geometry(const Mesh& mesh, const Points& x, Geometry& geometry);
Geometry make_geometry(const Mesh& mesh, const Points& x);

}  // namespace shoal
