// Meshes of simple shapes.
#pragma once

#include "reference/renderer/picture.hpp"

namespace shoal {

/// Centred at the origin, with rings from pole to pole; `rings` ≥ 2.
PictureMesh sphere_mesh(double radius, int rings = 32);
/// Centred at the origin, with edges of these lengths and one normal per side.
PictureMesh box_mesh(const Vector3& edges);
/// An arrow from each column of `from` along the same column of `arrow`: a three-sided shaft and head, `width` thick.
PictureMesh arrow_mesh(const Points& from, const Points& arrow, double width);

}  // namespace shoal
