// Configurations as settings, and configurations that change while they run.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/plan/inputs.hpp"

namespace shoal {

/// The settings of which expand() makes this configuration, and to_toml() a file; `where` stands for their place in messages.
std::vector<Setting> settings_of(const Catalog& catalog, const RunConfiguration& configuration,
                                 const std::string& where);

/// What a run goes on with after a change, dt and substeps resolved. What its new parts do not know (a linear solver, parameters of
/// the integrator before) is left out, what they need and is not named takes its default. Throws Error naming a key, a
/// parameter or a value that does not exist, Refusal where the parts cannot go together.
RunConfiguration changed(const Catalog& catalog, const RunConfiguration& configuration,
                         const ChangeInput& change);

}  // namespace shoal
