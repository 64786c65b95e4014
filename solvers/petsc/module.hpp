// The interface between the program and the module that contains PETSc, and with it MPI.
//
// PETSc and its dependencies (MPI, hypre, MUMPS, Trilinos: a hundred libraries) take 0.1 s and 30 MB to load. They are therefore linked
// to a separate module, which is loaded when a solver of PETSc is made, a mesh is cut into parts, or a launcher has started this process.
#pragma once

#include "discretizations/common/ranks.hpp"
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/petsc_options.hpp"

#include <cstdlib>

namespace shoal {

struct PetscSettings {
  std::string preconditioner;        ///< a PCType
  std::vector<PetscOption> options;  ///< PETSc's own
  double tolerance = 0;
  int max_iterations = 0;
  bool warm_start = false;
};

/// The unknowns of one process among those of all.
struct SharedRows {
  const Ranks& ranks;
  Range own;  ///< of the unknowns here
  Array<Index>
      number;  ///< of each unknown here in the system of all: consecutive numbers for the own ones of each rank
};

// The module's only symbols, with the names below.
/// `rows` is null for one process. Null if the ranks are not those of MPI. Throws Error if PETSc rejects the options.
using MakePetscSolver = std::unique_ptr<LinearSolver>(const PetscSettings&, const SharedRows* rows);
constexpr const char* petsc_solver_symbol = "shoal_make_petsc_solver";
/// All processes of the launcher. The last object of the module to be destroyed: MPI then ends.
using MakePetscRanks = std::unique_ptr<const Ranks>();
constexpr const char* petsc_ranks_symbol = "shoal_make_petsc_ranks";

/// Cuts a graph into parts of nearly equal size with few edges between them: the neighbours of node i are neighbour[start[i]] up to
/// start[i + 1]. Sets part [n] to the number of each node's part, below `parts`. The same numbers each time. Throws
/// MachineError if Scotch fails.
using CutGraph = void(const Array<Index>& start, const Array<Index>& neighbour, Index parts,
                      Array<Index>& part);
constexpr const char* cut_graph_symbol = "shoal_cut_graph";

/// The address of a symbol of the module. Throws MachineError, naming the `user`, if the module is missing.
void* petsc_symbol(const char* symbol, const char* user);

struct Launcher {
  std::string name;  ///< "Open MPI"; "": there is none
  int count = 0;     ///< processes that it has started, with this one
};

/// The launcher of this process: mpirun of Open MPI or MPICH, or srun.
inline Launcher launcher_of_this_process() {
  const auto number = [](const char* variable) {
    const char* text = std::getenv(variable);
    return text ? std::atoi(text) : 0;
  };
  if (const int count = number("OMPI_COMM_WORLD_SIZE")) return {"mpirun of Open MPI", count};
  if (const int count = number("PMI_SIZE")) return {"mpirun by PMI", count};
  const int count = std::getenv("PMIX_RANK") ? number("SLURM_NTASKS") : 0;
  return {count > 0 ? "srun" : "", count};
}

}  // namespace shoal
