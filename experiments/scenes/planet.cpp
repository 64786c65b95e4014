// Parts shared by the scenes on a rotating sphere.
#include "experiments/scenes/planet.hpp"

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

void require_wet_start(const SceneInstance& instance, const Surface& surface, const std::string& parameter) {
  for (const auto& x : surface.x.colwise())
    require_wet(instance.initial.depth(x) - instance.depth, instance.depth, parameter);
}

double latitude(const Vector3& x) {
  return std::atan2(x.z(), x.head<2>().norm());
}

double longitude(const Vector3& x) {
  return std::atan2(x.y(), x.x());
}

}  // namespace shoal
