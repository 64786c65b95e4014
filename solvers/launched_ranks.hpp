// The processes that a launcher such as mpirun or srun has started.
#pragma once

#include "discretizations/common/ranks.hpp"

namespace shoal {

/// All processes of the launcher, connected by MPI; without a launcher this process alone, and MPI is not loaded. Objects that use them
/// must be destroyed before. Throws MachineError.
std::shared_ptr<const Ranks> launched_ranks();

/// "mpirun of Open MPI"; "" without a launcher.
std::string launcher_name();

}  // namespace shoal
