// petsc: Krylov methods and preconditioners of PETSc (Balay et al., doi:10.2172/2205494), hypre's among them.
//
// PETSc and what it draws in (MPI, hypre, MUMPS, Trilinos: a hundred libraries) take 0.1 s to load and 30 MB,
// so they are linked to a module of their own, which is loaded when the first such solver is made.
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/parameters.hpp"
#include "solvers/linear/petsc_module.hpp"

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
        fmt::format("linear solver 'petsc' cannot be loaded from {}, which belongs beside the program: {}",
                    petsc_module_file, ::dlerror()));
  return reinterpret_cast<MakePetscSolver*>(symbol);
}

std::unique_ptr<LinearSolver> make(const Parameters& parameters) {
  static MakePetscSolver* const make_solver = load_module();
  openblas_set_num_threads(1);  // PETSc adds up with BLAS, whose bits would depend on their number
  return make_solver({.preconditioner = parameters.text("preconditioner"),
                      .options = parameters.text("options"),
                      .tolerance = parameters.number("tolerance"),
                      .max_iterations = static_cast<int>(parameters.number("max_iterations")),
                      .warm_start = parameters.text("start") == "warm"});
}

}  // namespace

LinearSolverEntry petsc() {
  LinearSolverEntry entry;
  entry.name = "petsc";
  entry.summary = "conjugate gradients, or what the options say, of PETSc";
  entry.parameters = {
      choice("preconditioner", {"icc", "jacobi", "sor", "gamg", "hypre"},
             "a PETSc PCType: incomplete Cholesky, the diagonal, symmetric Gauss-Seidel, algebraic "
             "multigrid of PETSc's own or of hypre's"),
      text("options", "", "",
           "PETSc's own, separated by blanks, as \"-pc_type gamg -pc_gamg_threshold 0.02\"; they override "
           "the rest")};
  for (const ParameterInfo& info : iteration_parameters()) entry.parameters.push_back(info);
  entry.claims = {.allocation_free = false};  // PETSc's preconditioners take memory when they are set up
  entry.make = make;
  return entry;
}

}  // namespace shoal
