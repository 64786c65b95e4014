// The standing waves of the schemes: as many as cells, those of the sphere in the limit.
#include "solvers/wave_modes.hpp"

#include "tests/support/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace shoal {
namespace {

WaveModes modes(const std::string& mesh, const std::string& scheme, Index first, Index count) {
  test::Simulation simulation({.mesh = mesh, .discretization = scheme});
  return WaveSpectrum(*simulation.discretization, simulation.state.volume).modes(first, count);
}

TEST(WaveModes, ConvergeToTheSpheresAtSecondOrder) {
  for (const std::string scheme : {"fefv", "dec"}) {
    std::vector<double> sizes, errors;
    for (const int level : {2, 3, 4}) {
      const Vector omega = modes("icosphere:" + std::to_string(level), scheme, 0, 16).angular_frequency;
      EXPECT_EQ(omega[0], 0);
      double error = 0;  // l = 1, 2, 3 with 2l + 1 modes each
      for (Index j = 1; j < 16; ++j) {
        const int l = j < 4 ? 1 : j < 9 ? 2 : 3;
        error = std::max(error, std::abs(omega[j] / std::sqrt(test::gravity * l * (l + 1)) - 1));
      }
      sizes.push_back(1.0 / (1 << level));
      errors.push_back(error);
    }
    EXPECT_NEAR(test::slope(sizes, errors), 2, 0.15) << scheme;
    EXPECT_LT(errors.back(), 0.01) << scheme;
  }
}

TEST(WaveModes, AreScaledToALargestElevationOfOne) {
  const WaveModes found = modes("torus:16x8", "fefv", 0, 20);
  for (Index j = 0; j < 20; ++j) EXPECT_DOUBLE_EQ(found.elevation.col(j).cwiseAbs().maxCoeff(), 1);
}

TEST(WaveModes, TheHighestFrequencyIsThatOfPowerIteration) {
  for (const std::string scheme : {"fefv", "dec"}) {
    test::Simulation simulation({.mesh = "icosphere:3", .discretization = scheme});
    const WaveSpectrum spectrum(*simulation.discretization, simulation.state.volume);
    EXPECT_NEAR(spectrum.highest_angular_frequency() / test::highest_frequency(simulation), 1, 1e-4)
        << scheme;
  }
}

TEST(WaveModes, EachConnectedPartHasAConstantOne) {
  test::Simulation simulation({.mesh = "icosphere:1"});
  const WaveSpectrum spectrum(*simulation.discretization, simulation.state.volume);
  EXPECT_EQ(spectrum.constant_modes(), 1);
  EXPECT_EQ(spectrum.size(), 42);
  const WaveModes constant = spectrum.modes(0, 1);
  EXPECT_LT((constant.elevation.array() - 1).abs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace shoal
