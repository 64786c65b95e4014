// What `shoal inspect` prints.
#pragma once

#include "experiments/harness/results/results.hpp"

namespace shoal {

/// The origin of a results file, its configuration, meshes and runs, and the commands that reproduce it.
std::string describe_results(const Results& results, const std::filesystem::path& path);

/// The quality of a mesh given by name or file, and where its boundaries lie; vertices nearer than `weld`, m, are one.
std::string describe_mesh(const std::string& mesh, double weld = 0);

}  // namespace shoal
