// Scene `standing-wave`: the free oscillations of a rectangular basin with walls, by linear theory (Lamb 1932, section 190):
//
//     h = a cos(kₓx) cos(k_y y) cos(ωt),    v_t = −g∇h,    kₓ = mπ/Lₓ, k_y = nπ/L_y,    ω = √(gH (kₓ² + k_y²)).
#include "experiments/scenes/common.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

struct StandingWaveOptions {
  StillWaterOptions water;
  double amplitude = 1e-6;  ///< a, m
  int along_x = 1, along_y = 1;
  static Options<StandingWaveOptions> describe() {
    using O = StandingWaveOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number(
            "amplitude", "m", &O::amplitude, -unlimited, unlimited,
            "a, elevation at the corner of least x and y; the solution neglects terms of the size of a/depth")
        .whole_number("m", "", &O::along_x, 0, 1000, "half wavelengths along x")
        .whole_number("n", "", &O::along_y, 0, 1000, "half wavelengths along y");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const StandingWaveOptions& options) {
  require_flat_basin(surface);
  if (options.along_x == 0 && options.along_y == 0)
    throw parameter_error("m", "0 with n = 0 is no wave; one of them must be positive");
  const double a = options.amplitude, depth = options.water.depth, gravity = options.water.fluid.gravity;
  require_wet(-std::abs(a), depth);
  const Vector3 low = surface.x.rowwise().minCoeff(), size = surface.x.rowwise().maxCoeff() - low;
  const Vector3 k = std::numbers::pi * Vector3(options.along_x / size.x(), options.along_y / size.y(), 0);
  const double frequency = std::sqrt(gravity * depth) * k.norm();

  SceneInstance instance = still_water(surface, options.water);
  const double period = 2 * std::numbers::pi / frequency;
  instance.end = 1.125 * period;  // neither the elevation nor the velocity is zero
  instance.sample_times = {0.25 * period, 0.5 * period, period, instance.end};
  const auto depth_at = [=](const Vector3& x, double time) {
    const Vector3 phase = k.cwiseProduct(x - low);
    return depth + a * std::cos(phase.x()) * std::cos(phase.y()) * std::cos(frequency * time);
  };
  const auto velocity_at = [=](const Vector3& x, double time) -> Vector3 {
    const Vector3 phase = k.cwiseProduct(x - low);
    return gravity * a / frequency * std::sin(frequency * time) *
           Vector3(k.x() * std::sin(phase.x()) * std::cos(phase.y()),
                   k.y() * std::cos(phase.x()) * std::sin(phase.y()), 0);
  };
  instance.initial.depth = [=](const Vector3& x) { return depth_at(x, 0); };
  instance.wave = {[=](const Vector3& x) {
                     const Vector3 phase = k.cwiseProduct(x - low);
                     return std::cos(phase.x()) * std::cos(phase.y());
                   },
                   frequency};
  instance.references = {solution_at_points(depth_at, velocity_at)};
  return instance;
}

}  // namespace

SceneEntry standing_wave_scene() {
  return describe_scene(
      {.name = "standing-wave",
       .summary = "a standing wave of a rectangular basin, a cos(mπx/Lₓ) cos(nπy/L_y), by linear theory",
       .source = "Lamb, Hydrodynamics (6th ed. 1932), section 190",
       .default_mesh = "rectangle:40x40:1x1"},
      make);
}

}  // namespace shoal
