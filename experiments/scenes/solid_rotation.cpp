// Scene `solid-rotation`: the velocity field Ω × x of a sphere as a passive tangent field, carried by the
// exact rotation. Its length must come back to itself; what is lost is the transport's. Its direction does
// not: carried around a circle at the angle θ from the pole it turns by −2π cos θ.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/entries.hpp"

#include <numbers>

namespace shoal {
namespace {

SceneInstance make(const Surface& surface, const Geometry&, const Parameters& parameters) {
  require_sphere(surface, surface.x.col(0).norm());
  const double period = parameters.number("period");
  SceneInstance instance = still_water(surface, parameters, parameters.number("depth"));
  const Vector3 angular_velocity = 2 * std::numbers::pi / period * parameters.direction("axis");
  instance.advecting_velocity = [angular_velocity](const Vector3& x) -> Vector3 {
    return angular_velocity.cross(x);
  };
  instance.initial.velocity = instance.advecting_velocity;
  instance.end = period;
  instance.sample_times = {period};
  return instance;
}

}  // namespace

SceneEntry solid_rotation_scene() {
  SceneEntry entry;
  entry.name = "solid-rotation";
  entry.summary =
      "the field Ω × x carried once around the sphere by the exact rotation, without waves: what an "
      "advection loses";
  entry.source = "Angst 2007, §5.2, on the sphere; |v| by symmetry, its turn by Gauss and Bonnet";
  entry.default_mesh = "icosphere:4";
  entry.parameters =
      still_water_parameters() +
      ParameterInfos{text("axis", "1", "0.3,-0.5,1", "direction of Ω"),
                     number("period", "s", 6.283185307179586, 1e-6, 1e12, "of one revolution")};
  entry.make = make;
  return entry;
}

}  // namespace shoal
