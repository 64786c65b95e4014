// Sparse Cholesky through CHOLMOD (Chen, Davis, Hager, Rajamanickam 2008, doi:10.1145/1391989.1391995).
#pragma once

#include "solvers/linear/linear_solver.hpp"

namespace shoal {

/// Nested dissection (METIS) once per pattern. Below `supernodal_size` unknowns a simplicial LDLᵀ of the
/// pre-permuted matrix, where BLAS calls cost more than they do; above it supernodal LLᵀ. BLAS runs on one
/// thread, because the bits of a supernodal factor would otherwise depend on their number.
LinearSolverEntry cholmod();

}  // namespace shoal
