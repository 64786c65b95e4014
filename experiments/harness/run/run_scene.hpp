// The scene of a run: as its entry makes it, with what the configuration changes.
#pragma once

#include "experiments/harness/plan/experiment.hpp"
#include "experiments/motions/drag_path.hpp"
#include "experiments/scenes/scene.hpp"

namespace shoal {

/// The scene on its surface, which moves as it does itself or as the configuration says, by `clips` where they are set; with the
/// fields that the user gives. Throws Refusal where scene, motion and mesh cannot go together.
SceneInstance make_run_scene(const Catalog& catalog, const RunConfiguration& c, const Surface& surface,
                             const Geometry& geometry, const Parameters& parameters, ClipMotion& clips);

/// Water and bodies can be acted upon, and the surface dragged along `path`.
void prepare_for_inputs(const RunConfiguration& c, const Parameters& parameters,
                        const std::shared_ptr<DragPath>& path, SceneInstance& scene);

}  // namespace shoal
