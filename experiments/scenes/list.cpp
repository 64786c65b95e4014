// The list of scenes: the command line, the sweeps and the tables take their rows from here.
#include "discretizations/common/entries.hpp"
#include "experiments/scenes/entries.hpp"

namespace shoal {
namespace {

/// The entry with its name put before the messages of the errors it throws.
SceneEntry named(SceneEntry entry) {
  entry.make = [name = entry.name, make = std::move(entry.make)](
                   const Surface& surface, const Geometry& geometry, const Parameters& parameters) {
    return with_context("scene '" + name + "'", [&] { return make(surface, geometry, parameters); });
  };
  return entry;
}

}  // namespace

const std::vector<SceneEntry>& scenes() {
  static const std::vector<SceneEntry> list = {
      named(sphere_bump_scene()), named(sphere_mode_scene()), named(rest_scene()),
      named(bump_scene()),        named(dam_wet_scene()),
  };
  return list;
}

const SceneEntry& find_scene(const std::string& name) {
  return find_entry(scenes(), name, "scene");
}

}  // namespace shoal
