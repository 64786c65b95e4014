// Scene `crumple`: water, initially at rest, on a surface that crumples more and more.
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

SceneEntry crumple_scene() {
  return describe_scene(
      {.name = "crumple",
       .summary = "water on a surface that crumples more and more, until the schemes fail one by one",
       .source = "Angst 2007, §6.4.1, on badly shaped triangles in animations",
       .default_mesh = "icosphere:4",
       .default_motion = "crumple",
       .default_dt = 1.0 / 60},
      make);
}

}  // namespace shoal
