// Scenes that are an ordinary one on a surface that moves: `rigid-motion`, `squash`, `crumple`.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/entries.hpp"

namespace shoal {
namespace {

/// Water at rest that the surface alone moves.
SceneEntry still_water_on(const std::string& motion) {
  SceneEntry entry;
  entry.name = motion;
  entry.default_mesh = "icosphere:4";
  entry.default_dt = 1.0 / 60;
  entry.default_motion = motion;
  entry.parameters = still_water_parameters() + body_acceleration_parameters();
  entry.make = [](const Surface& surface, const Geometry&, const Parameters& parameters) {
    SceneInstance instance = still_water(surface, parameters, parameters.number("depth"));
    instance.end = 10;
    instance.sample_times = {2.5, 5, 7.5, 10};
    return instance;
  };
  return entry;
}

}  // namespace

SceneEntry rigid_motion_scene() {
  SceneEntry entry = bump_scene();
  entry.name = "rigid-motion";
  entry.summary = "the scene bump on a surface that goes straight on: as if it stood still";
  entry.source = "the principle of relativity";
  entry.default_motion = "translation";
  return entry;
}

SceneEntry squash_scene() {
  SceneEntry entry = still_water_on("squash");
  entry.default_mesh = "icosphere:3";
  entry.default_dt = 1.0 / 240;  // three explicit substeps of it are stable on the smallest triangles
  entry.summary =
      "water on a sphere that is squashed and stretched along one axis, to a fifth and to nine fifths: a "
      "test of endurance, with friction or rayleigh = 2";
  entry.source = "Angst 2007, §6.4, made as hard as it gets; the bound of 3 H is our own";
  return entry;
}

SceneEntry crumple_scene() {
  SceneEntry entry = still_water_on("crumple");
  entry.summary = "water on a surface that is crumpled more and more, until schemes fail one after the other";
  entry.source = "Angst 2007, §6.4.1, on badly shaped triangles in animations";
  return entry;
}

}  // namespace shoal
