// A surface by its name, generated or from a file.
#pragma once

#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// Generates (`icosphere:4`, `torus:32x24`, `rectangle:40x10:structured`, …) or reads (`bunny.obj`) a
/// surface. `radius` scales generated families that have one, `weld` applies to files (see read_surface). Throws Error with one
/// sentence that names the mesh.
Surface load_surface(const std::string& name, double radius = 1.0, double weld = 0);

}  // namespace shoal
