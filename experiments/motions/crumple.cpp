// Motion `crumple`: X + a ramp(t/T) Σ cᵢ sin(kᵢ·X + φᵢ + ωᵢ t), a sum of random waves.
#include "experiments/motions/common.hpp"

#include <random>

namespace shoal {
namespace {

struct CrumpleOptions {
  double amplitude = 0.1;  ///< m
  double wavelength = 1;   ///< m
  double period = 2;       ///< s
  static Options<CrumpleOptions> describe() {
    using O = CrumpleOptions;
    return Options<O>()
        .number("motion_amplitude", "m", &O::amplitude, 0, motion::unlimited,
                "rms displacement after one period")
        .number("motion_wavelength", "m", &O::wavelength, motion::min_positive, motion::unlimited,
                "length of the shortest wave")
        .number("motion_period", "s", &O::period, motion::min_positive, motion::unlimited,
                "time in which the waves grow to the amplitude; also the shortest period of a wave");
  }
};

Motion make(const Surface& surface, const CrumpleOptions& options, std::uint64_t seed) {
  return crumple(surface.x, options.amplitude, options.wavelength, options.period, seed);
}

}  // namespace

Motion crumple(const Points& rest, double amplitude, double wavelength, double period, std::uint64_t seed) {
  constexpr int waves = 24;
  std::mt19937_64 random(seed);
  const auto uniform = [&] { return 2 * (static_cast<double>(random() >> 11) * 0x1p-53) - 1; };  // [-1, 1)
  const auto in_ball = [&] {
    Vector3 v;
    do
      for (double& c : v) c = uniform();
    while (v.squaredNorm() > 1);
    return v;
  };
  struct RandomWave {
    Vector3 direction, number;
    double phase, frequency;
  };
  std::vector<RandomWave> sum(waves);
  double squares = 0;
  for (RandomWave& wave : sum) {
    wave.direction = in_ball();
    wave.number = motion::two_pi / wavelength * in_ball();
    wave.phase = std::numbers::pi * uniform();
    wave.frequency = motion::two_pi / period * uniform();
    squares += 0.5 * wave.direction.squaredNorm();
  }
  for (RandomWave& wave : sum) wave.direction *= amplitude / std::sqrt(squares);
  return Motion([=](double time, Points& x) {
           const double ramp = std::max(0.0, time / period);
           x = rest;
           for (const RandomWave& wave : sum)
             for (Eigen::Index i = 0; i < rest.cols(); ++i)
               x.col(i) += ramp *
                           std::sin(wave.number.dot(rest.col(i)) + wave.phase + wave.frequency * time) *
                           wave.direction;
         })
      .with_period(period)
      .with_corners({0});
}

MotionEntry crumple_motion() {
  return describe_motion({.name = "crumple",
                          .summary = "random smooth waves that grow without bound, so that triangles get "
                                     "worse and worse; the key seed selects them",
                          .random = true},
                         make);
}

}  // namespace shoal
