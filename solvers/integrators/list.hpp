// The built-in integrators. A new one is one source and one line in list.def.
#pragma once

#include "discretizations/common/list.hpp"
#include "solvers/integrators/integrator.hpp"

namespace shoal {

List<IntegratorEntry> builtin_integrators();

}  // namespace shoal
