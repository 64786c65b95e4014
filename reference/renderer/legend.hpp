// The bar that says which value a colour stands for.
#pragma once

#include "reference/renderer/text.hpp"

namespace shoal {

struct Legend {
  const ColorMap* colors = nullptr;
  double low = 0, high = 1;  ///< at the ends of the bar
  std::string name{};        ///< "elevation, m"
  std::string note{};        ///< "t = 0.25 s", in the lower left corner; may be empty
  double arrow_value = 0;    ///< what an arrow of `arrow_pixels` stands for; 0: there are no arrows
  int arrow_pixels = 0;
  std::string arrow_unit{};  ///< "m/s"
};

/// Numbers at even distances, of which three to six lie in [low, high]: their step is 1, 2 or 5 times a power of ten.
std::vector<double> tick_values(double low, double high);

/// The columns at the right edge, and rows from the middle, that the bar's colours fill.
struct LegendPlace {
  int left, top, width, height;
};
LegendPlace legend_place(const Image& image);

/// Draws the bar at the right edge, numbers beside it, the name above it.
void draw_legend(Image& image, const Font& font, const Legend& legend);

}  // namespace shoal
