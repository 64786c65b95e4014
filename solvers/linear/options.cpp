// Descriptions of shared options.
#include "solvers/linear/options.hpp"

namespace shoal {

Options<ResidualOptions> ResidualOptions::describe() {
  return Options<ResidualOptions>().choice(
      "measure_residual", &ResidualOptions::measure, {{"no", false}, {"yes", true}},
      "yes: compute and record the residual of each solve, at the cost of one matrix–vector product");
}

Options<IterationOptions> IterationOptions::describe() {
  using O = IterationOptions;
  return Options<O>()
      .number("tolerance", "1", &O::tolerance, 1e-15, 0.1, "stop at ‖b − Ax‖ ≤ tolerance·‖b‖")
      .whole_number("max_iterations", "1", &O::max_iterations, 1, 1'000'000'000,
                    "number of iterations after which a solve fails")
      .choice("start", &O::warm_start, {{"cold", false}, {"warm", true}},
              "initial guess. cold: zero, which for the increments of our integrators is the depth of the "
              "last step; warm: the increment of the last step");
}

}  // namespace shoal
