// What scenes have in common: the parameters all of them take, still water under uniform gravity, and the
// checks of the surface they are put on.
#pragma once

#include "experiments/scenes/scene.hpp"

namespace shoal {

/// Smallest value accepted for a quantity that must be positive.
constexpr double min_positive = 1e-12;
constexpr double unlimited = std::numeric_limits<double>::infinity();

/// `gravity` and `density`, which every scene takes.
ParameterInfos gravity_parameters();
/// The same and `depth`.
ParameterInfos still_water_parameters(double depth = 1);
ParameterInfos operator+(ParameterInfos first, const ParameterInfos& second);

/// `body_acceleration`, for scenes without a solution.
ParameterInfos body_acceleration_parameters();

/// Fluid of `depth` on a bed at that depth, at rest, with aₙ = −gravity at every vertex, and the
/// body_acceleration where there is such a parameter.
SceneInstance still_water(const Surface& surface, const Parameters& parameters, double depth);

/// Throws Error unless −depth < amplitude, so that the fluid is deep everywhere: elevations reach
/// `amplitude`.
void require_wet(double amplitude, double depth);

/// Throws Error unless every vertex lies at distance `radius` from the origin, within 1e-6 of it.
void require_sphere(const Surface& surface, double radius);

}  // namespace shoal
