// Scene `pulsating-gravity`: a wave of the scheme grows by parametric resonance under a gravity that oscillates at twice
// its frequency.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/scheme_mode.hpp"

#include <cmath>
#include <memory>
#include <optional>

namespace shoal {
namespace {

struct PulsatingGravityOptions {
  StillWaterOptions water;
  double amplitude = 1e-6;  ///< m
  double epsilon = 0.1;
  std::optional<double> angular_frequency;  ///< Ω, rad/s; empty: twice that of the wave
  ModeOptions mode{.mode = "4"};
  static Options<PulsatingGravityOptions> describe() {
    using O = PulsatingGravityOptions;
    return Options<O>()
        .part(&O::water, StillWaterOptions::describe())
        .number("amplitude", "m", &O::amplitude, -unlimited, unlimited, "largest initial elevation")
        .number("epsilon", "1", &O::epsilon, 0, 0.9, "ε, relative amplitude of the oscillation of gravity")
        .parsed("angular_frequency", "rad/s", &O::angular_frequency, "auto", parse_frequency,
                "Ω; auto: twice the wave's own frequency in this scheme")
        .part(&O::mode, ModeOptions::describe());
  }

 private:
  static std::optional<double> parse_frequency(const std::string& text) {
    if (text == "auto") return {};
    return parse_parameter(text, "angular_frequency", "a number or auto");
  }
};

SceneInstance make(const Surface& surface, const Geometry&, const PulsatingGravityOptions& options) {
  const double depth = options.water.depth, amplitude = options.amplitude, epsilon = options.epsilon,
               gravity = options.water.fluid.gravity;
  require_wet(-std::abs(amplitude), depth);
  SceneInstance instance = still_water(surface, options.water);
  instance.end = 10;
  instance.sample_times = {2.5, 5, 7.5, 10};
  const auto frequency = std::make_shared<double>(options.angular_frequency.value_or(0));
  instance.discrete_initial_state = [=, given = options.angular_frequency.has_value(),
                                     mode = options.mode.mode](const Discretization& discretization,
                                                               const Forces& forces) {
    DiscreteInitialState start = start_in_mode(discretization, forces, mode, depth, amplitude);
    if (!given) *frequency = 2 * start.mode->angular_frequency;
    return start;
  };
  instance.forces = {{.add =
                          [=](double time, const WaterNow&, double share, ForceSum& sum) {
                            sum.normal_acceleration().array() -=
                                share * gravity * epsilon * std::sin(*frequency * time);
                          },
                      .in_space = false}};
  return instance;
}

}  // namespace

SceneEntry pulsating_gravity_scene() {
  return describe_scene(
      {.name = "pulsating-gravity",
       .summary = "a standing wave of the scheme under aₙ = −g (1 + ε sin Ωt): at Ω = 2ω its amplitude grows "
                  "as exp(εωt/4)",
       .source = "parametric resonance, Mathieu's equation: Landau & Lifshitz, Mechanics, §27",
       .default_mesh = "icosphere:3",
       .default_dt = 1.0 / 120},
      make);
}

}  // namespace shoal
