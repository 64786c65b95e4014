// Surfaces made by formula. Each ends in make_surface like a file does.
#pragma once

#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// Generates the surface that `name` ("icosphere:4", "torus:32x24:structured") asks for; arguments may come
/// in any order. Throws Error naming the argument and what is allowed. The families and their arguments:
/// mesh_families().
Surface generate_surface(const std::string& name, double radius);

}  // namespace shoal
