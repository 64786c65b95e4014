// Meshes of simple bodies, for pictures.
#pragma once

#include "reference/renderer/picture.hpp"

namespace shoal {

/// Around the origin, of rings from pole to pole; `rings` ≥ 2.
PictureMesh sphere_mesh(double radius, int rings = 32);
/// Around the origin, with edges of these lengths and sharp normals.
PictureMesh box_mesh(const Vector3& edges);
/// From each column of `from` along the same column of `arrow`, a shaft and a head: flat, three-sided, `width` thick.
PictureMesh arrow_mesh(const Points& from, const Points& arrow, double width);

}  // namespace shoal
