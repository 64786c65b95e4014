// The legend: a colour bar with its labels, the scale of arrows, the colour of land, and the time.
#pragma once

#include "reference/renderer/rectangle.hpp"
#include "reference/renderer/text.hpp"

namespace shoal {

struct Legend {
  const ColorMap* colors = nullptr;
  double low = 0, high = 1;  ///< at the ends of the bar
  bool logarithmic = false;
  std::string name{};      ///< "elevation, m"
  std::string note{};      ///< "t = 0.25 s", in the lower left corner; may be empty
  double arrow_value = 0;  ///< value of an arrow of `arrow_pixels`; 0: no arrows
  int arrow_pixels = 0;
  std::string arrow_unit{};  ///< "m/s"
  bool backing = true;       ///< a translucent white below the words, which may lie over dark water
  bool land = false;         ///< shows the colour of dry land
  bool no_value = false;     ///< shows the colour of places without a value
};

/// Two to six equally spaced numbers in [low, high], with a step of 1, 2 or 5 times a power of ten.
std::vector<double> tick_values(double low, double high);
/// Numbers in [low, high] for a logarithmic scale: powers of ten, every n-th where there are more than seven; with 2 and 5 times these where
/// there are fewer than three; where these are fewer than three, those of tick_values().
std::vector<double> log_tick_values(double low, double high);

/// A line of text of this size within `box`; only descenders lie below the box's lower edge, which is the base line.
struct LegendText {
  std::string text;
  int size = 0;
  Rectangle box{};
};

/// Positions of all parts, in pixels, without overlaps.
struct LegendLayout {
  Rectangle bar;                 ///< the colour bar
  std::vector<LegendText> name;  ///< above the bar, in one line or two
  struct Tick {
    double row;  ///< of the bar
    LegendText text;
  };
  std::vector<Tick> ticks;  ///< beside the bar, as many as fit
  /// A patch of colour below the bar, and what it stands for.
  struct Patch {
    Color color;
    Rectangle box;
    LegendText text;
  };
  std::vector<Patch> patches;
  Rectangle arrow;  ///< as long as the arrow
  LegendText arrow_text;
  LegendText note;
  /// All boxes that are not empty.
  std::vector<Rectangle> boxes() const;
};

/// Lays out the legend at the right edge of a part of an image of this height. Parts that do not fit shrink or are omitted.
LegendLayout legend_layout(const Font& font, const Legend& legend, int image_height, const Rectangle& part);

void draw_legend(Image& image, const Font& font, const Legend& legend, const LegendLayout& layout);
/// Draws the legend, laid out in the whole image.
void draw_legend(Image& image, const Font& font, const Legend& legend);

}  // namespace shoal
