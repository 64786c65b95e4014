// Initial states in a mode of a scheme's own wave operator.
#pragma once

#include "discretizations/common/options.hpp"
#include "experiments/scenes/scene.hpp"

namespace shoal {

struct ModeOptions {
  std::string mode = "1";  ///< number in order of frequency, or "highest"
  static Options<ModeOptions> describe();
};

/// Still water of this depth plus `amplitude` (m) times the mode `mode`. Throws Refusal if the scheme has no wave operators, Error
/// if it has no such mode.
DiscreteInitialState start_in_mode(const Discretization& discretization, const Forces& forces,
                                   const std::string& mode, double depth, double amplitude);

}  // namespace shoal
