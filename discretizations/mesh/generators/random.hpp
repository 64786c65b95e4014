// Random numbers of generated meshes, the same with every standard library.
#pragma once

#include <random>

namespace shoal {

/// Uniform in [-1, 1]; spelled out because the standard's distributions differ between libraries.
inline double symmetric_random(std::mt19937_64& random) {
  return 2 * (static_cast<double>(random() >> 11) * 0x1p-53) - 1;
}

}  // namespace shoal
