// Scene `custom`: water defined by the user's expressions or files.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/given_fields.hpp"

namespace shoal {
namespace {

struct CustomOptions {
  StillWaterOptions water;
  double coriolis = 0;       ///< Ω, rad/s
  GivenFieldOptions fields;  ///< applied by Simulation, as for any scene
  static Options<CustomOptions> describe() {
    return Options<CustomOptions>()
        .part(&CustomOptions::water, StillWaterOptions::describe())
        .number("coriolis", "rad/s", &CustomOptions::coriolis, -unlimited, unlimited,
                "angular velocity Ω of the frame of the surface, about the z axis")
        .part(&CustomOptions::fields, GivenFieldOptions::describe());
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const CustomOptions& options) {
  SceneInstance instance = still_water(surface, options.water);
  instance.forcing.rotation = options.coriolis * Vector3::UnitZ();
  instance.end = 1;
  instance.sample_times = {0.25, 0.5, 0.75, 1};
  return instance;
}

}  // namespace

SceneEntry custom_scene() {
  return describe_scene(
      {.name = "custom",
       .summary = "your own initial state, bed and forcing, given as expressions or files, on any surface; "
                  "still water by default",
       .source = "defined by the user",
       .default_mesh = "icosphere:4"},
      make);
}

}  // namespace shoal
