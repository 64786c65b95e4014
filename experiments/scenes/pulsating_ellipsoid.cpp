// Scene `pulsating-ellipsoid`: a manufactured solution on a surface that moves.
#include "experiments/scenes/pulsating_ellipsoid.hpp"

#include "experiments/motions/moving_options.hpp"
#include "experiments/scenes/common.hpp"

#include <cmath>
#include <numbers>

namespace shoal {

/// All that depends on the time alone.
struct EllipsoidFlow::Moment {
  Vector3 axes;        // F
  double jacobian;     // det F
  double mu, mu_rate;  // of p in μ and in μ_t
  double flux, swirl;  // α, β
  double flux_rate, swirl_rate;
};

EllipsoidFlow::Moment EllipsoidFlow::at(double time) const {
  const double s = epsilon * std::sin(2 * std::numbers::pi * time / period);
  const double w = wave_frequency, sine = std::sin(w * time), cosine = std::cos(w * time);
  const Vector3 axes(1 + s, 1 - 0.5 * s, 1 + 0.25 * s);
  const double a = amplitude * w / 6, b = amplitude * w;
  return {axes,       axes.prod(), amplitude * sine, amplitude * w * cosine,
          a * cosine, b * cosine,  -a * w * sine,    -b * w * sine};
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
  const Moment now = at(time);
  return (rest_depth + now.mu * p(x)) / (now.jacobian * x.cwiseQuotient(now.axes).norm());
}

Vector3 EllipsoidFlow::material_velocity(const Vector3& x, double time) const {
  const Moment now = at(time);
  const double carried = equations == Equations::linear ? 0 : now.mu * p(x);
  return (now.flux * gradient_on_sphere(x) + now.swirl * swirl_on_sphere(x)) / (rest_depth + carried);
}

Vector3 EllipsoidFlow::velocity(const Vector3& x, double time) const {
  return at(time).axes.cwiseProduct(material_velocity(x, time));
}

Vector3 EllipsoidFlow::force(const Vector3& x, double time) const {
  const Moment now = at(time);
  const Vector3 inverse = now.axes.cwiseInverse();
  const Vector3 cofactor = inverse.cwiseProduct(x);  // F⁻ᵀX, along the normal
  const double stretch = cofactor.norm(), mu = rest_depth + now.mu * p(x);
  const Vector3 normal = cofactor / stretch;
  const Vector3 v = material_velocity(x, time);

  const Vector3 flux_rate = now.flux_rate * gradient_on_sphere(x) + now.swirl_rate * swirl_on_sphere(x);
  Vector3 rate = flux_rate / rest_depth;  // V_t
  if (equations != Equations::linear) rate = flux_rate / mu - now.mu_rate * p(x) / mu * v;
  if (equations == Equations::full) {
    const Vector3 along_v = now.flux * (p_hessian(v) - 2 * p_gradient(x).dot(v) * x - 2 * p(x) * v) +
                            now.swirl * (v.cross(q_gradient(x)) + x.cross(q_hessian(v)));
    rate += along_v / mu - now.mu * p_gradient(x).dot(v) / mu * v;
  }
  // ∇h, h = μ/J − H, from its gradient in X: F⁻ᵀ∇, its tangential part.
  const double area = now.jacobian * stretch;
  const Vector3 area_gradient = now.jacobian / stretch * inverse.cwiseProduct(cofactor);
  const Vector3 gradient =
      inverse.cwiseProduct(now.mu * p_gradient(x) / area - mu / (area * area) * area_gradient);
  const Vector3 total = now.axes.cwiseProduct(rate) + gravity * gradient;
  return total - normal.dot(total) * normal;
}

namespace {

struct PulsatingEllipsoidOptions {
  using Equations = EllipsoidFlow::Equations;
  StillWaterOptions water;
  MovingOptions moving;
  double epsilon = 0.3;
  double period = 2;  ///< s
  double amplitude = 0.1;
  double angular_frequency = 5;  ///< rad/s
  Equations equations = Equations::without_advection;
  static Options<PulsatingEllipsoidOptions> describe() {
    using O = PulsatingEllipsoidOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .part(&O::moving, MovingOptions::describe())
        .number("epsilon", "1", &O::epsilon, 0, 0.9, "largest change of the longest axis")
        .number("period", "s", &O::period, min_positive, unlimited, "of the oscillation of the axes")
        .number("amplitude", "1", &O::amplitude, 0, 1.9, "of the flow, over the depth")
        .number("angular_frequency", "rad/s", &O::angular_frequency, 0, unlimited, "of the flow")
        .choice("equations", &O::equations,
                {{"without-advection", Equations::without_advection},
                 {"full", Equations::full},
                 {"linear", Equations::linear}},
                "of which the flow is a solution: without or with v·∇v, or linear about the depth at rest, "
                "for integrators that linearise there (reference_depth = initial)");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const PulsatingEllipsoidOptions& options) {
  require_sphere(surface, 1);
  SceneInstance instance = still_water(surface, options.water);
  EllipsoidFlow flow;
  flow.rest_depth = instance.depth;
  flow.gravity = instance.gravity;
  flow.epsilon = options.epsilon;
  flow.period = options.period;
  flow.amplitude = options.amplitude * instance.depth;
  flow.wave_frequency = options.angular_frequency;
  flow.equations = options.equations;
  require_wet(-std::abs(0.5 * flow.amplitude), instance.depth);
  instance.end = 1;
  instance.sample_times = {0.5, 1};
  instance.initial.depth = [flow](const Vector3& x) { return flow.depth(x.normalized(), 0); };
  instance.initial.velocity = [flow](const Vector3& x) { return flow.velocity(x.normalized(), 0); };
  instance.motion = [flow, rest = surface.x](double time, Points& x) {
    x.resize(3, rest.cols());
    for (Eigen::Index i = 0; i < rest.cols(); ++i) x.col(i) = flow.position(rest.col(i), time);
  };
  instance.change_forcing = [flow, rest = surface.x](double time, Forcing& forcing) {
    forcing.body_acceleration.resize(3, rest.cols());
    for (Eigen::Index i = 0; i < rest.cols(); ++i)
      forcing.body_acceleration.col(i) = flow.force(rest.col(i), time);
    return true;
  };
  instance.references = {
      {"",
       [flow](const Points& points, double time, Vector& depth) {
         depth.resize(points.cols());
         for (Eigen::Index i = 0; i < points.cols(); ++i)
           depth[i] = flow.depth(flow.material(points.col(i), time), time);
       },
       [flow](const Vector3& point, double time) { return flow.velocity(flow.material(point, time), time); },
       options.equations == EllipsoidFlow::Equations::full}};
  if (options.moving.surface.carried_velocity != CarriedVelocity::barycentric)
    instance.drop_references(
        "it is maintained with velocities that are stretched with their triangles, "
        "carried_velocity = barycentric");
  if (options.moving.inertia.inertia)
    instance.drop_references(
        "the force that maintains it leaves out the inertia of the surface, inertia = off");
  return instance;
}

}  // namespace

SceneEntry pulsating_ellipsoid_scene() {
  return describe_scene(
      {.name = "pulsating-ellipsoid",
       .summary =
           "a flow that is known exactly on an ellipsoid whose axes oscillate, maintained by a force: orders "
           "of convergence on a surface that moves",
       .source =
           "manufactured solution; the volume flux is that of a sphere, the force is the residual of the "
           "momentum equation",
       .default_mesh = "icosphere:3",
       .default_dt = 1.0 / 480},
      make);
}

}  // namespace shoal
