// Scene `spin-up`: still water on a sphere that starts to rotate and may stop again, with or without friction.
#include "experiments/motions/moving_options.hpp"
#include "experiments/scenes/common.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// From 0 at t = 0 to 1 at t = τ, S = ½ (1 − cos kt) with k = π/τ.
struct SmoothStep {
  double duration;  ///< τ, s

  /// ∫₀ᵗ S, s
  double integral(double t) const {
    const double within = std::clamp(t, 0.0, duration), k = std::numbers::pi / duration;
    return 0.5 * (within - std::sin(k * within) / k) + std::max(0.0, t - duration);
  }
  /// y with y' = −c (y − S), y(0) = 0.
  double followed(double t, double c) const {
    const double within = std::clamp(t, 0.0, duration), k = std::numbers::pi / duration,
                 decayed = std::exp(-c * within);
    const double y =
        0.5 * (1 - decayed) -
        0.5 * c / (c * c + k * k) * (c * std::cos(k * within) + k * std::sin(k * within) - c * decayed);
    return 1 + (y - 1) * std::exp(-c * std::max(0.0, t - duration));
  }
};

/// A sphere of radius R rotates about a at Ω(t) = Ω₁ (S(t) − S(t − t₁)), and the water follows it by friction v_t = −c v, where v is
/// its velocity relative to the sphere. If gravity is strong the water rotates as a rigid body, and in space
///
///     ω' = −c (ω − Ω(t)),    u = ω a×x,    η = H + ω²R²/2g (sin²θ − ⅔).
///
/// Two effects of a changing ω are neglected: the depth follows ω through a flow between poles and equator, which carries angular
/// momentum, of relative order Fr² = Ω₁²R²/gH; and η follows ω with a lag, of relative order c²R²/6gH. Both vanish without friction:
/// ω = 0 for any Ω(t) is exact.
struct SpinUp {
  Vector3 axis;
  double radius, depth, gravity, rate, friction, stop;
  SmoothStep step;

  double angle(double time) const { return rate * (step.integral(time) - step.integral(time - stop)); }
  /// ω
  double water_rate(double time) const {
    return rate * (step.followed(time, friction) - step.followed(time - stop, friction));
  }
  double depth_at(const Vector3& x, double time) const {
    const double speed = water_rate(time) * radius, cosine = axis.dot(x.normalized());
    return depth + 0.5 * speed * speed / gravity * (1.0 / 3 - cosine * cosine);
  }
};

struct SpinUpOptions {
  StillWaterOptions water;
  MovingOptions moving;
  double radius = 1;  ///< m
  Vector3 axis{0.3, -0.5, 1};
  double rate = 0.1;    ///< Ω₁, rad/s
  double ramp = 1;      ///< τ, s
  double stop = 4;      ///< t₁, s
  double friction = 1;  ///< c, 1/s
  static Options<SpinUpOptions> describe() {
    using O = SpinUpOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .part(&O::moving, MovingOptions::describe())
        .number("radius", "m", &O::radius, min_positive, unlimited, "radius of the sphere")
        .direction("axis", "1", &O::axis, "axis of rotation of the sphere")
        .number("rate", "rad/s", &O::rate, -unlimited, unlimited,
                "Ω₁, angular velocity of the sphere; Ω₁²R²/gH must be small")
        .number("ramp", "s", &O::ramp, 1e-6, unlimited, "τ, time in which the sphere starts and stops")
        .number("stop", "s", &O::stop, 0, unlimited, "time at which the sphere starts to stop")
        .number("friction", "1/s", &O::friction, 0, unlimited,
                "linear friction c, v_t = −c v relative to the sphere; 0: the water stays at rest in the "
                "fixed frame");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const SpinUpOptions& options) {
  require_sphere(surface, options.radius);
  const SpinUp flow{options.axis, options.radius,   options.water.depth, options.water.fluid.gravity,
                    options.rate, options.friction, options.stop,        {options.ramp}};
  SceneInstance instance = still_water(surface, options.water);
  instance.motion = [flow, rest = surface.x](double time, Points& x) {
    x = Eigen::AngleAxisd(flow.angle(time), flow.axis).toRotationMatrix() * rest;
  };
  instance.references = {{.name = "",
                          .depth =
                              [flow](const Points& points, double time, Vector& depth) {
                                depth.resize(points.cols());
                                for (Eigen::Index i = 0; i < points.cols(); ++i)
                                  depth[i] = flow.depth_at(points.col(i), time);
                              },
                          .velocity = [flow](const Vector3& x, double time) -> Vector3 {
                            return flow.water_rate(time) * flow.axis.cross(x);
                          },
                          .advection = true,
                          .absolute = true,
                          .friction = true}};
  if (options.moving.surface.carried_velocity != CarriedVelocity::circulation)
    instance.drop_references("it requires the momentum of Newton's law, carried_velocity = circulation");
  if (options.moving.inertia.inertia) instance.drop_references("it requires aₙ = −g, inertia = off");
  instance.end = 8;
  instance.sample_times = {4, 8};
  return instance;
}

}  // namespace

SceneEntry spin_up_scene() {
  return describe_scene(
      {.name = "spin-up",
       .summary =
           "still water on a sphere that starts to rotate and stops: with friction it follows as a rigid "
           "body, ω' = −c (ω − Ω(t)); without friction it stays at rest in the fixed frame; "
           "requires an advection scheme (--advection)",
       .source = "balance of angular momentum under linear friction, for Ω₁²R²/gH and c²R²/gH small",
       .default_mesh = "icosphere:4"},
      make);
}

}  // namespace shoal
