// What a run's motion is read from.
#pragma once

#include "experiments/harness/plan/experiment.hpp"

namespace shoal {

/// The files that the surface's motion is read from, if any.
std::vector<std::string> motion_files(const Catalog& catalog, const RunConfiguration& configuration);

}  // namespace shoal
