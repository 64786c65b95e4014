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
/// All that can be chosen: those two; magma (Smith and van der Walt 2015, CC0) and Blues (ColorBrewer), from dark to light and from
/// light to dark; coolwarm (Moreland 2009, doi:10.1007/978-3-642-10520-3_9), diverging.
const std::vector<ColorMap>& color_maps();
/// Throws Error that lists the names.
const ColorMap& find_color_map(const std::string& name);

/// Where a value lies between the ends of a colour map: 0 at `low`, 1 at `high`, or the same of logarithms. NaN if it has no logarithm.
double part_of_map(double value, double low, double high, bool logarithmic);

}  // namespace shoal
