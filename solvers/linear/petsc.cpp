// petsc: Krylov methods and preconditioners of PETSc (Balay et al., doi:10.2172/2205494), including those of hypre.
//
// PETSc and its dependencies (MPI, hypre, MUMPS, Trilinos: a hundred libraries) take 0.1 s and 30 MB to load. They are
// therefore linked to a separate module, which is loaded when the first such solver is created.
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/options.hpp"
#include "solvers/linear/petsc_module.hpp"
#include "solvers/linear/petsc_options.hpp"

#include "discretizations/common/error.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

extern "C" void openblas_set_num_threads(int threads);

namespace shoal {
namespace {

MakePetscSolver* load_module() {
  void* module = ::dlopen(petsc_module_file, RTLD_NOW | RTLD_LOCAL);  // beside the program, by its run path
  void* symbol = module ? ::dlsym(module, petsc_module_symbol) : nullptr;
  if (!symbol)
    throw MachineError(
        fmt::format("cannot load the linear solver 'petsc' from {}, which should be beside the program: {}",
                    petsc_module_file, ::dlerror()));
  return reinterpret_cast<MakePetscSolver*>(symbol);
}

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
  static MakePetscSolver* const make_solver = load_module();
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
