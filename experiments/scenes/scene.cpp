#include "experiments/scenes/scene.hpp"

#include <algorithm>

namespace shoal {

void SceneInstance::choose_solution(bool advection) {
  if (!solution_of_the_run) return;
  const auto chosen = std::find_if(references.begin(), references.end(),
                                   [&](const Reference& one) { return one.advection == advection; });
  if (chosen == references.end()) return;
  references.front().name = references.front().suffix;
  chosen->name.clear();
  std::rotate(references.begin(), chosen, chosen + 1);
}

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
