// What `shoal list` prints: the kinds, the entries of one kind, one entry in full.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

#include <string>

namespace shoal {

/// What is asked for; without a name all of a kind, without a kind the kinds.
struct ListRequest {
  std::string kind, name;
  bool json = false;
  std::string folder = "experiments";  ///< whose .toml files are the experiments
};

/// JSON is an array of {name, summary, parameters, …}. Throws Error for an unknown kind or name, with what would be right.
std::string make_list(const Catalog& catalog, const ListRequest& request);

}  // namespace shoal
