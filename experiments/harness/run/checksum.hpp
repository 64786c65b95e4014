// The bits of something in a word of 16 hexadecimal digits (FNV-1a, 64 bits).
#pragma once

#include "experiments/harness/run/simulation.hpp"

#include <string_view>

namespace shoal {

std::string checksum(std::string_view bytes);

/// The same for the same bits of all that the next step goes on from: state, surface, bodies.
std::string checksum(const Simulation& simulation);

}  // namespace shoal
