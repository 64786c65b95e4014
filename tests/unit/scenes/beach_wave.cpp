// The wave on a beach: the equations by differences, the shoreline, and linear theory.
#include "experiments/scenes/beach_wave.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr double g = 9.81, slope = 0.1, unit = 2.5;
const BeachWave wave(slope, unit, 0.6, g);

TEST(BeachWave, SatisfiesTheEquations) {
  constexpr double step = 1e-4,
                   tolerance = 1e-7;  // differences of second order of fields of size and scale one
  const auto difference = [](auto&& f) { return (f(step) - f(-step)) / (2 * step); };
  for (const double part : {0.0, 0.13, 0.4, 0.77, 1.6})
    for (const double distance : {-0.05, -0.4, -2.0, -6.0}) {
      const double t = part * wave.period(), x = wave.shoreline(t) + distance;
      const BeachWave::Flow here = wave.at(x, t);
      EXPECT_NEAR(here.depth, here.elevation - slope * x, 1e-14);
      const double mass =
          difference([&](double e) { return wave.at(x, t + e).depth; }) + difference([&](double e) {
            const BeachWave::Flow flow = wave.at(x + e, t);
            return flow.depth * flow.velocity;
          });
      const double momentum =
          difference([&](double e) { return wave.at(x, t + e).velocity; }) +
          here.velocity * difference([&](double e) { return wave.at(x + e, t).velocity; }) +
          g * difference([&](double e) { return wave.at(x + e, t).elevation; });
      EXPECT_NEAR(mass, 0, tolerance) << x << " " << t;
      EXPECT_NEAR(momentum, 0, tolerance) << x << " " << t;
    }
}

TEST(BeachWave, MovesItsShorelineWithTheWater) {
  constexpr double step = 1e-5;
  double least = 0, greatest = 0;
  for (int i = 0; i < 40; ++i) {
    const double t = wave.period() * i / 40, shore = wave.shoreline(t);
    const double speed = (wave.shoreline(t + step) - wave.shoreline(t - step)) / (2 * step);
    EXPECT_NEAR(wave.at(shore - 1e-9, t).velocity, speed, 1e-6);
    EXPECT_NEAR(wave.at(shore - 1e-9, t).depth, 0, 1e-8);
    EXPECT_EQ(wave.at(shore + 1e-9, t).depth, 0);
    EXPECT_NEAR(wave.shoreline(t + wave.period()), shore, 1e-12);
    least = std::min(least, shore);
    greatest = std::max(greatest, shore);
  }
  EXPECT_NEAR(greatest, 0.15 * unit, 1e-3);  // A/4, at rest
  EXPECT_NEAR(least, -0.15 * unit, 1e-3);
}

TEST(BeachWave, TendsToLinearTheory) {  // h = −(A/4) J₀(4√(−x)) sin 2t
  const BeachWave small(slope, unit, 1e-5, g);
  const double t = 0.3 * small.period(), x = -1.7;
  const double linear = -0.25e-5 * slope * unit * std::cyl_bessel_j(0.0, 4 * std::sqrt(1.7 / unit)) *
                        std::sin(2 * 0.3 * 3.14159265358979);
  EXPECT_NEAR(small.at(x, t).elevation / linear, 1, 1e-4);
}

}  // namespace
}  // namespace shoal
