// The water on a mesh as one closed body for drawing, and the pool that contains it.
#pragma once

#include "reference/renderer/picture.hpp"
#include "solvers/coupling/fluid_surface.hpp"

namespace shoal {

/// Turns the water surface (FluidSurface) into a transparent body.
///
/// On a closed mesh the body is drawn filled: it extends from the front sheet inwards, and where the sheet ends in a line, a cap over
/// the line's centre closes it. On a mesh with walls it extends down to the bed, x − H n, instead of the back sheet.
class WaterVolume {
 public:
  /// Keeps a reference to the mesh. Throws Error as FluidSurface does. The option `back` is not used.
  WaterVolume(const Mesh& mesh, FluidSurfaceOptions options);

  /// For positions x [3, nV], outward unit normals [3, nV], depth η and bed depth H [nV], m; elevations h = η − H are drawn
  /// `exaggeration` times as high, and the front sheet is shifted by `shift` [3, nV], m, which may have no columns. Empty if nothing is
  /// wet.
  PictureMesh update(const Points& x, const Points& normals, const Vector& depth, const Vector& bed_depth,
                     double exaggeration = 1, const Points& shift = Points(3, 0));

 private:
  void add_caps(PictureMesh& body) const;

  bool closed_;
  FluidSurfaceOptions options_;
  FluidSurface surface_;
};

/// The bed x − H n of a mesh with walls, and the walls from the bed to `rim` (m) above the surface at rest, facing inwards.
PictureMesh pool_mesh(const Mesh& mesh, const Points& x, const Points& normals, const Vector& bed_depth,
                      double rim);

}  // namespace shoal
