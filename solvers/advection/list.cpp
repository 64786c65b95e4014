#include "solvers/advection/list.hpp"

namespace shoal {

#define SHOAL_ENTRY(function) AdvectionEntry function();
#include "solvers/advection/list.def"
#undef SHOAL_ENTRY

List<AdvectionEntry> builtin_advections() {
  List<AdvectionEntry> list("advection");
#define SHOAL_ENTRY(function) list.add(function());
#include "solvers/advection/list.def"
#undef SHOAL_ENTRY
  return list;
}

}  // namespace shoal
