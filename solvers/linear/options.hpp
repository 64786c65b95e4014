// Options shared by linear solvers, and the construction of an entry from a solver.
#pragma once

#include "discretizations/common/options.hpp"
#include "solvers/linear/linear_solver.hpp"

#include <utility>

namespace shoal {

/// A residual costs direct solvers an extra product with the matrix, so they measure it only on request.
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

/// The entry of a solver class that is constructed from Solver::SolverOptions.
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
