#include "solvers/linear/list.hpp"

namespace shoal {

#define SHOAL_ENTRY(function) LinearSolverEntry function();
#include "solvers/linear/list.def"
#undef SHOAL_ENTRY

List<LinearSolverEntry> builtin_linear_solvers() {
  List<LinearSolverEntry> list("linear solver");
#define SHOAL_ENTRY(function) list.add(function());
#include "solvers/linear/list.def"
#undef SHOAL_ENTRY
  return list;
}

}  // namespace shoal
