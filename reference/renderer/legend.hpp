// The bar that says which value a colour stands for, and what stands beside it.
#pragma once

#include "reference/renderer/rectangle.hpp"
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
  bool land = false;         ///< there is dry land
};

/// Numbers at even distances, of which three to six lie in [low, high]: their step is 1, 2 or 5 times a power of ten.
std::vector<double> tick_values(double low, double high);

/// Text in one line, of letters of this size, within `box`; its base line ends the box but for what hangs below it.
struct LegendText {
  std::string text;
  int size = 0;
  Rectangle box{};
};

/// Where all of it lies, pixels: nothing overlaps.
struct LegendLayout {
  Rectangle bar;                 ///< of the colours
  std::vector<LegendText> name;  ///< above the bar, in one line or two
  struct Tick {
    double row;  ///< of the bar
    LegendText text;
  };
  std::vector<Tick> ticks;  ///< beside the bar, as many as there is room for
  Rectangle land;           ///< a patch of its colour; below the bar
  LegendText land_text;
  Rectangle arrow;  ///< its length is that of the arrow
  LegendText arrow_text;
  LegendText note;
  /// All that is not empty.
  std::vector<Rectangle> boxes() const;
};

/// Of an image that is so many pixels high, in a part of it, at its right edge. What does not fit is left out, or smaller.
LegendLayout legend_layout(const Font& font, const Legend& legend, int image_height, const Rectangle& part);

void draw_legend(Image& image, const Font& font, const Legend& legend, const LegendLayout& layout);
/// In the whole image.
void draw_legend(Image& image, const Font& font, const Legend& legend);

}  // namespace shoal
