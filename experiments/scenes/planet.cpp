// Parts shared by the scenes on a rotating sphere.
#include "experiments/scenes/planet.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {

Options<PlanetOptions> PlanetOptions::describe() {
  using O = PlanetOptions;
  return Options<O>()
      .number("radius", "m", &O::radius, min_positive, unlimited, "radius of the sphere")
      .part(&O::fluid, FluidOptions::describe())
      .number("coriolis", "rad/s", &O::coriolis, -unlimited, unlimited, "angular velocity Ω of the frame");
}

SceneInstance water_on_planet(const Surface& surface, const PlanetOptions& planet, double depth,
                              const Vector3& axis) {
  require_sphere(surface, planet.radius);
  SceneInstance instance = still_water(surface, planet.fluid, depth);
  instance.forcing.rotation = planet.coriolis * axis;
  return instance;
}

void require_deep(double depth, double fall, const std::string& others) {
  if (fall < depth) return;
  throw parameter_error(
      "depth", std::isfinite(fall)
                   ? fmt::format("{} is not greater than {:.6g}, by which the initial depth is lower at one "
                                 "place with these {}",
                                 depth, fall, others)
                   : fmt::format("with these {} the initial depth is not finite everywhere", others));
}

void require_wet_start(const SceneInstance& instance, const Surface& surface, const std::string& others) {
  Vector fall(surface.x.cols());
  for (Eigen::Index i = 0; i < fall.size(); ++i)
    fall[i] = instance.depth - instance.initial.depth(surface.x.col(i));
  require_deep(instance.depth, fall.maxCoeff<Eigen::PropagateNaN>(), others);
}

double latitude(const Vector3& x) {
  return std::atan2(x.z(), x.head<2>().norm());
}

double longitude(const Vector3& x) {
  return std::atan2(x.y(), x.x());
}

}  // namespace shoal
