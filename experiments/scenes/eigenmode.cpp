// Scene `eigenmode`: a standing wave of the scheme's own wave operator, so that one frequency alone is
// excited and what a time step does to it can be measured, from the lowest frequency of a mesh to the
// highest.
#include "experiments/scenes/common.hpp"
#include "experiments/scenes/entries.hpp"
#include "solvers/wave_modes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {
namespace {

/// Position in ascending order of the mode that the text asks for.
Index find_mode(const std::string& text, const WaveSpectrum& spectrum) {
  const Index highest = spectrum.size() - spectrum.constant_modes();
  if (text == "highest") return spectrum.size() - 1;
  const std::string allowed = "a whole number ≥ 1, or highest";
  const double number = parse_parameter(text, "mode", allowed);
  if (number != std::round(number) || number < 1)
    throw parameter_error("mode", fmt::format("'{}' is not {}", text, allowed));
  if (number > highest)
    throw parameter_error("mode",
                          fmt::format("{} is too large, this scheme has {} on this mesh", text, highest));
  return spectrum.constant_modes() + static_cast<Index>(number) - 1;
}

SceneInstance make(const Surface& surface, const Geometry&, const Parameters& parameters) {
  const double depth = parameters.number("depth"), amplitude = parameters.number("amplitude");
  require_wet(-std::abs(amplitude), depth);
  SceneInstance instance = still_water(surface, parameters, depth);
  instance.end = 2;
  instance.sample_times = {0.5, 1.0, 1.5, 2.0};
  instance.own_start = [=, mode = parameters.text("mode")](const Discretization& discretization) {
    OwnStart start;
    start.state = discretization.project(Fields{[depth](const Vector3&) { return depth; }, {}});
    const WaveSpectrum spectrum(discretization, start.state.volume);
    const WaveModes found = spectrum.modes(find_mode(mode, spectrum), 1);
    start.mode = Mode{found.elevation.col(0), found.angular_frequency[0]};
    start.state.volume += amplitude * discretization.cells().area.cwiseProduct(start.mode->elevation);
    return start;
  };
  return instance;
}

}  // namespace

SceneEntry eigenmode_scene() {
  SceneEntry entry;
  entry.name = "eigenmode";
  entry.summary =
      "standing wave η = H + a·z of the scheme's own wave operator, K(s η̄) z = ω² (A/r) z, max |z| = 1";
  entry.source =
      "linear theory: the scheme's linear equations turn it into H + a·z·cos ωt with the discrete ω, which "
      "is "
      "recorded as mode_angular_frequency";
  entry.default_mesh = "icosphere:3";
  entry.parameters =
      still_water_parameters() +
      ParameterInfos{
          number("amplitude", "m", 1e-6, -unlimited, unlimited,
                 "largest elevation a; nonlinear terms enter at about a/depth"),
          text(
              "mode", "1", "1",
              "number of the mode from the lowest frequency up, constants not counted: 1, 2, ... or highest; "
              "where frequencies are equal, the modes are some basis of their space"),
      };
  entry.make = make;
  return entry;
}

}  // namespace shoal
