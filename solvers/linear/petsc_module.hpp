// The interface between the program and the module that contains PETSc.
#pragma once

#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/petsc_options.hpp"

namespace shoal {

struct PetscSettings {
  std::string preconditioner;        ///< a PCType
  std::vector<PetscOption> options;  ///< PETSc's own
  double tolerance = 0;
  int max_iterations = 0;
  bool warm_start = false;
};

/// The module's only symbol, with the name below. Throws Error if PETSc rejects the options.
using MakePetscSolver = std::unique_ptr<LinearSolver>(const PetscSettings&);
constexpr const char* petsc_module_file = "libshoal_petsc.so";
constexpr const char* petsc_module_symbol = "shoal_make_petsc_solver";

}  // namespace shoal
