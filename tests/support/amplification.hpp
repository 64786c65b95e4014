// Measures the effect of a step on one wave of a scheme's own operators.
#pragma once

#include "tests/support/trial.hpp"

namespace shoal::test {

/// A mode of WaveSpectrum: h cos ωt.
struct StandingWave {
  double angular_frequency;  ///< 1/s
  Vector elevation;          ///< [cells] h, largest value 1
};

/// Measures the factor by which one step multiplies a wave: runs η = H + amplitude·wave from rest and fits c_{n+2} = trace c_{n+1}
/// − determinant c_n to its amplitudes, over `min_steps` or half a period, but fewer steps if the wave decays or grows fast. The
/// initial state must be at rest.
Amplification measure_amplification(Trial& simulation, const StandingWave& wave, double amplitude, double dt,
                                    int min_steps = 24);

/// The phase in [0, π] that has the same cosine.
double folded(double phase);

}  // namespace shoal::test
