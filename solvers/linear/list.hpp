// The list of linear solvers. A new one is one source, its entry here and one line in list.cpp.
#pragma once

#include "solvers/linear/linear_solver.hpp"

namespace shoal {

LinearSolverEntry cholmod();
LinearSolverEntry eigen_cg();
LinearSolverEntry eigen_ldlt();
LinearSolverEntry lagged_cholesky();
LinearSolverEntry multifrontal();
LinearSolverEntry petsc();

}  // namespace shoal
