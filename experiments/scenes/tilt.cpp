// Scene `tilt`: a surface tilted in space, released at rest: between the walls of a rectangle it swings as
// linear theory says.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/entries.hpp"

#include <cmath>

namespace shoal {
namespace {

/// Whether the surface is a rectangle in the plane z = const., its sides along x and y.
bool is_rectangle(const Surface& surface, const Geometry& geometry) {
  constexpr double tolerance = 1e-9;
  const Vector3 extent = surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff();
  return extent.z() <= tolerance * extent.norm() &&
         std::abs(geometry.total_area() / (extent.x() * extent.y()) - 1) <= tolerance;
}

/// The line ξ on [−length/2, length/2], mirrored at both ends and so continued: a triangular wave.
double mirrored(double xi, double length) {
  const double folded = std::remainder(xi + 0.5 * length, 2 * length);  // [−length, length], mirrored at 0
  return std::abs(folded) - 0.5 * length;
}

SceneInstance make(const Surface& surface, const Geometry& geometry, const Parameters& parameters) {
  const double depth = parameters.number("depth");
  const Vector3 slope = parameters.number("slope") * parameters.direction("axis");
  const Vector3 middle = surface.x * geometry.vertex_area / geometry.vertex_area.sum();
  require_wet((slope.transpose() * (surface.x.colwise() - middle)).minCoeff(), depth);

  SceneInstance instance = still_water(surface, parameters, depth);
  instance.end = 2;
  instance.sample_times = {0.5, 1.0, 1.5, 2.0};
  instance.initial.depth = [=](const Vector3& x) { return depth + slope.dot(x - middle); };
  if (is_rectangle(surface, geometry)) {
    const Vector3 extent = surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff();
    const double speed = std::sqrt(instance.gravity * depth);
    instance.references = {{"", [=](const Points& points, double time, Vector& values) {
                              values.resize(points.cols());
                              for (Eigen::Index i = 0; i < points.cols(); ++i) {
                                values[i] = depth;
                                for (int side = 0; side < 2; ++side) {  // d'Alembert, for each side alone
                                  const double xi = points(side, i) - middle[side], way = speed * time;
                                  values[i] +=
                                      0.5 * slope[side] *
                                      (mirrored(xi - way, extent[side]) + mirrored(xi + way, extent[side]));
                                }
                              }
                            }}};
  }
  return instance;
}

}  // namespace

SceneEntry tilt_scene() {
  SceneEntry entry;
  entry.name = "tilt";
  entry.summary =
      "a surface with one slope in space, h = slope·(x − middle)·axis, released at rest; the solution is "
      "that of the linear equations on rectangle:NxM";
  entry.source = "Angst 2008, 5.1, takes it for an equilibrium; d'Alembert's waves, mirrored at the walls";
  entry.default_mesh = "rectangle:32x32";
  entry.default_dt = 1.0 / 240;
  entry.parameters =
      still_water_parameters() + ParameterInfos{
                                     number("slope", "1", 1e-4, -unlimited, unlimited,
                                            "h falls or rises by this over a metre along the axis"),
                                     text("axis", "1", "1,0,0", "x,y,z, the direction that it rises in"),
                                 };
  entry.make = make;
  return entry;
}

}  // namespace shoal
