// Scene `shear-bump`: a bump of the velocity across a uniform flow, which carries it along, an exact solution of the nonlinear
// equations:
//
//     h = 0,    v = (U, A g(x − x₀ − Ut)),    g(x) = exp(−(x/w)²), repeated with the period of the plane.
#include "experiments/scenes/common.hpp"

#include <cmath>

namespace shoal {
namespace {

struct ShearBumpOptions {
  StillWaterOptions water;
  double flow = 1;         ///< U, m/s
  double amplitude = 0.1;  ///< A, m/s
  double width = 0.6;      ///< w, m
  static Options<ShearBumpOptions> describe() {
    using O = ShearBumpOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("flow", "m/s", &O::flow, -unlimited, unlimited, "U, along x")
        .number("amplitude", "m/s", &O::amplitude, -unlimited, unlimited, "A, largest velocity along y")
        .number("width", "m", &O::width, min_positive, unlimited, "w, at which the bump has fallen to 1/e");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const ShearBumpOptions& options) {
  const double period = require_periodic_plane(surface).x();
  const double start = surface.x.row(0).minCoeff() + 0.25 * period;
  const double flow = options.flow, amplitude = options.amplitude, width = options.width;
  const auto velocity_at = [=](const Vector3& x, double time) -> Vector3 {
    const double from_centre = std::remainder(x.x() - start - flow * time, period);
    double across = 0;
    for (int image = -2; image <= 2; ++image)
      across += std::exp(-std::pow((from_centre + image * period) / width, 2));
    return {flow, amplitude * across, 0};
  };
  SceneInstance instance = still_water(surface, options.water);
  const double depth = options.water.depth;
  instance.initial.velocity = [=](const Vector3& x) { return velocity_at(x, 0); };
  instance.references = {solution_at_points([=](const Vector3&, double) { return depth; }, velocity_at)};
  instance.references.front().advection = true;
  instance.end = flow == 0 ? 1 : 0.5 * period / std::abs(flow);
  instance.sample_times = {0.5 * instance.end, instance.end};
  return instance;
}

}  // namespace

SceneEntry shear_bump_scene() {
  return describe_scene(
      {.name = "shear-bump",
       .summary =
           "a bump of the velocity across a uniform flow on a periodic plane, carried along by the flow",
       .source = "an exact solution, v_t + U v_x = 0, for any depth and gravity",
       .default_mesh = "rectangle:100x4:10x0.4:structured:periodic",
       .default_advection = "vector-invariant"},
      make);
}

}  // namespace shoal
