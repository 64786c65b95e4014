// The unknowns of a part of a surface that other processes own.
#pragma once

#include "discretizations/common/ranks.hpp"
#include "discretizations/discretization.hpp"

namespace shoal {

/// Of states with this layout, to be applied to their q; null where the mesh is the whole. To be called by all processes.
std::unique_ptr<Renewal> renewal_of(const Mesh& mesh, const Cells& cells, const Layout& layout);

}  // namespace shoal
