// The bits of a simulation in a word.
#pragma once

#include "experiments/harness/run/simulation.hpp"

namespace shoal {

/// 16 digits that are the same for the same bits of all that the next step goes on from: state, surface, bodies (FNV-1a).
std::string checksum(const Simulation& simulation);

}  // namespace shoal
