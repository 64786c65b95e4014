#include "solvers/integrators/integrator.hpp"

namespace shoal {

std::unique_ptr<Integrator> make_integrator(const IntegratorEntry& integrator,
                                            const DiscretizationEntry& scheme,
                                            const IntegratorSetting& setting) {
  const std::string incompatibility = integrator.incompatibility(scheme, setting.parameters);
  if (!incompatibility.empty())
    throw Refusal(integrator.name + " with " + scheme.name + ": " + incompatibility);
  return integrator.make(setting);
}

}  // namespace shoal
