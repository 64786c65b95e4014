// The waves of a scheme: eigenvectors of its own operators, and what runs do to one of them.
#pragma once

#include "tests/support/simulation.hpp"

namespace shoal::test {

struct Mode {
  double angular_frequency;  ///< 1/s
  Vector elevation;          ///< [cells] h, largest value 1
};

/// All modes at the simulation's state, ascending, by dense elimination: K(s η̄) p = ω² (A/r) p, h = p/r.
/// For small meshes.
std::vector<Mode> wave_modes(const Simulation& simulation);

/// What one step multiplies a wave by, measured: runs η = H + amplitude·mode from rest and fits
/// c_{n+2} = trace c_{n+1} − determinant c_n to its amplitudes, over `least_steps` or half a period, fewer
/// where the wave decays or grows fast. The state that comes in must be at rest.
Amplification measure_amplification(Simulation& simulation, const Mode& mode, double amplitude, double dt,
                                    int least_steps = 24);

/// The phase in [0, π] that has the same cosine.
double folded(double phase);

}  // namespace shoal::test
