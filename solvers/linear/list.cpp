// The list of linear solvers.
#include "discretizations/common/entries.hpp"
#include "solvers/linear/cholmod.hpp"

namespace shoal {

const std::vector<LinearSolverEntry>& linear_solvers() {
  static const std::vector<LinearSolverEntry> list = {
      cholmod(),
  };
  return list;
}

const LinearSolverEntry& find_linear_solver(const std::string& name) {
  return find_entry(linear_solvers(), name, "linear solver");
}

}  // namespace shoal
