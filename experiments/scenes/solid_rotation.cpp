// Scene `solid-rotation`: the velocity field Ω × x of a sphere as a passive tangent field, advected by the exact rotation. After a
// revolution its length must be recovered; any loss is due to the transport. Its direction is not recovered: transported around a
// circle at the angle θ from the pole, it turns by −2π cos θ.
#include "experiments/scenes/common.hpp"

#include <numbers>

namespace shoal {
namespace {

struct SolidRotationOptions {
  StillWaterOptions water;
  Vector3 axis{0.3, -0.5, 1};
  double period = 6.283185307179586;  ///< s
  static Options<SolidRotationOptions> describe() {
    using O = SolidRotationOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .direction("axis", "1", &O::axis, "direction of Ω")
        .number("period", "s", &O::period, 1e-6, 1e12, "period of one revolution");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const SolidRotationOptions& options) {
  require_sphere(surface, surface.x.col(0).norm());
  const double period = options.period;
  SceneInstance instance = still_water(surface, options.water);
  const Vector3 angular_velocity = 2 * std::numbers::pi / period * options.axis;
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
  return describe_scene(
      {.name = "solid-rotation",
       .summary = "the field Ω × x advected once around the sphere by the exact rotation, without waves: "
                  "measures the dissipation of an advection scheme",
       .source = "Angst 2007, §5.2, on the sphere; |v| by symmetry, its turn by Gauss and Bonnet",
       .default_mesh = "icosphere:4",
       .needs_edges = false},
      make);
}

}  // namespace shoal
