// A JSON schema of experiment files, by which editors complete and check them.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"

#include <string>

namespace shoal {

/// Draft 7, with the keys, parameters and names of the catalogue. Files that do not match it are refused, but not vice versa: the
/// schema does not know, for example, which schemes have a parameter and which parts are compatible.
std::string experiment_schema(const Catalog& catalog);

}  // namespace shoal
