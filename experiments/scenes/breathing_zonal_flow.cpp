// Scene `breathing-zonal-flow`: zonal flow on a sphere that expands and contracts, balanced at all times.
#include "experiments/motions/moving_options.hpp"
#include "experiments/scenes/common.hpp"

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// With constant aₙ = −g and the axis a, for any radius R(t), s = 1 − (a·x/R)²:
///
///     v = ω a×x,  ω = ω₀ (R₀/R)²,    η = (R₀/R)² (η₀ + ω₀²R₀² s/2g).
///
/// Mass per area, the balance g∇η = centrifugal force and angular momentum all scale like R⁻².
struct BreathingZonalFlow {
  Vector3 axis;
  double radius, depth, gravity, rate, amplitude, period;

  double radius_at(double time) const {
    return radius * (1 + 0.5 * amplitude * (1 - std::cos(2 * std::numbers::pi * time / period)));
  }
  double depth_at(const Vector3& x, double time) const {
    const double cosine = axis.dot(x.normalized()), growth = radius_at(time) / radius;
    const double speed = rate * radius;
    return (depth + 0.5 * speed * speed * (1 - cosine * cosine) / gravity) / (growth * growth);
  }
  Vector3 velocity_at(const Vector3& x, double time) const {
    const double growth = radius_at(time) / radius;
    return rate / (growth * growth) * axis.cross(x);
  }
};

struct BreathingZonalFlowOptions {
  FluidOptions fluid;
  MovingOptions moving;
  double radius = 1, depth = 1;  ///< m
  Vector3 axis{0.3, -0.5, 1};
  double rate = 0.5;       ///< ω₀, rad/s
  double amplitude = 0.5;  ///< of the radius, over R₀
  double period = 4;       ///< s
  static Options<BreathingZonalFlowOptions> describe() {
    using O = BreathingZonalFlowOptions;
    return Options<O>()
        .part(&O::fluid, FluidOptions::describe())
        .part(&O::moving, MovingOptions::describe())
        .number("radius", "m", &O::radius, min_positive, unlimited, "R₀, radius of the sphere at t = 0")
        .number("depth", "m", &O::depth, min_positive, unlimited, "η₀, depth at the poles at t = 0")
        .direction("axis", "1", &O::axis, "axis of the flow")
        .number("rate", "rad/s", &O::rate, -unlimited, unlimited,
                "ω₀, angular velocity of the fluid at t = 0")
        .number("amplitude", "1", &O::amplitude, -0.9, 10, "the radius grows from R₀ to (1 + a) R₀, and back")
        .number("period", "s", &O::period, min_positive, unlimited, "period of the oscillation");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const BreathingZonalFlowOptions& options) {
  require_sphere(surface, options.radius);
  const BreathingZonalFlow flow{options.axis, options.radius,    options.depth, options.fluid.gravity,
                                options.rate, options.amplitude, options.period};
  SceneInstance instance = still_water(surface, options.fluid, flow.depth);
  instance.initial.depth = [flow](const Vector3& x) { return flow.depth_at(x, 0); };
  instance.initial.velocity = [flow](const Vector3& x) { return flow.velocity_at(x, 0); };
  instance.motion = [flow, rest = surface.x](double time, Points& x) {
    x = (flow.radius_at(time) / flow.radius) * rest;
  };
  instance.motion.shortest_period = options.period;
  instance.references = {
      {.name = "",
       .depth =
           [flow](const Points& points, double time, Vector& depth) {
             depth.resize(points.cols());
             for (Eigen::Index i = 0; i < points.cols(); ++i) depth[i] = flow.depth_at(points.col(i), time);
           },
       .velocity = [flow](const Vector3& x, double time) { return flow.velocity_at(x, time); },
       .advection = true}};
  // ẋ is radial, so that v is also the velocity in space; on the facets the two differ.
  instance.references.push_back(instance.references.front());
  instance.references.back().name = "absolute";
  instance.references.back().absolute = true;
  instance.end = 0.5 * options.period;
  instance.sample_times = {0.25 * options.period, 0.5 * options.period};
  return instance;
}

}  // namespace

SceneEntry breathing_zonal_flow_scene() {
  return describe_scene(
      {.name = "breathing-zonal-flow",
       .summary =
           "zonal flow on a sphere whose radius oscillates (exact nonlinear solution): angular momentum is "
           "conserved; requires an advection scheme (--advection)",
       .source = "conservation of mass and angular momentum",
       .default_mesh = "icosphere:4"},
      make);
}

}  // namespace shoal
