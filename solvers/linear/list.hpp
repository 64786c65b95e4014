// The built-in linear solvers. A new one is one source and one line in list.def.
#pragma once

#include "discretizations/common/list.hpp"
#include "solvers/linear/linear_solver.hpp"

namespace shoal {

List<LinearSolverEntry> builtin_linear_solvers();

}  // namespace shoal
