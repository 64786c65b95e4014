// Colour maps: a number from 0 to 1 as a colour.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace shoal {

/// Red, green, blue in sRGB, each from 0 to 1.
using Color = std::array<double, 3>;

/// Linear interpolation between equidistant colours.
struct ColorMap {
  std::string name;
  std::vector<Color> colors;
  /// The colour at `part`, clamped to [0, 1].
  Color at(double part) const;
};

/// Perceptually uniform from dark to light, for non-negative quantities: viridis (Smith and van der Walt 2015, CC0,
/// https://bids.github.io/colormap), every 15th of its 256 colours; linear interpolation deviates by at most 0.02.
const ColorMap& sequential_colors();
/// From blue through white to red, for quantities of both signs: RdBu of ColorBrewer 2.0 (Brewer 2003), eleven colours.
const ColorMap& diverging_colors();

}  // namespace shoal
