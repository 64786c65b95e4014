// Parameters that several linear solvers declare under the same name.
#pragma once

#include "discretizations/common/parameters.hpp"

namespace shoal {

/// "measure_residual": direct solvers spend a product with the matrix on it, so only when asked.
ParameterInfo measure_residual_parameter();
/// "tolerance", "max_iterations" and "start" of iterations.
ParameterInfos iteration_parameters();

}  // namespace shoal
