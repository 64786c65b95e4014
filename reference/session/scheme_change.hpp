// Changes of the scheme during a run, of which the user selects one part by a key or from a list.
#pragma once

#include "experiments/harness/plan/change.hpp"

namespace shoal {

/// The change of `key` (discretization or integrator) to `name`. If the present advection is "none" or incompatible, the change also
/// selects the first compatible one of semi-lagrangian, vector-invariant and none. Empty if the run cannot change to `name`.
std::optional<ChangeInput> scheme_change(const Catalog& catalog, const RunConfiguration& present,
                                         const std::string& key, const std::string& name);

/// The change to the next entry of the list of `key` after `tried` ("": after the present one) to which the run can change, and the name
/// of that entry. Empty if there is none up to the present one.
std::optional<ChangeInput> next_change(const Catalog& catalog, const RunConfiguration& present,
                                       const std::string& key, const std::string& tried, std::string& name);

/// The configuration `began` with the discretization, integrator, linear solver, advection and substeps of `present`, to which it was changed
/// during the run. Throws Error if they need more than that.
RunConfiguration with_scheme_of(const Catalog& catalog, const RunConfiguration& began,
                                const RunConfiguration& present);

}  // namespace shoal
