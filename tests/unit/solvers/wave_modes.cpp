// The standing waves of the schemes: one per cell, converging to those of the sphere.
#include "solvers/wave_modes.hpp"

#include "discretizations/mesh/loading/load_surface.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

WaveModes modes(const std::string& mesh, const std::string& scheme, Index first, Index count) {
  test::Trial simulation({.mesh = mesh, .discretization = scheme});
  return WaveSpectrum(*simulation.discretization, simulation.forces, simulation.volume()).modes(first, count);
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
    test::Trial simulation({.mesh = "icosphere:3", .discretization = scheme});
    const WaveSpectrum spectrum(*simulation.discretization, simulation.forces, simulation.volume());
    EXPECT_NEAR(spectrum.highest_angular_frequency() / test::highest_frequency(simulation), 1, 1e-4)
        << scheme;
  }
}

/// The frequencies of one scheme on any triangles, H = 1 m, aₙ = −g.
Vector all_frequencies(const std::string& scheme, const Mesh& mesh, const Points& x) {
  const Geometry geometry = make_geometry(mesh, x);
  const DiscretizationEntry& entry = test::catalog().discretizations.find(scheme);
  const auto discretization = entry.make(
      mesh, geometry, [](const Vector3&) { return 1.0; }, Parameters(entry.parameters, {}));
  Forces forces;
  discretization->derive({Vector::Constant(mesh.vertex_count, -test::gravity)}, forces);
  const WaveSpectrum spectrum(*discretization, forces,
                              std::as_const(*discretization).project({})[discretization->volume()]);
  return spectrum.modes(0, spectrum.size()).angular_frequency;
}

TEST(WaveModes, OfDecOnRightTrianglesAreThoseOfTheRectangularCGrid) {
  // Merged pairs of triangles are squares: ω² = gH (4/Δ²) (sin² mπ/2M + sin² nπ/2N), exactly.
  constexpr int columns = 6, rows = 4;
  const Surface surface = load_surface("rectangle:6x4:structured");
  const Vector omega = all_frequencies("dec", surface.mesh, surface.x);
  std::vector<double> exact;
  for (int m = 0; m < columns; ++m)
    for (int n = 0; n < rows; ++n)
      exact.push_back(2 * columns * std::sqrt(test::gravity) *
                      std::hypot(std::sin(m * std::numbers::pi / (2 * columns)),
                                 std::sin(n * std::numbers::pi / (2 * rows))));
  std::sort(exact.begin(), exact.end());
  ASSERT_EQ(omega.size(), static_cast<Eigen::Index>(exact.size()));
  for (std::size_t j = 1; j < exact.size(); ++j)
    EXPECT_NEAR(omega[static_cast<Index>(j)] / exact[j], 1, 1e-12) << j;
}

/// Rings of `around` vertices stacked like an antiprism, all edges 1 m: equilateral triangles, six at each
/// inner vertex, so that the surface is intrinsically flat and periodic in one direction.
Surface equilateral_tube(int around, int layers) {
  const double radius = 0.5 / std::sin(std::numbers::pi / around);
  const double shift = 2 * radius * std::sin(std::numbers::pi / (2 * around));
  const double rise = std::sqrt(1 - shift * shift);
  Points x(3, around * (layers + 1));
  Faces faces(3, 2 * around * layers);
  for (int j = 0; j <= layers; ++j)
    for (int i = 0; i < around; ++i) {
      const double angle = (2 * i + j) * std::numbers::pi / around;
      x.col(j * around + i) << radius * std::cos(angle), radius * std::sin(angle), j * rise;
    }
  int face = 0;
  for (int j = 0; j < layers; ++j)
    for (int i = 0; i < around; ++i) {
      const int next = (i + 1) % around, below = j * around, above = below + around;
      faces.col(face++) << below + i, below + next, above + i;
      faces.col(face++) << below + next, above + next, above + i;
    }
  return make_surface("tube", "test", faces, x);
}

TEST(WaveModes, OfDecOnEquilateralTrianglesHaveTheTwoBranchesOfTheHexagonTriangleLattice) {
  // With edges a, ω²± = (4gH/a²) (3 ± √(3 + 2cos k₁ + 2cos k₂ + 2cos(k₁−k₂))). Waves along the tube alone
  // feel a chain of triangles that are joined by two edges and by one in turn, and its free ends: 3 ± √(5 +
  // 4cos θ) with θ = jπ/N, j = 0 … N−1 for the lower, physical branch and 1 … N for the upper one of the
  // alternating waves.
  constexpr int layers = 12;
  const Surface tube = equilateral_tube(8, layers);
  const Vector omega = all_frequencies("dec", tube.mesh, tube.x);
  const auto nearest = [&](double value) { return (omega.array() - value).abs().minCoeff(); };
  const auto branch = [](int j, double sign) {
    return std::sqrt(4 * test::gravity *
                     std::max(0.0, 3 + sign * std::sqrt(5 + 4 * std::cos(j * std::numbers::pi / layers))));
  };
  for (int j = 1; j < layers; ++j) EXPECT_LT(nearest(branch(j, -1)), 1e-10) << j;
  for (int j = 1; j <= layers; ++j) EXPECT_LT(nearest(branch(j, 1)), 1e-10) << j;
  EXPECT_LT(omega.maxCoeff(), std::sqrt(24 * test::gravity));  // the lattice's highest frequency
}

TEST(WaveModes, EachConnectedPartHasAConstantOne) {
  test::Trial simulation({.mesh = "icosphere:1"});
  const WaveSpectrum spectrum(*simulation.discretization, simulation.forces, simulation.volume());
  EXPECT_EQ(spectrum.constant_modes(), 1);
  EXPECT_EQ(spectrum.size(), 42);
  const WaveModes constant = spectrum.modes(0, 1);
  EXPECT_LT((constant.elevation.array() - 1).abs().maxCoeff(), 1e-12);
}

}  // namespace
}  // namespace shoal
