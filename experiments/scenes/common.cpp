// Shared parts of scenes.
#include "experiments/scenes/common.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace shoal {

Options<FluidOptions> FluidOptions::describe() {
  using O = FluidOptions;
  return Options<O>()
      .number("gravity", "m/s^2", &O::gravity, min_positive, unlimited,
              "gravitational acceleration g, along the inward normal")
      .number("density", "kg/m^3", &O::density, min_positive, unlimited, "density of the fluid");
}

Options<StillWaterOptions> StillWaterOptions::describe() {
  using O = StillWaterOptions;
  return Options<O>()
      .part(&O::fluid, FluidOptions::describe())
      .number("depth", "m", &O::depth, min_positive, unlimited, "depth H of the fluid at rest");
}

SceneInstance still_water(const Surface& surface, const FluidOptions& fluid, double depth) {
  SceneInstance instance;
  instance.depth = depth;
  instance.gravity = fluid.gravity;
  instance.density = fluid.density;
  instance.bed_depth = [depth](const Vector3&) { return depth; };
  instance.initial.depth = instance.bed_depth;
  instance.forcing.normal_acceleration = Vector::Constant(surface.mesh.vertex_count, -instance.gravity);
  instance.forcing.gravity = instance.gravity;
  return instance;
}

SceneInstance still_water(const Surface& surface, const StillWaterOptions& water) {
  return still_water(surface, water.fluid, water.depth);
}

void require_wet(double amplitude, double depth, const std::string& parameter) {
  if (amplitude > -depth) return;
  throw parameter_error(
      parameter,
      fmt::format("an elevation of {} leaves no fluid where the depth is {}; it must be greater than {}",
                  amplitude, depth, -depth));
}

void require_sphere(const Surface& surface, double radius) {
  constexpr double tolerance = 1e-6;  // leaves room for coordinates written with seven digits
  for (Index i = 0; i < surface.x.cols(); ++i) {
    const double distance = surface.x.col(i).norm();
    if (!(std::abs(distance - radius) <= tolerance * radius))
      throw Error(fmt::format(
          "mesh '{}' is not a sphere of radius {} about the origin: vertex {} has the distance {}; use "
          "icosphere:L, or set the parameter 'radius'",
          surface.name, radius, surface.input_vertex[i], distance));
  }
  if (!surface.mesh.closed() || surface.mesh.euler_characteristic() != 2)
    throw Error(
        fmt::format("mesh '{}' is not one complete sphere but part of a sphere, or several surfaces; use "
                    "icosphere:L",
                    surface.name));
}

double angle_between(const Vector3& a, const Vector3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

namespace {

void require_flat(const Surface& surface, const std::string& alternative) {
  constexpr double tolerance = 1e-9;
  const Vector3 size = surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff();
  if (size.z() > tolerance * size.x())
    throw Error(
        fmt::format("mesh '{}' is not flat: z varies by {}; use {}", surface.name, size.z(), alternative));
}

}  // namespace

void require_flat_basin(const Surface& surface) {
  require_flat(surface, "rectangle:NXxNY:LXxLY");
  if (surface.mesh.periodic())
    throw Error(fmt::format("mesh '{}' is periodic: the scene requires walls; use rectangle:NXxNY:LXxLY",
                            surface.name));
}

Vector3 require_periodic_plane(const Surface& surface) {
  require_flat(surface, "rectangle:NXxNY:LXxLY:periodic");
  Vector3 period = Vector3::Zero();
  if (surface.mesh.periodic()) period = surface.mesh.corner_shift.cwiseAbs().rowwise().maxCoeff();
  if (!(period.x() > 0 && period.y() > 0))
    throw Error(fmt::format("mesh '{}' is not periodic along x and y; use rectangle:NXxNY:LXxLY:periodic",
                            surface.name));
  return period;
}

Reference solution_at_points(std::function<double(const Vector3&, double)> depth,
                             std::function<Vector3(const Vector3&, double)> velocity) {
  Reference reference;
  reference.depth = [depth = std::move(depth)](const Points& points, double time, Vector& values) {
    values.resize(points.cols());
    for (Eigen::Index i = 0; i < points.cols(); ++i) values[i] = depth(points.col(i), time);
  };
  reference.velocity = std::move(velocity);
  return reference;
}

}  // namespace shoal
