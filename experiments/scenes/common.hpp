// What scenes have in common: options of the same name, still water under uniform gravity, the checks of the
// surface they are put on, and how an entry is made from options and a function.
#pragma once

#include "discretizations/common/options.hpp"
#include "experiments/scenes/scene.hpp"

#include <limits>

namespace shoal {

/// Smallest value accepted for a quantity that must be positive.
constexpr double min_positive = 1e-12;
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// Which every scene takes.
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

/// The scene `bump`, which others put on surfaces that move.
SceneEntry bump_scene();

/// Throws Error unless −depth < amplitude, so that the fluid is deep everywhere: elevations reach
/// `amplitude`, which is given by `parameter`.
void require_wet(double amplitude, double depth, const std::string& parameter = "amplitude");

/// Throws Error unless the surface is one closed sphere, every vertex at distance `radius` from the origin
/// within 1e-6 of it.
void require_sphere(const Surface& surface, double radius);

/// The entry of a scene with these options: declared from their description, read once for each instance.
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
