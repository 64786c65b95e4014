// Scene `source-sink`: on a sphere, water is added around one pole and removed around the other.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/legendre.hpp"

#include <cmath>
#include <memory>
#include <numbers>

namespace shoal {
namespace {

/// exp(−(θ/width)²), θ the angle from the axis.
double cap(const Vector3& x, const Vector3& axis, double width) {
  const double angle = std::atan2(x.cross(axis).norm(), x.dot(axis)) / width;
  return std::exp(-angle * angle);
}

struct SourceSinkOptions {
  StillWaterOptions water;
  double radius = 1;        ///< m
  double discharge = 1e-3;  ///< m³/s
  double drain = 1;         ///< of the discharge
  double width = 0.4;       ///< rad
  Vector3 axis = Vector3::UnitZ();
  static Options<SourceSinkOptions> describe() {
    using O = SourceSinkOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("radius", "m", &O::radius, min_positive, unlimited, "radius of the sphere")
        .number("discharge", "m^3/s", &O::discharge, 0, unlimited, "inflow around the axis")
        .number("drain", "1", &O::drain, 0, unlimited, "outflow around the opposite pole / inflow")
        .number("width", "rad", &O::width, 0.02, 1, "angle at which the source has fallen to 1/e")
        .direction("axis", "1", &O::axis, "direction of the source from the center, x,y,z");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const SourceSinkOptions& options) {
  const double depth = options.water.depth, radius = options.radius, discharge = options.discharge,
               drain = options.drain, width = options.width;
  const Vector3 axis = options.axis;
  require_sphere(surface, radius);
  SceneInstance instance = still_water(surface, options.water);
  instance.end = 1;
  instance.sample_times = {0.25, 0.5, 0.75, 1};
  instance.forcing.distributed_inflows = {
      {[axis, width](const Vector3& x) { return cap(x, axis, width); }, discharge},
      {[axis, width](const Vector3& x) { return cap(x, -axis, width); }, -drain * discharge}};
  // With s = Σ s_l P_l the rate at which water is added, m/s: h_tt = gH∇²h, h_t(0) = s, so that
  // h = Σ s_l P_l(cos θ) sin(ω_l t)/ω_l, and s₀ t for l = 0.
  const auto shape = [width](double angle) { return std::exp(-std::pow(angle / width, 2)); };
  const Index degree = std::max<Index>(64, static_cast<Index>(std::ceil(14 / width)));
  const auto rate = std::make_shared<const LegendreWave>(
      [=](double angle) { return shape(angle) - drain * shape(std::numbers::pi - angle); }, degree, radius,
      depth, instance.gravity);
  const auto one = LegendreWave(shape, degree, radius, depth, instance.gravity);
  // The integral over one cap is 4πR² c₀.
  const double scale = discharge / (4 * std::numbers::pi * radius * radius * one.coefficients()[0]);
  instance.references = {{"", [=](const Points& points, double time, Vector& values) {
                            values.resize(points.cols());
                            for (Eigen::Index i = 0; i < points.cols(); ++i) {
                              const double z = axis.dot(points.col(i).normalized());
                              double before = 1, now = z;  // P_{l−1}, P_l
                              double sum = rate->coefficients()[0] * time;
                              for (Index l = 1; l <= degree; ++l) {
                                const double frequency = rate->angular_frequency(l);
                                sum += rate->coefficients()[l] * now * std::sin(frequency * time) / frequency;
                                const double next = ((2 * l + 1) * z * now - l * before) / (l + 1);
                                before = now;
                                now = next;
                              }
                              values[i] = depth + scale * sum;
                            }
                          }}};
  return instance;
}

}  // namespace

SceneEntry source_sink_scene() {
  return describe_scene(
      {.name = "source-sink",
       .summary =
           "still water on a sphere with a source around the axis and a sink around the opposite pole, both "
           "distributed as exp(−(angle/width)²)",
       .source = "linear theory: h_tt = gH∇²h with h_t(0) the rate of the source",
       .default_mesh = "icosphere:4",
       .default_dt = 1.0 / 240},
      make);
}

}  // namespace shoal
