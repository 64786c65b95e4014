// Selection of a mode from the spectrum of a scheme.
#include "experiments/scenes/scheme_mode.hpp"

#include "solvers/wave_modes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace shoal {
namespace {

/// Index, in ascending order, of the mode that the text names.
Index find_mode(const std::string& text, const WaveSpectrum& spectrum) {
  const Index highest = spectrum.size() - spectrum.constant_modes();
  if (text == "highest") return spectrum.size() - 1;
  const std::string allowed = "a whole number ≥ 1, or highest";
  const double number = parse_parameter(text, "mode", allowed);
  if (number != std::round(number) || number < 1)
    throw parameter_error("mode", fmt::format("'{}' is not {}", text, allowed));
  if (number > highest)
    throw parameter_error(
        "mode", fmt::format("{} is too large: the scheme has {} modes on this mesh", text, highest));
  return spectrum.constant_modes() + static_cast<Index>(number) - 1;
}

}  // namespace

Options<ModeOptions> ModeOptions::describe() {
  return Options<ModeOptions>().text(
      "mode", "1", &ModeOptions::mode,
      "number of the mode in order of frequency, constants excluded: 1, 2, ... or highest; modes of equal "
      "frequency are an arbitrary basis of their space");
}

DiscreteInitialState start_in_mode(const Discretization& discretization, const Forces& forces,
                                   const std::string& mode, double depth, double amplitude) {
  DiscreteInitialState start;
  start.state = discretization.project(Fields{[depth](const Vector3&) { return depth; }, {}});
  const WaveSpectrum spectrum(discretization, forces, start.state[discretization.volume()]);
  const WaveModes found = spectrum.modes(find_mode(mode, spectrum), 1);
  start.mode = Mode{found.elevation.col(0), found.angular_frequency[0]};
  start.state[discretization.volume()] +=
      amplitude * discretization.cells().area.cwiseProduct(start.mode->elevation);
  return start;
}

}  // namespace shoal
