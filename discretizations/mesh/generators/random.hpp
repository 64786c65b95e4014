// Random numbers for generated meshes, identical for every standard library.
#pragma once

#include <random>

namespace shoal {

/// Uniform in [-1, 1]; written out because the standard distributions differ between libraries.
inline double symmetric_random(std::mt19937_64& random) {
  return 2 * (static_cast<double>(random() >> 11) * 0x1p-53) - 1;
}

}  // namespace shoal
