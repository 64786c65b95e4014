// Real spherical harmonics: eigenfunctions of the sphere's Laplacian, normalised by their largest value.
#include "experiments/scenes/spherical_harmonic.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace shoal {
namespace {

std::vector<Vector3> random_directions(int count) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  std::vector<Vector3> directions;
  for (int i = 0; i < count; ++i)
    directions.push_back(Vector3(normal(random), normal(random), normal(random)).normalized());
  return directions;
}

/// ∇² of Y on the unit sphere: the Laplacian in space of Y continued as a constant along rays, central
/// differences.
double laplacian(const SphericalHarmonic& harmonic, const Vector3& direction, double step) {
  double sum = -6 * harmonic(direction);
  for (int axis = 0; axis < 3; ++axis)
    for (const double sign : {-1.0, 1.0})
      sum += harmonic((direction + sign * step * Vector3::Unit(axis)).normalized());
  return sum / (step * step);
}

TEST(SphericalHarmonic, IsAnEigenfunctionOfTheLaplacian) {
  for (const auto& [l, m] : std::vector<std::pair<int, int>>{
           {1, 0}, {2, -1}, {4, 0}, {4, 3}, {8, -8}, {12, 5}, {30, 0}, {30, 17}, {30, -30}}) {
    const SphericalHarmonic harmonic(l, m);
    const double eigenvalue = l * (l + 1.0), step = 0.01 / l;
    for (const Vector3& x : random_directions(20))  // the differences are off by (l·step)²/6 and less
      EXPECT_NEAR(laplacian(harmonic, x, step) / eigenvalue, -harmonic(x), 1e-4)
          << "l = " << l << ", m = " << m;
  }
}

TEST(SphericalHarmonic, HasLargestValueOne) {
  for (int l = 1; l <= 30; l += 3)
    for (int m = -l; m <= l; m += 3) {
      const SphericalHarmonic harmonic(l, m);
      double largest = 0;
      // On the half plane where cos mφ or sin |m|φ is 1 (m < 0: φ = π/2|m|), finely.
      const double phi = m < 0 ? std::numbers::pi / (-2 * m) : 0;
      for (int i = 0; i <= 20000; ++i) {
        const double theta = std::numbers::pi * i / 20000;
        largest = std::max(largest, std::abs(harmonic({std::sin(theta) * std::cos(phi),
                                                       std::sin(theta) * std::sin(phi), std::cos(theta)})));
      }
      EXPECT_LE(largest, 1 + 1e-12) << "l = " << l << ", m = " << m;
      EXPECT_GE(largest, 1 - 1e-5) << "l = " << l << ", m = " << m;
    }
}

TEST(SphericalHarmonic, IsThePolynomialOfTheBooks) {
  for (const Vector3& x : random_directions(10)) {
    const double z2 = x.z() * x.z();
    EXPECT_NEAR(SphericalHarmonic(4, 0)(x), (35 * z2 * z2 - 30 * z2 + 3) / 8, 1e-14);
    EXPECT_NEAR(SphericalHarmonic(2, -2)(x), 2 * x.x() * x.y(), 1e-14);
    EXPECT_NEAR(SphericalHarmonic(2, 1)(x), 2 * x.x() * x.z(), 1e-14);
  }
}

}  // namespace
}  // namespace shoal
