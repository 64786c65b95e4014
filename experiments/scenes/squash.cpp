// Scene `squash`: water, initially at rest, on a surface that is squashed and stretched along one axis.
#include "experiments/scenes/common.hpp"

namespace shoal {
namespace {

SceneInstance make(const Surface& surface, const Geometry&, const StillWaterOptions& options) {
  SceneInstance instance = still_water(surface, options);
  instance.end = 10;
  instance.sample_times = {2.5, 5, 7.5, 10};
  return instance;
}

}  // namespace

SceneEntry squash_scene() {
  return describe_scene(
      {.name = "squash",
       .summary = "water on a sphere that is squashed and stretched along one axis, to 1/5 and 9/5 of its "
                  "length: a test of robustness, with friction or rayleigh = 2",
       .source = "Angst 2007, §6.4, in an extreme form; the bound of 3 H is ours",
       .default_mesh = "icosphere:3",
       .default_motion = "squash",
       .default_dt = 1.0 / 240},  // three explicit substeps of it are stable on the smallest triangles
      make);
}

}  // namespace shoal
