// Compact parts of a surface for runs on many processes.
#pragma once

#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// The surface, or list of triangles, in the order of so many parts of nearly equal size with short borders (in_parts()), by Scotch. The
/// borders follow the surface, unlike those of ranges along a curve through space. There must be as many triangles as parts. Throws Refusal if a part would be empty, and MachineError
/// without the module of PETSc.
Surface in_compact_parts(const Surface& surface, Index parts);

}  // namespace shoal
