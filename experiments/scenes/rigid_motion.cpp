// Scene `rigid-motion`: the scene bump on a surface in uniform translation.
#include "experiments/scenes/common.hpp"

namespace shoal {

SceneEntry rigid_motion_scene() {
  SceneEntry entry = bump_scene();
  entry.name = "rigid-motion";
  entry.summary = "the scene bump on a surface in uniform translation, which must not affect the water";
  entry.source = "the principle of relativity";
  entry.default_motion = "translation";
  return entry;
}

}  // namespace shoal
