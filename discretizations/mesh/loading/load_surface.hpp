// A surface by its name, generated or from a file.
#pragma once

#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// Generates (`icosphere:4`, `torus:32x24`, `rectangle:40x10:structured`, …) or reads (`bunny.obj`) a
/// surface. `radius` scales generated families that have one, `weld` applies to files (see read_surface). Throws Error with one
/// sentence that names the mesh.
Surface load_surface(const std::string& name, double radius = 1.0, double weld = 0);

/// The surface as a mere list of triangles (see list_triangles()), if it can be generated as such.
std::optional<Surface> load_triangles(const std::string& name, double radius);

}  // namespace shoal
