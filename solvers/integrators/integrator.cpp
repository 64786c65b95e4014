#include "solvers/integrators/integrator.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shoal {

std::string IntegratorEntry::incompatibility(const DiscretizationEntry& scheme,
                                             const Parameters& options) const {
  if (calls_own_step && !scheme.offers_capability<OwnStep>())
    return fmt::format(
        "requires a step of its own, which {} does not have; use another integrator, e.g. explicit",
        scheme.name);
  if (calls_own_step) return scheme.unavailable<OwnStep>(options);
  if (scheme.offers_capability<OwnStep>())
    return "requires rates, but " + scheme.name + " has a step of its own; use the integrator own";
  return unsupported(scheme, options);
}

Claims claims_of(const DiscretizationEntry& scheme, const IntegratorEntry& integrator) {
  Claims claims = integrator.claims;
  claims.order = std::min(claims.order, scheme.order_limit.order);
  claims.linear_order = std::min(claims.linear_order, scheme.order_limit.order);
  return claims;
}

std::string unfit_for_dry_land(const DiscretizationEntry& scheme, const IntegratorEntry& integrator) {
  const bool solves_depth_equation =
      std::any_of(integrator.parameters.begin(), integrator.parameters.end(),
                  [](const ParameterInfo& parameter) { return parameter.name == "reference_depth"; });
  if (solves_depth_equation)
    return "the depth equation does not support dry cells: a still lake moves, or there is no solution where "
           "the depth is zero";
  if (!integrator.claims.positive)
    return "its stages are not Euler steps and may remove more water from a thin layer than it contains";
  if (scheme.transports_momentum() && !scheme.positive)
    return "the flux may remove more water from a thin layer than it contains";
  return "";
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
