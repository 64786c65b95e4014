#include "solvers/integrators/list.hpp"

namespace shoal {

#define SHOAL_ENTRY(function) IntegratorEntry function();
#include "solvers/integrators/list.def"
#undef SHOAL_ENTRY

List<IntegratorEntry> builtin_integrators() {
  List<IntegratorEntry> list("integrator");
#define SHOAL_ENTRY(function) list.add(function());
#include "solvers/integrators/list.def"
#undef SHOAL_ENTRY
  return list;
}

}  // namespace shoal
