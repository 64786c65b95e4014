// What linear theory says one step does to one wave. Tests and experiments hold runs against it.
#pragma once

#include "discretizations/common/parameters.hpp"

namespace shoal {

/// One step of a standing wave of a scheme with adjoint operators (Wave): h_t = w, w_t = −ω² h, where ω is
/// the angular frequency of the scheme's own operators.
struct WaveStep {
  double angular_frequency;  ///< ω, 1/s
  double dt;                 ///< s
  int substeps;
  const Parameters& parameters;  ///< of the integrator

  double a() const { return angular_frequency * dt; }
};

/// What one step multiplies the wave by: z = modulus·e^{±i·phase}, phase ≥ 0, for one turn of the wave 2π.
struct Amplification {
  double modulus;
  double phase;

  /// That of `steps` steps.
  Amplification repeated(int steps) const;
};

/// The factor of larger modulus of a step whose matrix on (h, Δt·w) has this trace and determinant: a root of
/// z² − trace·z + determinant.
Amplification dominant_factor(double trace, double determinant);

}  // namespace shoal
