// Starts in a wave of a scheme's own wave operator.
#pragma once

#include "experiments/scenes/scene.hpp"

namespace shoal {

/// `mode`: a number, from the lowest frequency up, or highest.
ParameterInfo mode_parameter(const std::string& fallback);

/// Still water of this depth and on it the mode that `mode` names, times `amplitude` (m). Throws Refusal
/// where the scheme has no wave operators, Error where it has no such mode.
DiscreteInitialState start_in_mode(const Discretization& discretization, const Forces& forces,
                                   const std::string& mode, double depth, double amplitude);

}  // namespace shoal
