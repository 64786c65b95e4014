// Spectra: every unknown is in one mode, physical and spurious waves are told apart.
#include "experiments/harness/spectrum/spectrum_file.hpp"

#include "experiments/harness/results/diff.hpp"
#include "experiments/harness/results/output.hpp"

#include "tests/support/message.hpp"
#include "tests/support/surfaces.hpp"
#include "tests/support/temporary.hpp"
#include "tests/support/trial.hpp"

#include <gtest/gtest.h>

#include <Eigen/QR>
#include <cmath>

namespace shoal {
namespace {

Spectrum spectrum(const std::string& scheme, const std::string& mesh, Index lowest = 0,
                  const std::string& more = "") {
  SpectrumRequest request;
  request.configuration =
      expand(test::catalog(), parse_experiment("scene = 'rest'\ndiscretization = '" + scheme + "'\nmesh = '" +
                                                   mesh + "'\n" + more,
                                               "test.toml"))
          .front()
          .configuration;
  request.lowest = lowest;
  return compute_spectrum(test::catalog(), request);
}

TEST(Spectrum, EveryUnknownIsInOneMode) {
  for (const std::string scheme : {"fefv", "dec", "kinetic"})
    for (const std::string mesh : {"icosphere:1", "torus:12x6", "torus:10x6:structured", "rectangle:6x4",
                                   "rectangle:6x4:structured"}) {
      const ModeCounts counts = spectrum(scheme, mesh).counts;
      EXPECT_EQ(counts.total(), counts.depth_unknowns + counts.velocity_unknowns) << scheme << " " << mesh;
      EXPECT_EQ(counts.constant, 1) << scheme << " " << mesh;
      EXPECT_EQ(counts.growing, 0) << scheme << " " << mesh;
    }
}

TEST(Spectrum, OfTwoSpheresIsThatOfOneTwice) {
  const test::TemporaryFolder folder;
  const std::string path = (folder / "two.off").string();
  test::write_off(test::two_spheres("icosphere:1"), path);
  for (const std::string scheme : {"fefv", "dec", "kinetic"}) {
    const ModeCounts one = spectrum(scheme, "icosphere:1").counts, two = spectrum(scheme, path).counts;
    EXPECT_EQ(two.constant, 2) << scheme;
    EXPECT_EQ(two.waves + two.spurious_waves, 2 * (one.waves + one.spurious_waves)) << scheme;
    if (scheme != "kinetic") {  // whose shares of continuous waves are known on one sphere only
      EXPECT_EQ(two.waves, 2 * one.waves) << scheme;
    }
    EXPECT_EQ(two.stationary, 2 * one.stationary) << scheme;
    EXPECT_EQ(two.spurious_stationary, 2 * one.spurious_stationary) << scheme;
    EXPECT_EQ(two.damped, 2 * one.damped) << scheme;
    EXPECT_EQ(two.spurious_damped, 2 * one.spurious_damped) << scheme;
  }
}

// A cylinder: no continuous spectrum is known here that could tell which waves are physical.
TEST(Spectrum, NoMoreWavesArePhysicalThanTheMeshResolves) {
  const std::string cylinder = "rectangle:12x4:periodic-x";  // 60 vertices, 96 triangles
  for (const std::string scheme : {"fefv", "dec", "kinetic"}) {
    const Spectrum found = spectrum(scheme, cylinder);
    EXPECT_LE(found.counts.waves + found.counts.constant, 60) << scheme;
    Index physical = 0;
    for (const DiscreteMode& mode : found.modes) physical += mode.angular_frequency > 0 && !mode.spurious;
    EXPECT_EQ(physical, found.counts.waves) << scheme;
    EXPECT_EQ(found.counts.total(), found.counts.depth_unknowns + found.counts.velocity_unknowns) << scheme;
  }
}

TEST(Spectrum, FlowsThatFeelNothingAreTheKernelOfTheDivergence) {
  for (const std::string scheme : {"fefv", "dec"})
    for (const std::string mesh : {"icosphere:1", "torus:12x6", "rectangle:6x4"}) {
      const ModeCounts counts = spectrum(scheme, mesh).counts;
      test::Trial simulation({.mesh = mesh, .discretization = scheme});
      const WaveSide wave(simulation.right_side);
      const Index flows = simulation.discretization->velocity().size;
      Eigen::MatrixXd divergence = Eigen::MatrixXd::Zero(counts.depth_unknowns, flows);
      Vector column = Vector::Zero(counts.depth_unknowns);
      for (Index j = 0; j < flows; ++j) {
        column.setZero();
        wave.add_outflow(Vector::Unit(flows, j), 1, Vector::Ones(wave.sites()), column);
        divergence.col(j) = column;
      }
      const auto rank = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>(divergence).rank();
      EXPECT_EQ(counts.stationary + counts.spurious_stationary, flows - rank) << scheme << " " << mesh;
      EXPECT_EQ(counts.waves + counts.spurious_waves, rank) << scheme << " " << mesh;
    }
}

TEST(Spectrum, OnTheSphereDecHasOneSpuriousWaveForEachTriangleThatVerticesAreShortOf) {
  const Spectrum found = spectrum("dec", "icosphere:2");
  EXPECT_EQ(found.counts.waves, 161);
  EXPECT_EQ(found.counts.spurious_waves, 320 - 162);
  EXPECT_EQ(found.counts.stationary, 161);
  EXPECT_EQ(found.counts.spurious_stationary, 0);
  double physical = 0, spurious = 0;
  for (const DiscreteMode& mode : found.modes) (mode.spurious ? spurious : physical) += mode.share;
  EXPECT_GT(physical / 162, 0.9);  // on a perfect lattice no wave of the lower branch has less than 3/4
  EXPECT_LT(spurious / 158, 0.1);
  EXPECT_NEAR(physical + spurious, 162, 1e-6);  // the dimension of the resolved space
}

TEST(Spectrum, OnTheSphereFefvHasSpuriousFlowsAndNoSpuriousWaves) {
  const ModeCounts counts = spectrum("fefv", "icosphere:2").counts;
  EXPECT_EQ(counts.spurious_waves, 0);
  EXPECT_EQ(counts.stationary, 161);
  EXPECT_EQ(counts.spurious_stationary, 2 * 320 - 161 - 161);
}

TEST(Spectrum, KineticWavesDecayAtARateOfFirstOrder) {
  std::vector<double> decay;
  for (const char* mesh : {"icosphere:1", "icosphere:2"}) {
    const Spectrum found = spectrum("kinetic", mesh);
    int lowest = 0;
    for (const DiscreteMode& mode : found.modes) {
      EXPECT_GT(mode.decay_rate, 0);
      if (mode.level != 1) continue;
      ++lowest;
      EXPECT_NEAR(mode.angular_frequency / std::sqrt(2 * 9.81), 1, 0.05);  // 3 % on 42 vertices
      if (lowest == 1) decay.push_back(mode.decay_rate);
    }
    EXPECT_EQ(lowest, 3) << mesh;
  }
  EXPECT_NEAR(decay[0] / decay[1], 2, 0.15);
}

TEST(Spectrum, TheLowestWavesAreTheFirstOfAll) {
  const Spectrum all = spectrum("dec", "icosphere:2"), some = spectrum("dec", "icosphere:2", 40);
  ASSERT_EQ(some.modes.size(), 40u);
  EXPECT_FALSE(some.all);
  for (std::size_t j = 1; j < 40; ++j)
    EXPECT_NEAR(some.modes[j].angular_frequency / all.modes[j].angular_frequency, 1, 1e-9);
}

TEST(Spectrum, WhatIsOutOfReachIsRefused) {
  EXPECT_THROW(spectrum("kinetic", "icosphere:4"), Refusal);
  EXPECT_THROW(spectrum("dec", "icosphere:5"), Refusal);
  EXPECT_THROW(spectrum("kinetic", "icosphere:1", 5), Refusal);
}

TEST(Spectrum, OfVeryDeepWaterTakesNoStepsAndHasAnEnd) {
  const auto highest = [](const std::string& depth) {
    return spectrum("fefv", "icosphere:1", 0, "parameters.depth = " + depth + "\n")
        .modes.back()
        .angular_frequency;
  };
  EXPECT_NEAR(highest("1e300") / highest("1"), 1e150, 1e140);
  for (const auto& [scheme, depth] : {std::pair("fefv", "1e308"), {"dec", "1e308"}, {"kinetic", "1e300"}})
    EXPECT_NE(test::message_of([&] {
                spectrum(scheme, "icosphere:1", 0, std::string("parameters.depth = ") + depth + "\n");
              }).find("m deep under gravity 9.81 m/s² exceed the largest number; reduce depth or gravity"),
              std::string::npos)
        << scheme;
}

TEST(Spectrum, FilesOfDifferentSpectraDiffer) {
  const test::TemporaryFolder folder;
  const auto write = [&](const std::string& name, const std::string& mesh) {
    const std::filesystem::path path = folder / name;
    hdf5::File file =
        create_results(test::catalog(), path, parse_experiment("scene = 'rest'", "test.toml"), "a test");
    record_spectrum(test::catalog(), file, spectrum("dec", mesh), true);
    file.close();
    return path;
  };
  const Results ellipsoid(write("a.h5", "ellipsoid:1:1,0.9,0.9")),
      same(write("b.h5", "ellipsoid:1:1,0.9,0.9"));
  const Results other(write("c.h5", "ellipsoid:1:1,0.9,0.8"));
  EXPECT_TRUE(diff(ellipsoid, same, {}).equal);
  EXPECT_FALSE(diff(ellipsoid, other, {}).equal);
  const hdf5::Group group = ellipsoid.root().open_group("spectrum");
  EXPECT_EQ(group.open_dataset("angular_frequency").extent(), (hdf5::Extent{80}));
  EXPECT_EQ(group.open_dataset("shapes").extent(), (hdf5::Extent{80, 80}));
  EXPECT_EQ(group.integer("spurious_waves"), 80 - 42);
}

TEST(Spectrum, TheTableHasARowPerLevel) {
  const TextTable grid = spectrum_grid(spectrum("fefv", "icosphere:2"), 5);
  ASSERT_EQ(grid.rows.size(), 5u);
  EXPECT_EQ(std::get<double>(grid.rows[1][1]), 5);  // l = 2
  EXPECT_EQ(std::get<double>(grid.rows[1][2]), 5);
  EXPECT_NEAR(std::get<double>(grid.rows[1][3]), std::sqrt(9.81 * 6), 1e-12);
}

}  // namespace
}  // namespace shoal
