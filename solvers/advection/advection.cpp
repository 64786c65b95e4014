#include "solvers/advection/advection.hpp"

namespace shoal {

std::string advection_incompatibility(const AdvectionEntry* advection, const DiscretizationEntry& scheme,
                                      const IntegratorEntry& integrator, const Parameters& options) {
  if (advection) {
    const std::string reason = advection->incompatibility(scheme, integrator, options);
    if (!reason.empty()) return "advection = " + advection->name + ": " + reason;
  }
  if (scheme.leaves_depth_to_transport(options) && (!advection || advection->is_rate))
    return "continuity = advective requires an advection scheme that transports the depth: semi-lagrangian "
           "or bfecc";
  return "";
}

Options<AdvectionIntervalOptions> AdvectionIntervalOptions::describe() {
  return Options<AdvectionIntervalOptions>().choice(
      "advection_interval", &AdvectionIntervalOptions::per_substep, {{"frame", false}, {"substep", true}},
      "apply the advection before each step or before each substep");
}

}  // namespace shoal
