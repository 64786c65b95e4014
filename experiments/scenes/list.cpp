// The list of scenes: the command line, the sweeps and the tables take their rows from here.
#include "discretizations/common/entries.hpp"
#include "experiments/scenes/entries.hpp"

namespace shoal {
namespace {

/// The entry with its name put before the messages of the errors it throws.
SceneEntry named(SceneEntry entry) {
  entry.make = [name = entry.name, make = std::move(entry.make)](
                   const Surface& surface, const Geometry& geometry, const Parameters& parameters) {
    const std::string context = "scene '" + name + "'";
    SceneInstance instance = with_context(context, [&] { return make(surface, geometry, parameters); });
    if (instance.discrete_initial_state)
      instance.discrete_initial_state = [context, start = std::move(instance.discrete_initial_state)](
                                            const Discretization& scheme, const Forces& forces) {
        return with_context(context, [&] { return start(scheme, forces); });
      };
    return instance;
  };
  return entry;
}

}  // namespace

const std::vector<SceneEntry>& scenes() {
  // clang-format off
  static const std::vector<SceneEntry> list = {
      named(sphere_bump_scene()),
      named(sphere_mode_scene()),
      named(rest_scene()),
      named(bump_scene()),
      named(dam_wet_scene()),
      named(eigenmode_scene()),
      named(solid_rotation_scene()),
      named(torus_force_scene()),
      named(breathing_sphere_scene()),
      named(rigid_motion_scene()),
      named(shaken_sphere_scene()),
      named(pulsating_gravity_scene()),
      named(squash_scene()),
      named(crumple_scene()),
      named(pulsating_ellipsoid_scene()),
      named(williamson_2_scene()),
      named(tilt_scene()),
      named(channel_scene()),
      named(source_sink_scene()),
  };
  // clang-format on
  return list;
}

const SceneEntry& find_scene(const std::string& name) {
  return find_entry(scenes(), name, "scene");
}

}  // namespace shoal
