// The water on a mesh as one closed body to look at, and the pool that it lies in.
#pragma once

#include "reference/renderer/picture.hpp"
#include "solvers/coupling/fluid_surface.hpp"

namespace shoal {

/// From the surface of the water (FluidSurface) to a body that light passes through.
///
/// On a closed mesh the body is filled: it reaches from the front sheet inwards, and a cap closes it where that ends in a line,
/// over the line's middle. On a mesh with walls it reaches down to the bed, x − H n, in place of the back sheet.
class WaterVolume {
 public:
  /// Keeps a reference to the mesh. Throws Error as FluidSurface does. Of the options `back` is not used.
  WaterVolume(const Mesh& mesh, FluidSurfaceOptions options);

  /// For positions x [3, nV], outward unit normals [3, nV], depth η and bed depth H [nV], m; elevations h = η − H are drawn
  /// `exaggeration` times as high. Empty where nothing is wet.
  PictureMesh update(const Points& x, const Points& normals, const Vector& depth, const Vector& bed_depth,
                     double exaggeration = 1);

 private:
  void add_caps(PictureMesh& body) const;

  bool closed_;
  FluidSurfaceOptions options_;
  FluidSurface surface_;
};

/// The bed x − H n of a mesh with walls, and its walls from the bed to `rim` (m) above the surface at rest, seen from inside.
PictureMesh pool_mesh(const Mesh& mesh, const Points& x, const Points& normals, const Vector& bed_depth,
                      double rim);

}  // namespace shoal
