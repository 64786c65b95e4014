// Triangle meshes of surfaces given as zero sets.
#pragma once

#include "discretizations/mesh/remeshing/remesh.hpp"

namespace shoal {

/// The surface f = 0 inside a box; f is negative inside the body and similar to a signed distance near its surface: smooth
/// enough for Newton's method, with |∇f| of order 1.
struct ImplicitSurface {
  ScalarField f;
  Vector3 low, high;  ///< the box, m; the body lies strictly inside
};

struct TriangleList {
  Faces faces;  ///< [3, nF] counter-clockwise from outside
  Points x;     ///< [3, nV]
};

/// Marching tetrahedra (Doi & Koide 1991) on a regular grid of cubes of edge `cell`, each split into six along its long diagonal: always a
/// closed manifold, with the topology of the linear interpolant of f. Parts thinner than `cell` may be lost, and gaps closed. Throws
/// Error if the surface extends beyond the box or there is none.
TriangleList march_tetrahedra(const ImplicitSurface& surface, double cell);

/// Newton's method along the gradient, x ← x − f ∇f/|∇f|², with a finite-difference gradient and steps of at most `scale`, the size of the
/// surface's details, until |f| < 10⁻¹⁰ `scale`. Returns `start` if ten steps are not enough.
Vector3 project_to_zero(const ScalarField& f, const Vector3& start, double scale);

/// Remeshes the result of march_tetrahedra() on the zero set; `options.project` is ignored. The places refer to the marched surface.
RemeshedSurface mesh_implicit_surface(const ImplicitSurface& surface, double cell, RemeshOptions options);

}  // namespace shoal
