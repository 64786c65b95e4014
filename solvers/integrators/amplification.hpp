// The effect of one step on one wave by linear theory; tests and experiments compare runs with it.
#pragma once

#include "discretizations/common/parameters.hpp"

namespace shoal {

/// One step of a standing wave of a scheme with adjoint operators (Wave): h_t = w, w_t = −ω² h, where ω is
/// the angular frequency of the discrete operators.
struct WaveStep {
  double angular_frequency;  ///< ω, 1/s
  double dt;                 ///< s
  int substeps;
  const Parameters& parameters;  ///< of the integrator

  double a() const { return angular_frequency * dt; }
};

/// The factor by which one step multiplies the wave: z = modulus·e^{±i·phase}, phase ≥ 0, 2π per period.
struct Amplification {
  double modulus;
  double phase;

  /// The factor of `steps` steps.
  Amplification repeated(int steps) const;
};

/// The larger root, by modulus, of z² − trace·z + determinant, for a step whose matrix on (h, Δt·w) has this trace and
/// determinant.
Amplification dominant_factor(double trace, double determinant);

}  // namespace shoal
