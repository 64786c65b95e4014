// Another scheme while the run goes on, where somebody chooses one part of it by a key or from a list.
#pragma once

#include "experiments/harness/plan/change.hpp"

namespace shoal {

/// The change of `key` (discretization or integrator) to `name`, and of the advection where the present one does not go with it or
/// there is none: semi-lagrangian, vector-invariant or none, the first that does. Nothing where it cannot go on with that part.
std::optional<ChangeInput> scheme_change(const Catalog& catalog, const RunConfiguration& present,
                                         const std::string& key, const std::string& name);

}  // namespace shoal
