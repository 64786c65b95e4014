// Options that several linear solvers have, and how an entry is made from a solver.
#pragma once

#include "discretizations/common/options.hpp"
#include "solvers/linear/linear_solver.hpp"

#include <utility>

namespace shoal {

/// Direct solvers spend a product with the matrix on a residual, so only when asked.
struct ResidualOptions {
  bool measure = false;
  static Options<ResidualOptions> describe();
};

struct IterationOptions {
  double tolerance = 1e-10;  ///< relative to ‖b‖
  int max_iterations = 2000;
  bool warm_start = false;
  static Options<IterationOptions> describe();
};

/// The entry of a solver with Solver::SolverOptions, from which it is made.
template <class Solver>
LinearSolverEntry describe_solver(std::string name, std::string summary, SolverClaims claims) {
  using SolverOptions = typename Solver::SolverOptions;
  LinearSolverEntry entry;
  entry.name = std::move(name);
  entry.summary = std::move(summary);
  entry.parameters = describe_options<SolverOptions>();
  entry.claims = claims;
  entry.make = [](const Parameters& parameters) -> std::unique_ptr<LinearSolver> {
    return std::make_unique<Solver>(read_options<SolverOptions>(parameters));
  };
  return entry;
}

}  // namespace shoal
