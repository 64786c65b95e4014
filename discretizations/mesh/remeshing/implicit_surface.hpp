// Triangle meshes of surfaces that are given as zero sets.
#pragma once

#include "discretizations/mesh/remeshing/remesh.hpp"

namespace shoal {

/// The surface f = 0 inside a box; f is negative inside the body, and like a signed distance near its surface: smooth
/// enough for Newton's method, |∇f| of the order of 1.
struct ImplicitSurface {
  ScalarField f;
  Vector3 low, high;  ///< the box, m; the body lies strictly inside
};

struct TriangleList {
  Faces faces;  ///< [3, nF] counter-clockwise from outside
  Points x;     ///< [3, nV]
};

/// Marching tetrahedra (Doi & Koide 1991) on a regular grid whose cubes of edge `cell` are cut into six along their long
/// diagonals: always a closed manifold, with the topology of f interpolated linearly. Parts thinner than `cell` may be
/// lost, gaps closed. Throws Error if the surface leaves the box or there is none.
TriangleList march_tetrahedra(const ImplicitSurface& surface, double cell);

/// Newton's method along the gradient, x ← x − f ∇f/|∇f|², the gradient by differences, each step at most `scale`, the
/// size of the surface's details, until |f| < 10⁻¹⁰ `scale`. Returns the start where ten steps do not reach that.
Vector3 project_to_zero(const ScalarField& f, const Vector3& start, double scale);

/// The marched tetrahedra remeshed on the zero set; `options.project` is not looked at. The places are those on the
/// marched surface.
RemeshedSurface mesh_implicit_surface(const ImplicitSurface& surface, double cell, RemeshOptions options);

}  // namespace shoal
