// Scene `sphere-mode`: a standing wave of one spherical harmonic, exact for the linear equations.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/spherical_harmonic.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {
namespace {

constexpr int largest_degree = 30;

struct SphereModeOptions {
  StillWaterOptions water;
  double radius = 1;        ///< m
  double amplitude = 1e-4;  ///< m
  int l = 4, m = 0;
  static Options<SphereModeOptions> describe() {
    using O = SphereModeOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("radius", "m", &O::radius, min_positive, unlimited, "radius of the sphere")
        .number(
            "amplitude", "m", &O::amplitude, -unlimited, unlimited,
            "largest elevation a; the solution solves the linear equations, with an error of about a/depth")
        .whole_number("l", "1", &O::l, 1, largest_degree, "degree of the harmonic")
        .whole_number("m", "1", &O::m, -largest_degree, largest_degree,
                      "order, |m| <= l: cos mφ for m >= 0, sin |m|φ for m < 0");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const SphereModeOptions& options) {
  const int l = options.l, m = options.m;
  if (std::abs(m) > l) throw parameter_error("m", fmt::format("{} is outside [-l, l] = [{}, {}]", m, -l, l));
  const double radius = options.radius, depth = options.water.depth, amplitude = options.amplitude;
  require_sphere(surface, radius);
  require_wet(-std::abs(amplitude), depth);

  SceneInstance instance = still_water(surface, options.water);
  instance.end = 2;
  instance.sample_times = {0.5, 1.0, 1.5, 2.0};
  const double frequency = std::sqrt(instance.gravity * depth * l * (l + 1)) / radius;
  const SphericalHarmonic harmonic(l, m);
  instance.initial.depth = [=](const Vector3& x) { return depth + amplitude * harmonic(x.normalized()); };
  instance.references = {{"", [=](const Points& points, double time, Vector& values) {
                            const double now = amplitude * std::cos(frequency * time);
                            values.resize(points.cols());
                            for (Eigen::Index i = 0; i < points.cols(); ++i)
                              values[i] = depth + now * harmonic(points.col(i).normalized());
                          }}};
  return instance;
}

}  // namespace

SceneEntry sphere_mode_scene() {
  return describe_scene(
      {.name = "sphere-mode",
       .summary = "standing wave η = H + a·Y_lm·cos ωt on a sphere, ω = √(gH l(l+1))/R, max |Y_lm| = 1",
       .source = "linear theory: ∇²Y = −l(l+1)Y/R²; velocity v = −(ga/ω) sin ωt ∇Y, initially at rest",
       .default_mesh = "icosphere:4",
       .default_dt = 1.0 / 60},
      make);
}

}  // namespace shoal
