// The built-in scenes. A new one is one source and one line in list.def.
#pragma once

#include "discretizations/common/list.hpp"
#include "experiments/scenes/scene.hpp"

namespace shoal {

List<SceneEntry> builtin_scenes();

}  // namespace shoal
