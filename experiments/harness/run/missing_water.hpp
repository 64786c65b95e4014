// The water that will gather in a scene that starts dry: the time step is chosen for the depth to be expected.
#pragma once

#include "discretizations/common/types.hpp"

namespace shoal {

class ShallowWater;
struct SceneInstance;

/// The water missing to a depth of H + α, where α is the level to which an artificial acceleration gathers water. Without such an
/// acceleration, and if some cell is dry, the water missing to the depth scale of the scene.
struct MissingWater {
  Vector volume;     ///< [cells] m³; empty if none is missing
  double depth = 0;  ///< m, the largest depth including it; 0 if none is missing
};

/// The missing water relative to the current state.
MissingWater missing_water(const SceneInstance& scene, const ShallowWater& water);

}  // namespace shoal
