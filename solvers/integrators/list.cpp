#include "solvers/integrators/list.hpp"

#include "solvers/integrators/runge_kutta.hpp"

namespace shoal {

#define SHOAL_ENTRY(function) IntegratorEntry function();
#include "solvers/integrators/list.def"
#undef SHOAL_ENTRY

List<IntegratorEntry> builtin_integrators() {
  List<IntegratorEntry> list("integrator");
#define SHOAL_ENTRY(function) list.add(function());
#include "solvers/integrators/list.def"
#undef SHOAL_ENTRY
  for (const RungeKuttaMethod& method : runge_kutta_methods()) list.add(runge_kutta(method));
  return list;
}

}  // namespace shoal
