// The list of linear solvers.
#include "solvers/linear/list.hpp"

#include "discretizations/common/entries.hpp"

namespace shoal {

const std::vector<LinearSolverEntry>& linear_solvers() {
  // One line each, the default first.
  // clang-format off
  static const std::vector<LinearSolverEntry> list = {
      multifrontal(),
      cholmod(),
      eigen_cg(),
      eigen_ldlt(),
      lagged_cholesky(),
      petsc(),
  };
  // clang-format on
  return list;
}

const LinearSolverEntry& find_linear_solver(const std::string& name) {
  return find_entry(linear_solvers(), name, "linear solver");
}

}  // namespace shoal
