// The scene of a run: as made by its entry, with the changes of the configuration.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/motions/drag_path.hpp"
#include "experiments/scenes/scene.hpp"

namespace shoal {

/// The scene on its surface, with its own motion or that of the configuration (using `clips` if set) and with user-defined
/// fields. Throws Refusal if scene, motion and mesh are incompatible.
SceneInstance make_run_scene(const Catalog& catalog, const RunConfiguration& c, const Surface& surface,
                             const Geometry& geometry, const Parameters& parameters, ClipMotion& clips);

/// Makes the scene interactive: sources, pushes and bodies can be added, and the surface can be dragged along `path`.
void prepare_for_inputs(const RunConfiguration& c, const Parameters& parameters,
                        const std::shared_ptr<DragPath>& path, SceneInstance& scene);

}  // namespace shoal
