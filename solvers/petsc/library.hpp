// PETSc and MPI in this process.
#pragma once

#include "discretizations/common/ranks.hpp"

#include <petscsys.h>

#include <string>

namespace shoal {

/// A message of PETSc, for an Error or a report.
struct PetscFailure {
  std::string text;
};

/// Throws PetscFailure, or MachineError without memory.
void check(PetscErrorCode code);

/// Whether a launcher such as mpirun or srun has started this process.
bool is_launched();

/// Initialises PETSc once: without output, without leaving signal handlers, and without settings from files or the environment. Without
/// a launcher, MPI serves this process and processes forked from it, and uses no network and no files. Throws MachineError.
void require_library();
/// MPI_COMM_NULL: they are not connected by MPI.
MPI_Comm processes_of(const Ranks& ranks);
/// Ends MPI, if it was initialised by this process; objects of PETSc must no longer exist.
void finalize_library();

}  // namespace shoal
