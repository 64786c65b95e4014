// Configurations as settings, and changes of the configuration during a run.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/harness/plan/inputs.hpp"

namespace shoal {

/// The settings from which expand() creates this configuration and to_toml() a file. Messages give `where` as their position.
std::vector<Setting> settings_of(const Catalog& catalog, const RunConfiguration& configuration,
                                 const std::string& where);

/// The configuration of a run after a change, with dt and substeps resolved. Settings that the new parts do not have (a linear
/// solver, parameters of the previous integrator) are dropped; unnamed settings of the new parts take their defaults. Throws
/// Error naming an unknown key, parameter or value, and Refusal if the parts are incompatible.
RunConfiguration changed(const Catalog& catalog, const RunConfiguration& configuration,
                         const ChangeInput& change);

}  // namespace shoal
