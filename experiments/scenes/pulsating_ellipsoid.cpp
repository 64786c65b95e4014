// Scenes `pulsating-ellipsoid` and `pulsating-ellipsoid-2007`: manufactured solutions on a moving surface, of Newton's law and of
// the model of Angst 2007.
#include "experiments/scenes/pulsating_ellipsoid.hpp"

#include "experiments/motions/moving_options.hpp"
#include "experiments/scenes/common.hpp"

#include <cmath>
#include <numbers>

namespace shoal {

/// The quantities that depend only on time.
struct EllipsoidFlow::FrameSnapshot {
  Vector3 axes, axes_rate, axes_acceleration;  // F, Ḟ, F̈
  double jacobian;                             // det F
  double mu, mu_rate;                          // coefficients of p in μ and μ_t
  double flux, swirl;                          // α, β
  double flux_rate, swirl_rate;
};

EllipsoidFlow::FrameSnapshot EllipsoidFlow::at(double time) const {
  const double turn = 2 * std::numbers::pi / period, s = epsilon * std::sin(turn * time);
  const double w = wave_frequency, sine = std::sin(w * time), cosine = std::cos(w * time);
  const Vector3 change(1, -0.5, 0.25), axes = Vector3::Ones() + s * change,
                                       axes_rate = epsilon * turn * std::cos(turn * time) * change,
                                       axes_acceleration = -turn * turn * s * change;
  const double a = amplitude * w / 6, b = amplitude * w;
  return {axes,       axes_rate,  axes_acceleration, axes.prod(),  amplitude * sine, amplitude * w * cosine,
          a * cosine, b * cosine, -a * w * sine,     -b * w * sine};
}

namespace {

// p = xy and q = xz: harmonic polynomials of degree 2, −Δp = 6p on the unit sphere.
double p(const Vector3& x) {
  return x.x() * x.y();
}
Vector3 p_gradient(const Vector3& x) {
  return {x.y(), x.x(), 0};
}
Vector3 q_gradient(const Vector3& x) {
  return {x.z(), 0, x.x()};
}
Vector3 p_hessian(const Vector3& v) {
  return {v.y(), v.x(), 0};
}
Vector3 q_hessian(const Vector3& v) {
  return {v.z(), 0, v.x()};
}

Vector3 gradient_on_sphere(const Vector3& x) {
  return p_gradient(x) - 2 * p(x) * x;
}
Vector3 swirl_on_sphere(const Vector3& x) {
  return x.cross(q_gradient(x));
}

}  // namespace

Vector3 EllipsoidFlow::position(const Vector3& material, double time) const {
  return at(time).axes.cwiseProduct(material);
}

Vector3 EllipsoidFlow::material(const Vector3& point, double time) const {
  return point.cwiseQuotient(at(time).axes).normalized();
}

double EllipsoidFlow::depth(const Vector3& x, double time) const {
  const FrameSnapshot now = at(time);
  return (rest_depth + now.mu * p(x)) / (now.jacobian * x.cwiseQuotient(now.axes).norm());
}

Vector3 EllipsoidFlow::material_velocity(const Vector3& x, double time) const {
  const FrameSnapshot now = at(time);
  const double carried = equations == Equations::linear ? 0 : now.mu * p(x);
  return (now.flux * gradient_on_sphere(x) + now.swirl * swirl_on_sphere(x)) / (rest_depth + carried);
}

Vector3 EllipsoidFlow::velocity(const Vector3& x, double time) const {
  return at(time).axes.cwiseProduct(material_velocity(x, time));
}

Vector3 EllipsoidFlow::absolute_velocity(const Vector3& x, double time) const {
  return at(time).axes_rate.cwiseProduct(x) + velocity(x, time);
}

Vector3 EllipsoidFlow::force(const Vector3& x, double time) const {
  const FrameSnapshot now = at(time);
  const Vector3 inverse = now.axes.cwiseInverse();
  const Vector3 cofactor = inverse.cwiseProduct(x);  // F⁻ᵀX, along the normal
  const double stretch = cofactor.norm(), mu = rest_depth + now.mu * p(x);
  const Vector3 normal = cofactor / stretch;
  const Vector3 v = material_velocity(x, time);

  const Vector3 flux_rate = now.flux_rate * gradient_on_sphere(x) + now.swirl_rate * swirl_on_sphere(x);
  Vector3 rate = flux_rate / rest_depth;  // V_t
  if (equations != Equations::linear) rate = flux_rate / mu - now.mu_rate * p(x) / mu * v;
  if (equations == Equations::full || equations == Equations::in_space) {
    const Vector3 along_v = now.flux * (p_hessian(v) - 2 * p_gradient(x).dot(v) * x - 2 * p(x) * v) +
                            now.swirl * (v.cross(q_gradient(x)) + x.cross(q_hessian(v)));
    rate += along_v / mu - now.mu * p_gradient(x).dot(v) / mu * v;
  }
  // ∇h, h = μ/J − H, from its gradient in X: F⁻ᵀ∇, its tangential part.
  const double area = now.jacobian * stretch;
  const Vector3 area_gradient = now.jacobian / stretch * inverse.cwiseProduct(cofactor);
  const Vector3 gradient =
      inverse.cwiseProduct(now.mu * p_gradient(x) / area - mu / (area * area) * area_gradient);
  Vector3 total = now.axes.cwiseProduct(rate) + gravity * gradient;
  if (equations == Equations::in_space)
    total += now.axes_acceleration.cwiseProduct(x) + 2 * now.axes_rate.cwiseProduct(v);
  return total - normal.dot(total) * normal;
}

namespace {

/// The options shared by both scenes.
struct EllipsoidOptions {
  StillWaterOptions water;
  double epsilon = 0.1;
  double period = 2;  ///< s
  double amplitude = 0.5;
  double angular_frequency = 5;  ///< rad/s
  static Options<EllipsoidOptions> describe() {
    using O = EllipsoidOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("epsilon", "1", &O::epsilon, 0, 0.9,
                "largest relative change of the longest axis; up to 0.1, an icosphere stays Delaunay")
        .number("period", "s", &O::period, min_positive, unlimited, "period of the oscillating axes")
        .number("amplitude", "1", &O::amplitude, 0, 1.9, "amplitude of the flow / depth")
        .number("angular_frequency", "rad/s", &O::angular_frequency, 0, unlimited,
                "angular frequency of the flow");
  }
};

/// On `surface`, the unit sphere at t = 0.
SceneInstance on_ellipsoid(const Surface& surface, const EllipsoidOptions& options,
                           EllipsoidFlow::Equations equations) {
  require_sphere(surface, 1);
  SceneInstance instance = still_water(surface, options.water);
  const EllipsoidFlow flow{.rest_depth = instance.depth,
                           .gravity = instance.gravity,
                           .epsilon = options.epsilon,
                           .period = options.period,
                           .amplitude = options.amplitude * instance.depth,
                           .wave_frequency = options.angular_frequency,
                           .equations = equations};
  require_wet(-std::abs(0.5 * flow.amplitude), instance.depth);
  instance.end = 1;
  instance.sample_times = {0.5, 1};
  instance.initial.depth = [flow](const Vector3& x) { return flow.depth(x.normalized(), 0); };
  instance.initial.velocity = [flow](const Vector3& x) { return flow.velocity(x.normalized(), 0); };
  instance.motion = [flow, rest = surface.x](double time, Points& x) {
    x.resize(3, rest.cols());
    for (Eigen::Index i = 0; i < rest.cols(); ++i) x.col(i) = flow.position(rest.col(i), time);
  };
  instance.motion.shortest_period = options.period;
  instance.forces = {{.add = [flow](double time, const WaterNow& water, double share, ForceSum& sum) {
    Points& acceleration = sum.body_acceleration();
    for (Eigen::Index i = 0; i < acceleration.cols(); ++i)
      acceleration.col(i) += share * flow.force(flow.material(water.geometry.x.col(i), time), time);
  }}};
  using Equations = EllipsoidFlow::Equations;
  instance.references = {
      {"",
       [flow](const Points& points, double time, Vector& depth) {
         depth.resize(points.cols());
         for (Eigen::Index i = 0; i < points.cols(); ++i)
           depth[i] = flow.depth(flow.material(points.col(i), time), time);
       },
       [flow](const Vector3& point, double time) { return flow.velocity(flow.material(point, time), time); },
       equations == Equations::full || equations == Equations::in_space}};
  if (equations == Equations::in_space) {
    Reference absolute = instance.references.front();
    absolute.name = "absolute";
    absolute.absolute = true;
    absolute.velocity = [flow](const Vector3& point, double time) {
      return flow.absolute_velocity(flow.material(point, time), time);
    };
    instance.references.push_back(std::move(absolute));
  }
  return instance;
}

struct PulsatingEllipsoidOptions {
  EllipsoidOptions ellipsoid;
  MovingOptions moving;
  static Options<PulsatingEllipsoidOptions> describe() {
    using O = PulsatingEllipsoidOptions;
    return Options<O>()
        .part(&O::ellipsoid, EllipsoidOptions::describe())
        .part(&O::moving, MovingOptions::describe());
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const PulsatingEllipsoidOptions& options) {
  SceneInstance instance = on_ellipsoid(surface, options.ellipsoid, EllipsoidFlow::Equations::in_space);
  if (options.moving.surface.carried_velocity != CarriedVelocity::circulation)
    instance.drop_references("it requires the momentum of Newton's law, carried_velocity = circulation");
  if (options.moving.inertia.inertia) instance.drop_references("it requires aₙ = −g, inertia = off");
  if (!options.moving.inertia.continued)
    instance.drop_references("it requires a surface that moves before the start, onset = continued");
  return instance;
}

struct PulsatingEllipsoid2007Options {
  using Equations = EllipsoidFlow::Equations;
  EllipsoidOptions ellipsoid{.water = {}, .epsilon = 0.3, .amplitude = 0.1};
  MovingOptions moving{.surface = {CarriedVelocity::barycentric}, .inertia = {}};
  Equations equations = Equations::without_advection;
  static Options<PulsatingEllipsoid2007Options> describe() {
    using O = PulsatingEllipsoid2007Options;
    return Options<O>()
        .part(&O::ellipsoid, EllipsoidOptions::describe())
        .part(&O::moving, MovingOptions::describe())
        .choice("equations", &O::equations,
                {{"without-advection", Equations::without_advection},
                 {"full", Equations::full},
                 {"linear", Equations::linear}},
                "the equations that the flow solves: without or with v·∇v, or linearised about the depth at "
                "rest, for integrators that do so (reference_depth = initial)");
  }
};

SceneInstance make_2007(const Surface& surface, const Geometry&,
                        const PulsatingEllipsoid2007Options& options) {
  SceneInstance instance = on_ellipsoid(surface, options.ellipsoid, options.equations);
  if (options.moving.surface.carried_velocity != CarriedVelocity::barycentric)
    instance.drop_references(
        "it requires velocities stretched with their triangles, carried_velocity = barycentric");
  if (options.moving.inertia.inertia)
    instance.drop_references("its force excludes the inertia of the surface, inertia = off");
  return instance;
}

}  // namespace

SceneEntry pulsating_ellipsoid_scene() {
  return describe_scene(
      {.name = "pulsating-ellipsoid",
       .summary = "an exactly known flow on an ellipsoid whose axes oscillate, maintained by a force: orders "
                  "of convergence on a moving surface; requires an advection scheme (--advection)",
       .source = "manufactured solution; the volume flux is that of a sphere, the force is the residual of "
                 "Newton's law in space, du/dt + g∇h along the surface",
       .default_mesh = "icosphere:3"},
      make);
}

SceneEntry pulsating_ellipsoid_2007_scene() {
  return describe_scene(
      {.name = "pulsating-ellipsoid-2007",
       .summary = "pulsating-ellipsoid for the model of Angst 2007, which stretches velocities with their "
                  "triangles, contrary to Newton's law",
       .source =
           "manufactured solution of the equations of Angst 2007, §6.4; the force is the residual of the "
           "model's momentum equation",
       .default_mesh = "icosphere:3",
       .default_dt = 1.0 / 480},
      make_2007);
}

}  // namespace shoal
