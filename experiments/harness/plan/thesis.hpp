// The defaults of the program of Angst 2007 (table C.2).
#pragma once

#include "experiments/harness/plan/experiment.hpp"

namespace shoal {

/// The parameters of runs among them, and those without which they would have no effect. The friction is f = 1/c for c = 100.
const std::vector<std::pair<std::string, Value>>& thesis_parameters();

/// "density = 1000, depth = 0.2, …"
std::string thesis_parameters_text();

/// Adds those that the first run of the experiment has and that are not given, as if they were given.
void add_thesis_settings(const Catalog& catalog, Experiment& experiment);

}  // namespace shoal
