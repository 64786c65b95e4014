// Output of `shoal list`: the kinds, the entries of one kind, or one entry in full.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

#include <string>
#include <vector>

namespace shoal {

/// The request: without a name all entries of a kind, without a kind the list of kinds.
struct ListRequest {
  std::string kind, name;
  bool json = false, ranks = false;
  std::string folder = "experiments";  ///< its .toml files are the experiments
};

/// "scenes", "meshes" …
std::vector<std::string> list_kinds();

/// JSON is an array of {name, summary, parameters, …}. Throws Error for an unknown kind or name, which lists the valid ones.
std::string make_list(const Catalog& catalog, const ListRequest& request);

}  // namespace shoal
