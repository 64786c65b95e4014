// Scene `shear-bump`: a bump of the velocity on a uniform flow, which carries it along. With g(x) = exp(−(x/w)²), repeated with the
// period of the plane:
//
//     across   h = 0,            v = (U, A g(x − x₀ − Ut)),    exact for the nonlinear equations
//     along    η = H/(1 + t u₀′(ξ)),    v = (u₀(ξ), 0),    u₀ = U + A g(x − x₀),    ξ = x − u₀(ξ) t,    exact without gravity, until
//              the bump breaks at t = −1/min u₀′
#include "experiments/scenes/common.hpp"

#include <cmath>
#include <type_traits>
#include <utility>

namespace shoal {
namespace {

enum class BumpDirection { across, along };

struct ShearBumpOptions {
  StillWaterOptions water;
  BumpDirection direction = BumpDirection::across;
  double flow = 1;         ///< U, m/s
  double amplitude = 0.1;  ///< A, m/s
  double width = 0.6;      ///< w, m
  static Options<ShearBumpOptions> describe() {
    using O = ShearBumpOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .choice("bump", &O::direction, {{"across", BumpDirection::across}, {"along", BumpDirection::along}},
                "direction of the velocity of the bump, across the flow or along it; along: the solution "
                "neglects gravity, for "
                "√(gH) far below the amplitude, e.g. with gravity = 1e-8")
        .number("flow", "m/s", &O::flow, -unlimited, unlimited, "U, along x")
        .number("amplitude", "m/s", &O::amplitude, -unlimited, unlimited, "A, largest velocity of the bump")
        .number("width", "m", &O::width, min_positive, unlimited, "w, at which the bump has fallen to 1/e");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const ShearBumpOptions& options) {
  const double period = require_periodic_plane(surface).x();
  const double start = surface.x.row(0).minCoeff() + 0.25 * period;
  const double flow = options.flow, width = options.width, depth = options.water.depth;
  // A g and A g′ at a distance from the centre.
  const auto bump = [=, amplitude = options.amplitude](double x) {
    const double from_centre = std::remainder(x, period);
    std::pair<double, double> sum;
    for (int image = -2; image <= 2; ++image) {
      const double at = (from_centre + image * period) / width, g = amplitude * std::exp(-at * at);
      sum.first += g;
      sum.second -= 2 * at / width * g;
    }
    return sum;
  };
  const bool along = options.direction == BumpDirection::along;
  // ξ − x₀ − Ut, by Newton's method.
  const auto origin = [=](const Vector3& x, double time) {
    const double moved = x.x() - start - flow * time;
    double at = moved;
    for (int i = 0; along && i < 30; ++i) {
      const auto [g, slope] = bump(at);
      at -= (at + g * time - moved) / (1 + time * slope);
    }
    return at;
  };
  const auto velocity_at = [=](const Vector3& x, double time) -> Vector3 {
    const double g = bump(origin(x, time)).first;
    return along ? Vector3(flow + g, 0, 0) : Vector3(flow, g, 0);
  };
  const auto depth_at = [=](const Vector3& x, double time) {
    return along ? depth / (1 + time * bump(origin(x, time)).second) : depth;
  };
  SceneInstance instance = still_water(surface, options.water);
  instance.initial.velocity = [=](const Vector3& x) { return velocity_at(x, 0); };
  // The steepest slope of the bump is A √(2/e)/w.
  const double breaks = width / (std::abs(options.amplitude) * std::sqrt(2 / std::exp(1.0)));
  const auto until_it_breaks = [=](const auto& solution) {
    return [=](const Vector3& x,
               double time) -> std::invoke_result_t<decltype(solution), const Vector3&, double> {
      if (along && time >= breaks) return solution(x, 0) * std::numeric_limits<double>::quiet_NaN();
      return solution(x, time);
    };
  };
  instance.references = {solution_at_points(until_it_breaks(depth_at), until_it_breaks(velocity_at))};
  instance.references.front().advection = true;
  instance.end = flow == 0 ? 1 : 0.4 * period / std::abs(flow);
  instance.sample_times = {0.5 * instance.end, instance.end};
  return instance;
}

}  // namespace

SceneEntry shear_bump_scene() {
  return describe_scene(
      {.name = "shear-bump",
       .summary =
           "a bump of the velocity across or along a uniform flow on a periodic plane, carried by the flow",
       .source = "across: an exact solution, v_t + U v_x = 0; along: Burgers' equation u_t + u u_x = 0",
       .default_mesh = "rectangle:100x4:10x0.4:structured:periodic",
       .default_advection = "vector-invariant"},
      make);
}

}  // namespace shoal
