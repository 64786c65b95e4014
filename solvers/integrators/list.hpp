// The built-in integrators. A new one requires one source file and one line in list.def; a Runge–Kutta method
// one line in runge_kutta_methods.cpp.
#pragma once

#include "discretizations/common/list.hpp"
#include "solvers/integrators/integrator.hpp"

namespace shoal {

List<IntegratorEntry> builtin_integrators();

}  // namespace shoal
