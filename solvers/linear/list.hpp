// The built-in linear solvers. A new one requires one source file and one line in list.def.
#pragma once

#include "discretizations/common/list.hpp"
#include "solvers/linear/linear_solver.hpp"

namespace shoal {

List<LinearSolverEntry> builtin_linear_solvers();

}  // namespace shoal
