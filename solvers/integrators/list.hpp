// The built-in integrators. A new one is one source and one line in list.def; a Runge–Kutta method is one line in
// runge_kutta_methods.cpp.
#pragma once

#include "discretizations/common/list.hpp"
#include "solvers/integrators/integrator.hpp"

namespace shoal {

List<IntegratorEntry> builtin_integrators();

}  // namespace shoal
