// What scenes have in common.
#include "experiments/scenes/common.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {

ParameterInfos gravity_parameters() {
  return {number("gravity", "m/s^2", 9.81, min_positive, unlimited, "acceleration g that holds the fluid on"),
          number("density", "kg/m^3", 1000, min_positive, unlimited, "density of the fluid")};
}

ParameterInfos still_water_parameters(double depth) {
  return gravity_parameters() +
         ParameterInfos{number("depth", "m", depth, min_positive, unlimited, "depth H of the fluid at rest")};
}

ParameterInfos body_acceleration_parameters() {
  return {text(
      "body_acceleration", "m/s^2", "0,0,0",
      "a constant x,y,z in space that acts beside g: its normal part presses, its tangential part drives")};
}

ParameterInfos operator+(ParameterInfos first, const ParameterInfos& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

SceneInstance still_water(const Surface& surface, const Parameters& parameters, double depth) {
  SceneInstance instance;
  instance.depth = depth;
  instance.gravity = parameters.number("gravity");
  instance.density = parameters.number("density");
  instance.bed_depth = [depth](const Vector3&) { return depth; };
  instance.initial.depth = instance.bed_depth;
  instance.forcing.normal_acceleration = Vector::Constant(surface.mesh.vertex_count, -instance.gravity);
  instance.forcing.gravity = instance.gravity;
  if (!parameters.has("body_acceleration")) return instance;
  const Vector3 constant = parameters.vector("body_acceleration");
  if (constant != Vector3::Zero())
    instance.forcing.body_acceleration = constant.replicate(1, surface.mesh.vertex_count);
  return instance;
}

void require_wet(double amplitude, double depth) {
  if (amplitude <= -depth)
    throw parameter_error("amplitude",
                          fmt::format("{} leaves no fluid where the depth is {}; more than {} is allowed",
                                      amplitude, depth, -depth));
}

void require_sphere(const Surface& surface, double radius) {
  constexpr double tolerance = 1e-6;  // leaves room for coordinates written with seven digits
  for (Index i = 0; i < surface.x.cols(); ++i) {
    const double distance = surface.x.col(i).norm();
    if (!(std::abs(distance - radius) <= tolerance * radius))
      throw Error(fmt::format(
          "mesh '{}' is not a sphere of radius {} about the origin: its vertex {} lies at distance {} "
          "(choose icosphere:L, or set the parameter 'radius')",
          surface.name, radius, surface.input_vertex[i], distance));
  }
}

}  // namespace shoal
