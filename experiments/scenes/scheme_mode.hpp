// Starts in a wave of a scheme's own wave operator.
#pragma once

#include "discretizations/common/options.hpp"
#include "experiments/scenes/scene.hpp"

namespace shoal {

struct ModeOptions {
  std::string mode = "1";  ///< a number, from the lowest frequency up, or highest
  static Options<ModeOptions> describe();
};

/// Still water of this depth and on it the mode that `mode` names, times `amplitude` (m). Throws Refusal
/// where the scheme has no wave operators, Error where it has no such mode.
DiscreteInitialState start_in_mode(const Discretization& discretization, const Forces& forces,
                                   const std::string& mode, double depth, double amplitude);

}  // namespace shoal
