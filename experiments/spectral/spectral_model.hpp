// A spectral model of shallow water on a rotating sphere: reference solutions for scenes that have no formula.
#pragma once

#include "experiments/scenes/scene.hpp"
#include "experiments/spectral/spherical_transform.hpp"

namespace shoal {

struct SpectralState {
  VectorHarmonics velocity;  ///< m/s
  Harmonics depth;           ///< η, m
};

struct SpectralSetting {
  int truncation = 85;  ///< L
  double step = 0;      ///< s
  /// s: time in which the shortest waves, l = L, decay by e; those with l decay with the fourth power of l/L. 0: none.
  double damping_time = 0;
};

/// With n the normal, f = 2Ω·n and the bed b,
///
///     v_t = −(ζ + f) n×v − ∇(½v² + g(η + b)) − ν∇⁴v,    η_t = −∇·(ηv) − ν∇⁴(η + b),
///
/// in spherical harmonics up to L, by the classical Runge–Kutta method. Products are formed on a grid on which they are exact.
/// The hyperdiffusion ν acts exactly after each step.
class SpectralModel {
 public:
  /// Of a scene on a sphere of this radius. Throws Refusal if the surface moves, forces act besides gravity and rotation, land is dry,
  /// or a scheme defines the initial state.
  SpectralModel(const SceneInstance& scene, double radius, const SpectralSetting& setting);

  /// Throws Error if a value is not finite afterwards.
  void step();
  double time() const { return time_; }
  const SpectralState& state() const { return state_; }
  /// Relative to the start.
  double mass_drift() const;
  double energy_drift() { return energy() / first_energy_ - 1; }

 private:
  void rates(const SpectralState& state, SpectralState& rate);
  double energy();

  const SpectralSetting setting_;
  double radius_, gravity_;
  SphericalTransform transform_;
  Vector coriolis_, bed_;  // on the grid: f, 1/s; b, m
  Harmonics bed_harmonics_;
  Vector root_, decay_;  // √(l(l+1)) / R, 1/m; and what is left after a step
  SpectralState state_, stage_, rate_, sum_;
  double time_ = 0, first_energy_ = 0;
  std::complex<double> first_mass_;

  // work space
  TangentMap velocity_, product_;
  Vector depth_, vorticity_, head_;
  Harmonics scalar_;
  VectorHarmonics flux_;
};

}  // namespace shoal
