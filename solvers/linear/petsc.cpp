// petsc: Krylov methods and preconditioners of PETSc (Balay et al., doi:10.2172/2205494), including those of hypre.
// solvers/petsc/ contains them.
#include "solvers/linear/linear_solver.hpp"
#include "solvers/linear/options.hpp"
#include "solvers/linear/petsc_options.hpp"
#include "solvers/linear/unknowns.hpp"
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

std::unique_ptr<LinearSolver> make_petsc(const Parameters& parameters, const SharedRows* rows) {
  static auto* const make_solver =
      reinterpret_cast<MakePetscSolver*>(petsc_symbol(petsc_solver_symbol, "the linear solver 'petsc'"));
  openblas_set_num_threads(1);  // the bits of PETSc's BLAS sums would depend on the number of threads
  const auto options = read_options<PetscOptions>(parameters);
  return make_solver({.preconditioner = options.preconditioner,
                      .options = options.options,
                      .tolerance = options.iteration.tolerance,
                      .max_iterations = options.iteration.max_iterations,
                      .warm_start = options.iteration.warm_start},
                     rows);
}

/// Solves with the processes of MPI and then updates the solution at elements that other processes own.
class SharedPetsc final : public LinearSolver {
 public:
  SharedPetsc(std::unique_ptr<LinearSolver> solver, Unknowns unknowns)
      : solver_(std::move(solver)), unknowns_(std::move(unknowns)) {}
  void analyze(const SymmetricMatrix& pattern) override { solver_->analyze(pattern); }
  SolverReport factorize(const SymmetricMatrix& matrix, StageClock& clock) override {
    return solver_->factorize(matrix, clock);
  }
  SolverReport solve(const Vector& right_side, Vector& solution, StageClock& clock) override {
    SolverReport report = solver_->solve(right_side, solution, clock);
    unknowns_.renew(solution);
    return report;
  }

 private:
  std::unique_ptr<LinearSolver> solver_;
  Unknowns unknowns_;
};

std::unique_ptr<LinearSolver> make_shared(const Parameters& parameters, const Mesh& mesh,
                                          const Cells& cells) {
  Unknowns unknowns(mesh, cells);
  const SharedRows rows{
      .ranks = ranks_of(mesh), .own = own(mesh, cells), .number = unknowns.numbers(cells.count())};
  auto solver = make_petsc(parameters, &rows);
  if (!solver) return nullptr;  // other processes than those of MPI
  return std::make_unique<SharedPetsc>(std::move(solver), std::move(unknowns));
}

}  // namespace

LinearSolverEntry petsc() {
  LinearSolverEntry entry;
  entry.name = "petsc";
  entry.summary = "PETSc: conjugate gradients, or the method selected by its options";
  entry.parameters = describe_options<PetscOptions>();
  entry.claims = {.allocation_free = false};  // PETSc's preconditioners allocate memory during setup
  entry.make = [](const Parameters& parameters) { return make_petsc(parameters, nullptr); };
  entry.make_shared = make_shared;
  return entry;
}

}  // namespace shoal
