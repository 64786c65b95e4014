// The geometry of a surface at one instant, separate from its connectivity.
#pragma once

#include "discretizations/mesh/mesh.hpp"

#include <Eigen/Geometry>

namespace shoal {

/// The metric quantities shared by schemes. All arrays are flat and keep their storage when recomputed.
struct Geometry {
  Points x;            ///< [3, nV] m
  Points face_normal;  ///< [3, nF] unit, outward
  Vector face_area;    ///< [nF] Aₖ, m²
  Vector vertex_area;  ///< [nV] Aᵢ = Σ Aₖ/3, barycentric dual cell, m²
  Vector edge_length;  ///< [nE] m
  Points cotangent;    ///< [3, nF] cotangent of the angle at corner c

  /// The position of a corner of a face: that of its vertex, shifted by a lattice vector if the face crosses a periodic seam.
  Vector3 corner(const Mesh& mesh, Index face, int corner) const {
    const Vector3 at = x.col(mesh.faces(corner, face));
    return mesh.periodic() ? Vector3(at + mesh.corner_shift.col(3 * Eigen::Index{face} + corner)) : at;
  }
  Vector3 centroid(const Mesh& mesh, Index face) const {
    if (mesh.periodic()) return (corner(mesh, face, 0) + corner(mesh, face, 1) + corner(mesh, face, 2)) / 3.0;
    return (x.col(mesh.faces(0, face)) + x.col(mesh.faces(1, face)) + x.col(mesh.faces(2, face))) / 3.0;
  }
  /// The vector from tail to head, m.
  Vector3 edge_vector(const Mesh& mesh, Index edge) const {
    const Vector3 along = x.col(mesh.edges(1, edge)) - x.col(mesh.edges(0, edge));
    return mesh.periodic() ? Vector3(along + mesh.edge_shift.col(edge)) : along;
  }
  /// The midpoint of the edge, m, in the periodic copy of the face on this side.
  Vector3 edge_middle(const Mesh& mesh, Index edge, int side) const {
    if (!mesh.periodic()) return 0.5 * (x.col(mesh.edges(0, edge)) + x.col(mesh.edges(1, edge)));
    const Index face = mesh.edge_faces(side, edge);
    int c = 0;
    while (mesh.face_edges(c, face) != edge) ++c;
    return 0.5 * (corner(mesh, face, (c + 1) % 3) + corner(mesh, face, (c + 2) % 3));
  }
  double total_area() const { return face_area.sum(); }
};

/// [3, nV] unit normals: Σ A n/(a²b²) over the faces around each vertex, with their edge lengths a and b there. Exact if a vertex and its
/// neighbours lie on a sphere (Max 1999, doi:10.1080/10867651.1999.10487501); area weighting would be first order. Allocates
/// only when sizes change.
void vertex_normals(const Mesh& mesh, const Geometry& geometry, Points& normals);

/// Throws Error naming the vertex if a position is not finite.
void check_positions(const Points& x);

/// Recomputes `geometry` for positions x [3, nV]; allocates only when sizes change.
/// Throws Error naming the face if one has no area, or the vertex if a position is not finite.
void compute_geometry(const Mesh& mesh, const Points& x, Geometry& geometry);
Geometry make_geometry(const Mesh& mesh, const Points& x);

}  // namespace shoal
