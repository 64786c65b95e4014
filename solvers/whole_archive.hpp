// Archives of models on parts of a surface, in the numbering of the whole: they do not depend on the number of processes.
#pragma once

#include "discretizations/discretization.hpp"
#include "solvers/archive.hpp"

namespace shoal {

/// The archive of the whole on rank 0, from the archives of the parts; the one of this process if the mesh is the whole. `cells` are
/// those of the scheme. Collective.
Archive archive_of_whole(const Archive& of_part, const Mesh& mesh, const Cells& cells);

/// The archive of this part from the one of the whole, which rank 0 gives; `like` is an archive of the same model on this part, in
/// any state. Collective.
Archive archive_of_part(const Archive& of_whole, const Archive& like, const Mesh& mesh, const Cells& cells);

}  // namespace shoal
