// All diagnostics that there are, for `shoal list`.
#pragma once

#include "experiments/harness/catalog/catalog.hpp"
#include "experiments/harness/diagnostics/entry.hpp"

namespace shoal {

/// Each once, in the order of the list of diagnostics: what runs of every scheme record that, between them, have all that
/// a diagnostic may be of. Names that a scene or its bodies choose have BODY, REGION in their place.
std::vector<Quantity> known_quantities(const Catalog& catalog);

}  // namespace shoal
