// The effect of the motion of a mesh on the fluid. Let x(q, t) be the surface, ẋ its velocity at a fixed mesh point, v the
// fluid velocity relative to it, u = ẋ + v the absolute velocity and U_β = u·∂_βx its covariant components. The
// acceleration a of a fluid particle is
//
//     a·∂_βx = ∂_t U_β + (i_v dU)_β + ∂_β(½|v|² − ½|ẋ|²)
//     a·n    = ẍ·n + 2 vᵅ n·∂_αẋ + II(v, v)
//
// for any motion. Without forces, U along an edge is invariant when the mesh moves; velocities are transferred this way
// (Discretization::lower). The remaining terms, on a fixed mesh with ẋ as a field on it, are
//
//     v_t = −(ζ + ζ_ẋ) n×v − ∇½|v|² + ∇½|ẋ|²,    ζ_ẋ = n·∇×ẋ:
//
// a Coriolis term and a force. They include the Euler, Coriolis and centrifugal forces of a rotating surface.
#pragma once

#include "discretizations/operators/face_frame.hpp"

namespace shoal {

/// ζ_ẋ = (1/A) ∮ ẋ·dx around a face, 1/s, with ẋ linear between the vertices.
inline double face_vorticity(const Mesh& mesh, const Geometry& geometry, Index face,
                             const Points& surface_velocity) {
  double circulation = 0;
  for (int c = 0; c < 3; ++c) {
    const Index i = mesh.faces(c, face), j = mesh.faces((c + 1) % 3, face);
    circulation += 0.5 * (surface_velocity.col(i) + surface_velocity.col(j))
                             .dot(geometry.corner(mesh, face, (c + 1) % 3) - geometry.corner(mesh, face, c));
  }
  return circulation / geometry.face_area[face];
}

/// The mean velocity of the corners.
inline Vector3 face_velocity(const Mesh& mesh, Index face, const Points& surface_velocity) {
  return (surface_velocity.col(mesh.faces(0, face)) + surface_velocity.col(mesh.faces(1, face)) +
          surface_velocity.col(mesh.faces(2, face))) /
         3.0;
}

/// ∇½|ẋ|² of values at the corners, in the frame of the face, m/s².
inline Tangent centrifugal_force(const Mesh& mesh, const FaceFrame& frame, Index face,
                                 const Points& surface_velocity) {
  const auto head = [&](int c) { return 0.5 * surface_velocity.col(mesh.faces(c, face)).squaredNorm(); };
  return frame.raised({head(1) - head(0), head(2) - head(0)});
}

}  // namespace shoal
