#include "solvers/integrators/list.hpp"

#include "discretizations/common/entries.hpp"

namespace shoal {

const std::vector<IntegratorEntry>& integrators() {
  static const std::vector<IntegratorEntry> list = {
      explicit_euler(),
      implicit_euler(),
      newmark(),
      semi_implicit(),
      ssprk2(),
  };
  return list;
}

const IntegratorEntry& find_integrator(const std::string& name) {
  return find_entry(integrators(), name, "integrator");
}

}  // namespace shoal
