// Parts shared by the scenes on a rotating sphere: its options, and directions on it.
#pragma once

#include "experiments/scenes/common.hpp"

namespace shoal {

/// The earth of Williamson et al. 1992.
struct PlanetOptions {
  double radius = 6.37122e6;  ///< R, m
  FluidOptions fluid{.gravity = 9.80616};
  double coriolis = 7.292e-5;  ///< Ω, rad/s
  static Options<PlanetOptions> describe();
};

constexpr double day = 86400;  ///< s

/// Water of `depth` at rest on a sphere that rotates about `axis`. Throws Error unless the surface is that sphere.
SceneInstance water_on_planet(const Surface& surface, const PlanetOptions& planet, double depth,
                              const Vector3& axis = Vector3::UnitZ());

/// Throws Error naming the parameter `depth` unless it exceeds `fall`, by which the least initial depth, m, is lower; `others` are the
/// parameters that determine it, for the message.
void require_deep(double depth, double fall, const std::string& others);
/// The same for the vertices of a surface.
void require_wet_start(const SceneInstance& instance, const Surface& surface, const std::string& others);

/// The latitude θ and the longitude λ of a point, rad.
double latitude(const Vector3& x);
double longitude(const Vector3& x);

}  // namespace shoal
