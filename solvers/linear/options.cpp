// Descriptions of shared options.
#include "solvers/linear/options.hpp"

namespace shoal {

Options<ResidualOptions> ResidualOptions::describe() {
  return Options<ResidualOptions>().choice(
      "measure_residual", &ResidualOptions::measure, {{"no", false}, {"yes", true}},
      "yes: the residual of each solve is measured and recorded, at the cost of a product");
}

Options<IterationOptions> IterationOptions::describe() {
  using O = IterationOptions;
  return Options<O>()
      .number("tolerance", "1", &O::tolerance, 1e-15, 0.1, "the iteration stops at ‖b − Ax‖ ≤ tolerance·‖b‖")
      .whole_number("max_iterations", "1", &O::max_iterations, 1, 1'000'000'000,
                    "iterations after which a solve counts as failed")
      .choice("start", &O::warm_start, {{"cold", false}, {"warm", true}},
              "cold: from zero, which for the increments of our integrators is the depth of the last step; "
              "warm: from the increment of the last step");
}

}  // namespace shoal
