// Scene `two-bumps`: two Gaussian humps released at rest on any surface, h = Σ a exp(−(|x − xᵢ|/w)²).
#include "experiments/scenes/common.hpp"

#include <cmath>

namespace shoal {
namespace {

SceneInstance make(const Surface& surface, const Geometry&, const Parameters& parameters) {
  const double depth = parameters.number("depth"), amplitude = parameters.number("amplitude");
  const double width = parameters.number("width");
  const Vector3 first = parameters.vector("first"), second = parameters.vector("second");
  require_wet(amplitude, depth);

  SceneInstance instance = still_water(surface, parameters, depth);
  instance.end = 1;
  instance.sample_times = {0.5, 1};
  instance.initial.depth = [=](const Vector3& x) {
    const auto hump = [&](const Vector3& center) {
      return amplitude * std::exp(-(x - center).squaredNorm() / (width * width));
    };
    return depth + hump(first) + hump(second);
  };
  return instance;
}

}  // namespace

SceneEntry two_bumps_scene() {
  SceneEntry entry;
  entry.name = "two-bumps";
  entry.summary = "two humps amplitude·exp(−(|x−xᵢ|/width)²) released at rest on any surface";
  entry.source = "an example; no solution is known";
  entry.default_mesh = "icosphere:3";
  entry.parameters =
      still_water_parameters() + ParameterInfos{number("amplitude", "m", 0.1, -unlimited, unlimited,
                                                       "elevation at the centers; more than -depth"),
                                                number("width", "m", 0.3, min_positive, unlimited,
                                                       "distance at which the elevation has fallen to 1/e"),
                                                text("first", "m", "0,0,1", "position x,y,z of one center"),
                                                text("second", "m", "0,1,0", "position x,y,z of the other")};
  entry.make = make;
  return entry;
}

}  // namespace shoal
