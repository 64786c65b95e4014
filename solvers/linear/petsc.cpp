// petsc: Krylov methods and preconditioners of PETSc (Balay et al., doi:10.2172/2205494), including those of hypre.
// solvers/petsc/ contains them.
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/options.hpp"
#include "solvers/linear/petsc_options.hpp"
#include "solvers/petsc/module.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

extern "C" void openblas_set_num_threads(int threads);

namespace shoal {
namespace {

std::string names_of_allowed_options() {
  std::vector<std::string> names;
  for (const AllowedPetscOption& allowed : allowed_petsc_options()) names.push_back("-" + allowed.name);
  return join(names);
}

struct PetscOptions {
  std::string preconditioner = "icc";  ///< a PCType
  std::vector<PetscOption> options;    ///< PETSc's own
  IterationOptions iteration;
  static Options<PetscOptions> describe() {
    using O = PetscOptions;
    return Options<O>()
        .choice("preconditioner", &O::preconditioner,
                {{"icc", "icc"}, {"jacobi", "jacobi"}, {"sor", "sor"}, {"gamg", "gamg"}, {"hypre", "hypre"}},
                "a PETSc PCType: incomplete Cholesky, the diagonal, symmetric Gauss-Seidel, algebraic "
                "multigrid of PETSc's own or of hypre's")
        .parsed("options", "", &O::options, "", parse_petsc_options,
                "PETSc options separated by blanks, e.g. \"-pc_type gamg -pc_gamg_threshold 0.02\", which "
                "override the other parameters; allowed without --trust-options: " +
                    names_of_allowed_options())
        .part(&O::iteration, IterationOptions::describe());
  }
};

std::unique_ptr<LinearSolver> make(const Parameters& parameters) {
  static auto* const make_solver =
      reinterpret_cast<MakePetscSolver*>(petsc_symbol(petsc_solver_symbol, "the linear solver 'petsc'"));
  openblas_set_num_threads(1);  // the bits of PETSc's BLAS sums would depend on the number of threads
  const auto options = read_options<PetscOptions>(parameters);
  return make_solver({.preconditioner = options.preconditioner,
                      .options = options.options,
                      .tolerance = options.iteration.tolerance,
                      .max_iterations = options.iteration.max_iterations,
                      .warm_start = options.iteration.warm_start});
}

}  // namespace

LinearSolverEntry petsc() {
  LinearSolverEntry entry;
  entry.name = "petsc";
  entry.summary = "PETSc: conjugate gradients, or the method selected by its options";
  entry.parameters = describe_options<PetscOptions>();
  entry.claims = {.allocation_free = false};  // PETSc's preconditioners allocate memory during setup
  entry.make = make;
  return entry;
}

}  // namespace shoal
