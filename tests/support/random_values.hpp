// Values for tests of sums.
#pragma once

#include "discretizations/common/types.hpp"

#include <cmath>
#include <random>

namespace shoal::test {

/// Values of all sizes between 2^-range and 2^range, of both signs.
inline Vector random_values(Eigen::Index count, int range, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-range, range);
  Vector values(count);
  for (double& value : values) value = std::ldexp(mantissa(random), exponent(random));
  return values;
}

}  // namespace shoal::test
