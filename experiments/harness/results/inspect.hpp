// What `shoal inspect` and `shoal list` print.
#pragma once

#include "experiments/harness/results/results.hpp"

namespace shoal {

/// Where a results file comes from, its configuration, meshes and runs, and the commands that make it again.
std::string describe_results(const Results& results, const std::filesystem::path& path);

/// The quality of a mesh given by name or file.
std::string describe_mesh(const std::string& mesh);

/// A list for `shoal list KIND`. JSON is an array of {name, summary, parameters, …}. Throws Error for an
/// unknown kind. Experiments are the .toml files of `folder`.
const std::vector<std::string>& list_kinds();
std::string make_list(const Catalog& catalog, const std::string& kind, bool json,
                      const std::filesystem::path& folder = "experiments");

}  // namespace shoal
