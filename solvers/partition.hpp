// Compact parts of a surface for runs on many processes.
#pragma once

#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// The surface, or list of triangles, in the order of so many parts of nearly equal size with short borders (in_parts()), by Scotch. The
/// borders follow the surface, unlike those of ranges along a curve through space. Throws Error if there are fewer triangles than parts, and MachineError
/// without the module of PETSc.
Surface in_compact_parts(const Surface& surface, Index parts);

}  // namespace shoal
