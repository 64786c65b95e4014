// Sums of spherical harmonics at points, compared with polynomials.
#include "experiments/scenes/harmonics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

constexpr int truncation = 40;

std::size_t index_of(int degree, int order) {
  std::size_t found = 0;
  for_each_harmonic(truncation, [&](std::size_t i, int l, int m) {
    if (l == degree && m == order) found = i;
  });
  return found;
}

const Vector3 directions[] = {{0.3, -0.5, 0.8}, {-2, 0.1, 0.2}, {0.2, 0.7, -0.6}, {0, 0, 3}, {0, 1e-9, -1}};

/// Y_31 = −√(21/64π) (5z² − 1)(x + iy), and 2 Re(c Y) is the field of the coefficient c.
TEST(HarmonicSum, is_a_polynomial_of_its_degree) {
  Harmonics harmonics(harmonics_count(truncation));
  const std::complex<double> c(0.7, -0.4);
  harmonics[index_of(3, 1)] = c;
  harmonics[0] = 2;
  const double factor = -std::sqrt(21 / (64 * std::numbers::pi));
  for (const Vector3& x : directions) {
    const Vector3 n = x.normalized();
    const double expected = 2 * std::sqrt(0.25 / std::numbers::pi) +
                            2 * factor * (5 * n.z() * n.z() - 1) * (c * std::complex(n.x(), n.y())).real();
    EXPECT_NEAR(HarmonicSum(truncation).scalar(harmonics, x), expected, 1e-14);
  }
}

/// a = Re(c (x + iy) z) has the degree 2; its gradient is that of the polynomial less its normal part.
TEST(HarmonicSum, has_gradients_and_curls) {
  const std::complex<double> c(0.7, -0.4);
  const double normalisation = -std::sqrt(15 / (8 * std::numbers::pi));  // of Y_21 = … z (x + iy)
  VectorHarmonics harmonics{Harmonics(harmonics_count(truncation)), Harmonics(harmonics_count(truncation))};
  const std::size_t i = index_of(2, 1);
  const std::complex<double> other(-0.2, 1.1);
  harmonics.gradient[i] = std::sqrt(6.0) * c / (2 * normalisation);
  harmonics.curl[i] = std::sqrt(6.0) * other / (2 * normalisation);
  for (const Vector3& x : directions) {
    const Vector3 n = x.normalized();
    const auto gradient = [&](std::complex<double> factor) {
      const Vector3 g(factor.real() * n.z(), -factor.imag() * n.z(),
                      factor.real() * n.x() - factor.imag() * n.y());
      return Vector3(g - n * n.dot(g));
    };
    EXPECT_LT((HarmonicSum(truncation).vector(harmonics, x) - gradient(c) - n.cross(gradient(other))).norm(),
              1e-14);
  }
}

}  // namespace
}  // namespace shoal
