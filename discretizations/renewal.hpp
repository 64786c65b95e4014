// Update of unknowns on a part of a surface that other processes own.
#pragma once

#include "discretizations/common/ranks.hpp"
#include "discretizations/discretization.hpp"

namespace shoal {

/// The exchange for states with this layout, to be applied to their q; null if the mesh is the whole surface.
/// Collective: all processes must call it.
std::unique_ptr<Renewal> renewal_of(const Mesh& mesh, const Cells& cells, const Layout& layout);

/// The entries of states with this layout that this process owns; those without a place on the surface belong to rank 0.
std::vector<Range> own_entries(const Mesh& mesh, const Cells& cells, const Layout& layout);

}  // namespace shoal
