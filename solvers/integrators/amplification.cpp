// The roots of a step's characteristic polynomial.
#include "solvers/integrators/amplification.hpp"

#include <cmath>
#include <numbers>

namespace shoal {

Amplification Amplification::repeated(int steps) const {
  return {std::pow(modulus, steps), steps * phase};
}

Amplification dominant_factor(double trace, double determinant) {
  const double discriminant = trace * trace / 4 - determinant;
  if (discriminant < 0) return {std::sqrt(determinant), std::atan2(std::sqrt(-discriminant), trace / 2)};
  return {std::abs(trace) / 2 + std::sqrt(discriminant), trace < 0 ? std::numbers::pi : 0};
}

}  // namespace shoal
