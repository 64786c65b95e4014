#include "solvers/integrators/integrator.hpp"

namespace shoal {

Claims claims_of(const DiscretizationEntry& scheme, const IntegratorEntry& integrator) {
  Claims claims = integrator.claims;
  claims.order = std::min(claims.order, scheme.order_limit.order);
  claims.linear_order = std::min(claims.linear_order, scheme.order_limit.order);
  return claims;
}

std::unique_ptr<Integrator> make_integrator(const IntegratorEntry& integrator,
                                            const DiscretizationEntry& scheme,
                                            const IntegratorSetting& setting) {
  const std::string incompatibility = integrator.incompatibility(scheme, setting.parameters);
  if (!incompatibility.empty())
    throw Refusal(integrator.name + " with " + scheme.name + ": " + incompatibility);
  return integrator.make(setting);
}

}  // namespace shoal
