// A surface that one of several processes has loaded.
#pragma once

#include "discretizations/common/ranks.hpp"
#include "discretizations/mesh/surface.hpp"

namespace shoal {

/// Gives all ranks the surface, or list of triangles, of rank 0. Edges are not sent, but found again. Collective.
void share(const Ranks& ranks, Surface& surface);

}  // namespace shoal
