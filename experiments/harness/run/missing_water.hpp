// How much water a scene lacks that starts dry, or gathers water: a step is chosen for the depth that there will be.
#pragma once

#include "discretizations/common/types.hpp"

namespace shoal {

class ShallowWater;
struct SceneInstance;

/// Water up to the level α at which an acceleration gathers it, H + α deep; else, where some cell is dry, up to the scene's
/// scale of depth.
struct MissingWater {
  Vector volume;     ///< [cells] m³; empty where nothing is missing
  double depth = 0;  ///< m, the largest with it; 0 where nothing is missing
};

/// Of the water as it is now.
MissingWater missing_water(const SceneInstance& scene, const ShallowWater& water);

}  // namespace shoal
