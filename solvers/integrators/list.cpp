// The list of integrators.
#include "solvers/integrators/list.hpp"

#include "discretizations/common/entries.hpp"

namespace shoal {
const std::vector<IntegratorEntry>& integrators() {
  // One line each.
  // clang-format off
  static const std::vector<IntegratorEntry> list = {
      explicit_euler(),
      implicit_euler(),
      implicit_euler_velocity(),
      newmark(),
      newmark_analytic(),
      semi_implicit(),
      ssprk2(),
      ssprk3(),
  };
  // clang-format on
  return list;
}

const IntegratorEntry& find_integrator(const std::string& name) {
  return find_entry(integrators(), name, "integrator");
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
