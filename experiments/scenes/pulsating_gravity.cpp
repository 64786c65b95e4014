// Scene `pulsating-gravity`: a wave of the scheme under a gravity that swings at twice its frequency, a swing
// whose length is changed in time: the wave grows.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/entries.hpp"
#include "experiments/scenes/scheme_mode.hpp"

#include <cmath>
#include <memory>
#include <numbers>

namespace shoal {
namespace {

SceneInstance make(const Surface& surface, const Geometry&, const Parameters& parameters) {
  const double depth = parameters.number("depth"), amplitude = parameters.number("amplitude"),
               epsilon = parameters.number("epsilon"), gravity = parameters.number("gravity");
  require_wet(-std::abs(amplitude), depth);
  SceneInstance instance = still_water(surface, parameters, depth);
  instance.end = 10;
  instance.sample_times = {2.5, 5, 7.5, 10};
  const std::string& given = parameters.text("angular_frequency");
  auto frequency = std::make_shared<double>(
      given == "auto" ? 0 : parse_parameter(given, "angular_frequency", "a number or auto"));
  instance.discrete_initial_state = [=, mode = parameters.text("mode")](const Discretization& discretization,
                                                                        const Forces& forces) {
    DiscreteInitialState start = start_in_mode(discretization, forces, mode, depth, amplitude);
    if (given == "auto") *frequency = 2 * start.mode->angular_frequency;
    return start;
  };
  instance.change_forcing = [=](double time, Forcing& forcing) {
    forcing.normal_acceleration.setConstant(-gravity * (1 + epsilon * std::sin(*frequency * time)));
    return true;
  };
  return instance;
}

}  // namespace

SceneEntry pulsating_gravity_scene() {
  SceneEntry entry;
  entry.name = "pulsating-gravity";
  entry.summary =
      "a standing wave of the scheme under aₙ = −g (1 + ε sin Ωt): at Ω = 2ω its amplitude grows as "
      "exp(εωt/4)";
  entry.source = "parametric resonance, Mathieu's equation: Landau & Lifshitz, Mechanics, §27";
  entry.default_mesh = "icosphere:3";
  entry.default_dt = 1.0 / 120;
  entry.parameters =
      still_water_parameters() +
      ParameterInfos{
          number("amplitude", "m", 1e-6, -unlimited, unlimited, "largest elevation at the start"),
          number("epsilon", "1", 0.1, 0, 0.9, "ε, the part of gravity that swings"),
          text("angular_frequency", "rad/s", "auto",
               "Ω; auto: twice the wave's own frequency in this scheme"),
          mode_parameter("4"),
      };
  entry.make = make;
  return entry;
}

}  // namespace shoal
