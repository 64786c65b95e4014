// The files of a run's motion.
#pragma once

#include "experiments/harness/plan/experiment.hpp"

namespace shoal {

/// The files from which the motion of the surface is read, if any.
std::vector<std::string> motion_files(const Catalog& catalog, const RunConfiguration& configuration);

}  // namespace shoal
