// Colour maps: a number from 0 to 1 as a colour.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace shoal {

/// Red, green, blue in sRGB, each from 0 to 1.
using Color = std::array<double, 3>;

/// Linear between colours at equal distances.
struct ColorMap {
  std::string name;
  std::vector<Color> colors;
  /// The colour at `part`, which is taken into [0, 1].
  Color at(double part) const;
};

/// Perceptually uniform from dark to light, for quantities that begin at zero: viridis (Smith and van der Walt 2015, CC0,
/// https://bids.github.io/colormap), every 15th of its 256 colours, between which it is linear to 0.02.
const ColorMap& sequential_colors();
/// From blue over white to red, for quantities of two signs: RdBu of ColorBrewer 2.0 (Brewer 2003), eleven colours.
const ColorMap& diverging_colors();

}  // namespace shoal
