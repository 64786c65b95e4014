// Scene `drag`: the surface is dragged to another place, and the water on it lags behind (Angst 2007, table C.1).
#include "experiments/scenes/common.hpp"

namespace shoal {
namespace {

/// By 1 m within 3 s; within 2 s, waves would expose the bed, and schemes without v·∇v become unstable.
SceneInstance drag(const Surface& surface, const Geometry&, const StillWaterOptions& options) {
  SceneInstance instance = still_water(surface, options);
  instance.end = 5;
  instance.sample_times = {0.25, 0.5, 1, 2, 5};
  return instance;
}

}  // namespace

SceneEntry drag_scene() {
  return describe_scene({.name = "drag",
                         .summary = "still water on a surface that is dragged to another place: its inertia "
                                    "causes waves; integrators without a velocity require inertia = on",
                         .source = "Angst 2007, 6.4.3 and table C.1",
                         .default_mesh = "icosphere:4",
                         .default_motion = "drag",
                         .default_dt = 1.0 / 60},
                        drag);
}

}  // namespace shoal
