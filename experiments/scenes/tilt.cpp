// Scene `tilt`: a tilted water surface released from rest; between the walls of a rectangle it oscillates according to linear
// theory.
#include "experiments/scenes/common.hpp"

#include <cmath>

namespace shoal {
namespace {

/// Whether the surface is a rectangle in a plane z = const. with sides along x and y.
bool is_rectangle(const Surface& surface, const Geometry& geometry) {
  constexpr double tolerance = 1e-9;
  const Vector3 extent = surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff();
  return extent.z() <= tolerance * extent.norm() &&
         std::abs(geometry.total_area() / (extent.x() * extent.y()) - 1) <= tolerance;
}

/// The function ξ on [−length/2, length/2], continued by reflection at both ends: a triangular wave.
double mirrored(double xi, double length) {
  const double folded = std::remainder(xi + 0.5 * length, 2 * length);  // [−length, length], mirrored at 0
  return std::abs(folded) - 0.5 * length;
}

struct TiltOptions {
  StillWaterOptions water;
  double slope = 1e-4;
  Vector3 axis = Vector3::UnitX();
  static Options<TiltOptions> describe() {
    using O = TiltOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("slope", "1", &O::slope, -unlimited, unlimited, "slope of the elevation h along the axis")
        .direction("axis", "1", &O::axis, "x,y,z, direction of increasing elevation");
  }
};

SceneInstance make(const Surface& surface, const Geometry& geometry, const TiltOptions& options) {
  const double depth = options.water.depth;
  const Vector3 slope = options.slope * options.axis;
  const Vector3 middle = surface.x * geometry.vertex_area / geometry.vertex_area.sum();
  require_wet((slope.transpose() * (surface.x.colwise() - middle)).minCoeff(), depth, "slope");

  SceneInstance instance = still_water(surface, options.water);
  instance.end = 2;
  instance.sample_times = {0.5, 1.0, 1.5, 2.0};
  instance.initial.depth = [=](const Vector3& x) { return depth + slope.dot(x - middle); };
  if (is_rectangle(surface, geometry)) {
    const Vector3 extent = surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff();
    const double speed = std::sqrt(instance.gravity * depth);
    instance.references = {
        {"", [=](const Points& points, double time, Vector& values) {
           values.resize(points.cols());
           for (Eigen::Index i = 0; i < points.cols(); ++i) {
             values[i] = depth;
             for (int side = 0; side < 2; ++side) {  // d'Alembert's solution for each direction
               const double xi = points(side, i) - middle[side], way = speed * time;
               values[i] +=
                   0.5 * slope[side] * (mirrored(xi - way, extent[side]) + mirrored(xi + way, extent[side]));
             }
           }
         }}};
  }
  return instance;
}

}  // namespace

SceneEntry tilt_scene() {
  return describe_scene(
      {.name = "tilt",
       .summary = "a plane inclined water surface, h = slope·(x − middle)·axis, released from rest; exact "
                  "solution of the linear equations on rectangle:NxM",
       .source = "Angst 2008, 5.1, treats it as an equilibrium; d'Alembert's waves, reflected at the walls",
       .default_mesh = "rectangle:32x32",
       .default_dt = 1.0 / 240},
      make);
}

}  // namespace shoal
