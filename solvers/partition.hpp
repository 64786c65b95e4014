// Compact parts of a surface for runs on many processes.
#pragma once

#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// The surface, or list of triangles, in the order of so many parts of nearly equal size with short borders (in_parts()), by Scotch. The
/// borders follow the surface, unlike those of ranges along a curve through space. Parts without triangles are left out. Requires
/// 1 ≤ parts ≤ nF. Throws MachineError without the module of PETSc, or if Scotch fails.
Surface in_compact_parts(const Surface& surface, Index parts);

}  // namespace shoal
