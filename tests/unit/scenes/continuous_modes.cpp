// The continuous waves: eigenfunctions of the Laplacian, counted completely.
#include "experiments/scenes/continuous_modes.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

TEST(ContinuousModes, OfTheSphereAreTheHarmonics) {
  const auto modes = continuous_modes(load_surface("icosphere:1", 2), 10);
  ASSERT_TRUE(modes);
  ASSERT_EQ(modes->levels.size(), 4u);  // 1 + 3 + 5 = 9 are not enough
  for (int l = 0; l < 4; ++l) {
    const ContinuousLevel& level = modes->levels[static_cast<std::size_t>(l)];
    EXPECT_EQ(level.multiplicity, 2 * l + 1);
    EXPECT_DOUBLE_EQ(level.wavenumber, std::sqrt(l * (l + 1.0)) / 2);
  }
}

TEST(ContinuousModes, OfTheRectangleAreAllWavesInTheOrderOfTheirLength) {
  const auto modes = continuous_modes(load_surface("rectangle:8x4:2x1"), 200);
  ASSERT_TRUE(modes);
  Index count = 0;
  double before = -1;
  for (const ContinuousLevel& level : modes->levels) {
    EXPECT_GT(level.wavenumber, before);
    before = level.wavenumber;
    count += level.multiplicity;
  }
  EXPECT_GE(count, 200);
  Index expected = 0;
  for (int m = 0; m < 100; ++m)
    for (int n = 0; n < 100; ++n)
      expected += std::numbers::pi * std::hypot(m / 2.0, n) <= before * (1 + 1e-9);
  EXPECT_EQ(count, expected);
  EXPECT_EQ(modes->levels[2].name, "0,1 2,0");
}

TEST(ContinuousModes, OfAThinRectangleAreNoMoreThanAskedFor) {
  const auto modes = continuous_modes(load_surface("rectangle:4x4:1e9x1"), 3);
  ASSERT_TRUE(modes);
  ASSERT_EQ(modes->levels.size(), 3u);  // of 1e9 that are longer than the first across it
  EXPECT_EQ(modes->levels[2].name, "2,0");
}

TEST(ContinuousModes, OfTheRectangleSatisfyTheirEquation) {
  const auto modes = continuous_modes(load_surface("rectangle:8x4:2x1"), 12);
  constexpr double step = 1e-3, tolerance = 1e-4;  // the differences' error k⁴ step²/12, relative to k²
  Points points(3, 5);
  points << 0.3, 0.3 + step, 0.3 - step, 0.3, 0.3, 0.4, 0.4, 0.4, 0.4 + step, 0.4 - step, 0, 0, 0, 0, 0;
  for (const ContinuousLevel& level : modes->levels) {
    const double k2 = level.wavenumber * level.wavenumber;
    const Eigen::MatrixXd values = level.sample(points);
    for (Index j = 0; j < level.multiplicity; ++j) {
      const double laplacian = (values.col(j).tail(4).sum() - 4 * values(0, j)) / (step * step);
      EXPECT_NEAR(laplacian, -k2 * values(0, j), tolerance * std::max(1.0, k2)) << level.name;
    }
  }
}

TEST(ContinuousModes, AreNotKnownOnOtherSurfaces) {
  for (const char* mesh : {"torus:12x6", "ellipsoid:1", "blob:2"})
    EXPECT_FALSE(continuous_modes(load_surface(mesh), 10)) << mesh;
}

}  // namespace
}  // namespace shoal
