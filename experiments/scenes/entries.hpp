// One function per scene. A new scene is its own source, a line here and a line in list.cpp.
#pragma once

#include "experiments/scenes/scene.hpp"

namespace shoal {

SceneEntry sphere_bump_scene();
SceneEntry sphere_mode_scene();
SceneEntry rest_scene();
SceneEntry bump_scene();
SceneEntry dam_wet_scene();
SceneEntry eigenmode_scene();
SceneEntry solid_rotation_scene();
SceneEntry torus_force_scene();
SceneEntry breathing_sphere_scene();
SceneEntry rigid_motion_scene();
SceneEntry shaken_sphere_scene();
SceneEntry pulsating_gravity_scene();
SceneEntry squash_scene();
SceneEntry crumple_scene();
SceneEntry pulsating_ellipsoid_scene();
SceneEntry williamson_2_scene();
SceneEntry tilt_scene();
SceneEntry channel_scene();
SceneEntry source_sink_scene();

}  // namespace shoal
