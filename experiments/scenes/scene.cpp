#include "experiments/scenes/scene.hpp"

namespace shoal {

SceneInstance make_scene(const SceneEntry& entry, const Surface& surface, const Geometry& geometry,
                         const Parameters& parameters) {
  const std::string context = "scene '" + entry.name + "'";
  SceneInstance instance = with_context(context, [&] { return entry.make(surface, geometry, parameters); });
  if (instance.discrete_initial_state)
    instance.discrete_initial_state = [context, start = std::move(instance.discrete_initial_state)](
                                          const Discretization& scheme, const Forces& forces) {
      return with_context(context, [&] { return start(scheme, forces); });
    };
  return instance;
}

}  // namespace shoal
