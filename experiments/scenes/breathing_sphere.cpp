// Scene `breathing-sphere`: still water on a sphere whose radius swings. Nothing but the depth changes.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/entries.hpp"

#include <cmath>
#include <numbers>

namespace shoal {
namespace {

SceneInstance make(const Surface& surface, const Geometry&, const Parameters& parameters) {
  const double depth = parameters.number("depth"), amplitude = parameters.number("amplitude"),
               period = parameters.number("period");
  const auto growth = [=](double time) {  // R(t)/R(0)
    return 1 + amplitude * std::sin(2 * std::numbers::pi * time / period);
  };
  SceneInstance instance = still_water(surface, parameters, depth);
  instance.end = 2 * period;
  instance.sample_times = {0.25 * period, 0.75 * period, 2 * period};
  instance.motion = breathing(surface.x, amplitude, period);
  instance.references = {{"", [growth, depth](const Points& points, double time, Vector& exact) {
                            exact.setConstant(points.cols(), depth / (growth(time) * growth(time)));
                          }}};
  return instance;
}

}  // namespace

SceneEntry breathing_sphere_scene() {
  SceneEntry entry;
  entry.name = "breathing-sphere";
  entry.summary =
      "still water on a sphere, or any other surface, that grows and shrinks about the origin: η = η₀ "
      "(R₀/R)²";
  entry.source = "conservation of mass";
  entry.default_mesh = "icosphere:4";
  entry.default_dt = 1.0 / 60;
  entry.parameters = still_water_parameters() + moving_parameters() +
                     ParameterInfos{number("amplitude", "1", 0.3, 0, 0.9, "of the radius, over R₀"),
                                    number("period", "s", 1, min_positive, unlimited, "of its swing")};
  entry.make = make;
  return entry;
}

}  // namespace shoal
