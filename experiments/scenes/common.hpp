// Shared parts of scenes: common options, still water under uniform gravity, checks of the surface, and the entry made from
// options and a function.
#pragma once

#include "discretizations/common/options.hpp"
#include "experiments/scenes/scene.hpp"

#include <limits>

namespace shoal {

/// Smallest value accepted for a quantity that must be positive.
constexpr double min_positive = 1e-12;
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// The options of every scene.
struct FluidOptions {
  double gravity = 9.81;  ///< m/s²
  double density = 1000;  ///< kg/m³
  static Options<FluidOptions> describe();
};

struct StillWaterOptions {
  FluidOptions fluid{};
  double depth = 1;  ///< H, m
  static Options<StillWaterOptions> describe();
};

/// Fluid of `depth` on a bed at that depth, at rest, with aₙ = −gravity at every vertex.
SceneInstance still_water(const Surface& surface, const FluidOptions& fluid, double depth);
SceneInstance still_water(const Surface& surface, const StillWaterOptions& water);

/// The scene `bump`, which other scenes reuse on moving surfaces.
SceneEntry bump_scene();

/// Throws Error naming `parameter` unless amplitude > −depth, so that the depth is positive everywhere; `amplitude` is the lowest
/// elevation, m.
void require_wet(double amplitude, double depth, const std::string& parameter = "amplitude");

/// Throws Error unless the surface is one closed sphere whose vertices lie at the distance `radius` from the origin, to within 1e-6
/// of it.
void require_sphere(const Surface& surface, double radius);

/// The angle between two directions, rad.
double angle_between(const Vector3& a, const Vector3& b);

/// Throws Error unless the surface is a flat basin with walls: z constant to within 1e-9 of the length, not periodic.
void require_flat_basin(const Surface& surface);
/// The lengths after which the surface repeats along x and y, m. Throws Error unless it is flat, as above, and periodic in both.
Vector3 require_periodic_plane(const Surface& surface);

/// The scene's own solution, given as functions of a point and a time; the velocity is empty if unknown.
Reference solution_at_points(std::function<double(const Vector3& point, double time)> depth,
                             std::function<Vector3(const Vector3& point, double time)> velocity);

/// The entry of a scene with these options, whose parameters are declared from their description and read once per instance.
template <class SceneOptions>
SceneEntry describe_scene(SceneEntry entry,
                          SceneInstance (*make)(const Surface&, const Geometry&, const SceneOptions&)) {
  entry.parameters = describe_options<SceneOptions>();
  entry.make = [make](const Surface& surface, const Geometry& geometry, const Parameters& parameters) {
    return make(surface, geometry, read_options<SceneOptions>(parameters));
  };
  return entry;
}

}  // namespace shoal
