// Scene `inertia-gravity-wave`: a plane wave on a rotating plane, by linear theory, ω² = f² + gH|k|². The velocity of fefv is of first order
// without --advection vector-invariant (fefv.md, Projection of the rotation).
#include "experiments/scenes/common.hpp"

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// With the phase φ = k·x − ωt and f = 2Ω, where n is the normal of the plane,
///
///     h = a cos φ,    v = a/(H|k|²) (ω k cos φ + f n×k sin φ);
///
/// h_t + H ∇·v = 0 and v_t + f n×v + g∇h = 0.
struct PlaneWave {
  Vector3 k, across;                        // k, n×k
  double depth, amplitude, coriolis, rate;  // H, a, f, ω

  double phase(const Vector3& x, double time) const { return k.dot(x) - rate * time; }
  double depth_at(const Vector3& x, double time) const {
    return depth + amplitude * std::cos(phase(x, time));
  }
  Vector3 velocity_at(const Vector3& x, double time) const {
    const double at = phase(x, time);
    return amplitude / (depth * k.squaredNorm()) *
           (rate * std::cos(at) * k + coriolis * std::sin(at) * across);
  }
};

struct InertiaGravityWaveOptions {
  StillWaterOptions water;
  double amplitude = 1e-6;  ///< a, m
  int along_x = 1, along_y = 0;
  double coriolis = 5;  ///< Ω, rad/s
  static Options<InertiaGravityWaveOptions> describe() {
    using O = InertiaGravityWaveOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("amplitude", "m", &O::amplitude, -unlimited, unlimited,
                "a, highest elevation; the solution neglects terms of the size of a/depth")
        .whole_number("m", "", &O::along_x, -1000, 1000, "wavelengths along x")
        .whole_number("n", "", &O::along_y, -1000, 1000, "wavelengths along y")
        .number("coriolis", "rad/s", &O::coriolis, -unlimited, unlimited,
                "angular velocity Ω of the frame about the normal, f = 2Ω");
  }
};

SceneInstance make(const Surface& surface, const Geometry& geometry,
                   const InertiaGravityWaveOptions& options) {
  const Vector3 period = require_periodic_plane(surface);
  if (options.along_x == 0 && options.along_y == 0)
    throw parameter_error("m", "0 with n = 0 is no wave; one of them must not be zero");
  const double depth = options.water.depth, f = 2 * options.coriolis;
  require_wet(-std::abs(options.amplitude), depth);
  const Vector3 normal = geometry.face_normal.col(0);
  const Vector3 k =
      2 * std::numbers::pi * Vector3(options.along_x / period.x(), options.along_y / period.y(), 0);
  const PlaneWave wave{k,     normal.cross(k),
                       depth, options.amplitude,
                       f,     std::sqrt(f * f + options.water.fluid.gravity * depth * k.squaredNorm())};

  SceneInstance instance = still_water(surface, options.water);
  instance.forcing.rotation = options.coriolis * normal;
  instance.initial.depth = [wave](const Vector3& x) { return wave.depth_at(x, 0); };
  instance.initial.velocity = [wave](const Vector3& x) { return wave.velocity_at(x, 0); };
  instance.references = {
      solution_at_points([wave](const Vector3& x, double time) { return wave.depth_at(x, time); },
                         [wave](const Vector3& x, double time) { return wave.velocity_at(x, time); })};
  instance.end = 2 * std::numbers::pi / wave.rate;
  instance.sample_times = {0.5 * instance.end, instance.end};
  return instance;
}

}  // namespace

SceneEntry inertia_gravity_wave_scene() {
  return describe_scene({.name = "inertia-gravity-wave",
                         .summary = "a plane wave on a rotating, doubly periodic plane, by linear theory",
                         .source = "Pedlosky, Geophysical Fluid Dynamics (2nd ed. 1987), section 3.9",
                         .default_mesh = "rectangle:40x40:1x1:periodic"},
                        make);
}

}  // namespace shoal
