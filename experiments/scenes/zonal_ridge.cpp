// Scene `zonal-ridge`: zonal flow along a ridge of the bed, on a sphere that rotates and shears below it.
#include "experiments/motions/moving_options.hpp"
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/planet.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

/// With the axis a, z = a·x/R and aₙ = −g, for any rotation angle α(z, t) of the mesh about a,
///
///     u = ω a×x,    h = ω²R²/2g (⅔ − z²),    H = H₀ (1 − b exp(−((z − z₀)/w)²)),    η = H + h
///
/// is steady in space: g∇h is the centrifugal force, and u is parallel to the lines of constant η. The bed moves with the
/// mesh, but is constant in space because no point leaves its circle of latitude. v = (ω − α_t) a×x.
struct ZonalRidge {
  Vector3 axis;
  double radius, depth, gravity, rate, height, middle, width;  // R, H₀, g, ω, b, z₀, w
  double turn, shear, period;

  double angle(double z, double time) const {
    const double phase = 2 * std::numbers::pi / period * time;
    return turn * (1 - std::cos(phase)) + shear * z * std::sin(phase);
  }
  double bed_at(const Vector3& x) const {
    const double z = (axis.dot(x.normalized()) - middle) / width;
    return depth * (1 - height * std::exp(-z * z));
  }
  double depth_at(const Vector3& x) const {
    const double z = axis.dot(x.normalized()), speed = rate * radius;
    return bed_at(x) + 0.5 * speed * speed / gravity * (2.0 / 3 - z * z);
  }
};

struct ZonalRidgeOptions {
  StillWaterOptions water;
  MovingOptions moving;
  double radius = 1;  ///< m
  Vector3 axis{0.3, -0.5, 1};
  double rate = 0.5;                               ///< ω, rad/s
  double height = 0.5, middle = 0.3, width = 0.3;  ///< b, z₀, w
  double turn = 0.3, shear = 0.2;                  ///< rad
  double period = 2;                               ///< s
  static Options<ZonalRidgeOptions> describe() {
    using O = ZonalRidgeOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .part(&O::moving, MovingOptions::describe())
        .number("radius", "m", &O::radius, min_positive, unlimited, "radius of the sphere")
        .direction("axis", "1", &O::axis, "axis of the flow, the ridge and the motion")
        .number("rate", "rad/s", &O::rate, -unlimited, unlimited,
                "ω, angular velocity of the fluid in the fixed frame")
        .number("height", "1", &O::height, -unlimited, 0.99,
                "b, height of the ridge / depth; negative: a trough")
        .number("middle", "1", &O::middle, -1, 1, "z₀ = cos θ of the circle along the crest of the ridge")
        .number("width", "1", &O::width, min_positive, unlimited, "w, half width in cos θ")
        .number("turn", "rad", &O::turn, -unlimited, unlimited,
                "A in the rotation angle α = A (1 − cos 2πt/T) + B z sin 2πt/T of the mesh")
        .number("shear", "rad", &O::shear, -unlimited, unlimited, "B in the rotation angle (see turn)")
        .number("period", "s", &O::period, min_positive, unlimited, "T in the rotation angle (see turn)");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const ZonalRidgeOptions& options) {
  require_sphere(surface, options.radius);
  const ZonalRidge flow{.axis = options.axis,
                        .radius = options.radius,
                        .depth = options.water.depth,
                        .gravity = options.water.fluid.gravity,
                        .rate = options.rate,
                        .height = options.height,
                        .middle = options.middle,
                        .width = options.width,
                        .turn = options.turn,
                        .shear = options.shear,
                        .period = options.period};
  SceneInstance instance = still_water(surface, options.water);
  instance.bed_depth = [flow](const Vector3& x) { return flow.bed_at(x); };
  instance.initial.depth = [flow](const Vector3& x) { return flow.depth_at(x); };
  require_wet_start(instance, surface, "rate, height, radius and gravity");
  instance.initial.velocity = [flow](const Vector3& x) -> Vector3 { return flow.rate * flow.axis.cross(x); };
  instance.starts_absolute = true;
  instance.motion = [flow, rest = surface.x](double time, Points& x) {
    x.resize(3, rest.cols());
    for (Eigen::Index i = 0; i < rest.cols(); ++i) {
      const Vector3 X = rest.col(i);
      x.col(i) = Eigen::AngleAxisd(flow.angle(flow.axis.dot(X) / flow.radius, time), flow.axis) * X;
    }
  };
  instance.motion.shortest_period = options.period;
  instance.references = {
      {.name = "",
       .depth =
           [flow](const Points& points, double /*time*/, Vector& depth) {
             depth.resize(points.cols());
             for (Eigen::Index i = 0; i < points.cols(); ++i) depth[i] = flow.depth_at(points.col(i));
           },
       .velocity = [flow](const Vector3& x, double) -> Vector3 { return flow.rate * flow.axis.cross(x); },
       .advection = true,
       .absolute = true}};
  if (options.moving.surface.carried_velocity != CarriedVelocity::circulation)
    instance.drop_references("it requires the momentum of Newton's law, carried_velocity = circulation");
  if (options.moving.inertia.inertia) instance.drop_references("it requires aₙ = −g, inertia = off");
  instance.end = 2;
  instance.sample_times = {1, 2};
  return instance;
}

}  // namespace

SceneEntry zonal_ridge_scene() {
  return describe_scene(
      {.name = "zonal-ridge",
       .summary =
           "zonal flow along a ridge of the bed, on a sphere whose mesh rotates and shears about the same "
           "axis: steady in the fixed frame (exact nonlinear solution); requires an advection scheme "
           "(--advection)",
       .source =
           "balance of gravity and centrifugal force; the bed moves with the mesh along circles of latitude",
       .default_mesh = "icosphere:4"},
      make);
}

}  // namespace shoal
