#include "experiments/harness/catalog/catalog.hpp"

#include "discretizations/list.hpp"
#include "experiments/harness/diagnostics/list.hpp"
#include "experiments/motions/list.hpp"
#include "experiments/scenes/list.hpp"
#include "solvers/advection/list.hpp"
#include "solvers/integrators/list.hpp"
#include "solvers/linear/list.hpp"

namespace shoal {

Catalog builtin() {
  return {.discretizations = builtin_discretizations(),
          .integrators = builtin_integrators(),
          .linear_solvers = builtin_linear_solvers(),
          .advections = builtin_advections(),
          .splittings = builtin_splittings(),
          .scenes = builtin_scenes(),
          .motions = builtin_motions(),
          .diagnostics = builtin_diagnostics()};
}

}  // namespace shoal
