// Scene `custom`: water as the user says it, by expressions or files.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/given_fields.hpp"

namespace shoal {
namespace {

struct CustomOptions {
  StillWaterOptions water;
  double coriolis = 0;       ///< Ω, rad/s
  GivenFieldOptions fields;  ///< applied by who makes the run, as to any scene
  static Options<CustomOptions> describe() {
    return Options<CustomOptions>()
        .part(&CustomOptions::water, StillWaterOptions::describe())
        .number("coriolis", "rad/s", &CustomOptions::coriolis, -unlimited, unlimited,
                "rate Ω at which the surface's frame rotates about the z axis")
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
       .summary = "initial state, bed and forcing of your own, as expressions or from files, on any "
                  "surface; still water where nothing is given",
       .source = "the user's",
       .default_mesh = "icosphere:4"},
      make);
}

}  // namespace shoal
