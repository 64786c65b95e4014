// Declarations of shared parameters.
#include "solvers/linear/parameters.hpp"

namespace shoal {

ParameterInfo measure_residual_parameter() {
  return choice("measure_residual", {"no", "yes"},
                "yes: the residual of each solve is measured and recorded, at the cost of a product");
}

ParameterInfos iteration_parameters() {
  return {
      number("tolerance", "1", 1e-10, 1e-15, 0.1, "the iteration stops at ‖b − Ax‖ ≤ tolerance·‖b‖"),
      whole_number("max_iterations", "1", 2000, 1, 1e9, "iterations after which a solve counts as failed"),
      choice("start", {"cold", "warm"},
             "cold: from zero, which for the increments of our integrators is the depth of the last step; "
             "warm: from the increment of the last step")};
}

}  // namespace shoal
