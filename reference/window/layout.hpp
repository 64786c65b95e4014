// The layout of picture, panels, messages and hints in the window, without overlaps.
#pragma once

#include "reference/renderer/rectangle.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace shoal {

/// In units of the screen. Hints and message lie over the picture.
struct WindowLayout {
  Rectangle picture, panel;
  Rectangle message, hints;
  Rectangle free;            ///< the part of the picture left for the legend and the time
  bool short_hints = false;  ///< because the full hints do not fit
};

/// The parts to lay out.
struct WindowParts {
  double width = 0, height = 0;  ///< of the window
  bool panel = true;
  std::string message, hints, short_hints;  ///< empty: none
  double padding = 8;                       ///< around words
  double button = 0;                        ///< height below the words of a message
  /// Height of a text wrapped at a width.
  std::function<double(const std::string& words, double width)> height_of;
};

WindowLayout lay_out(const WindowParts& parts);

/// The box, or the same beside it, where it overlaps none of `taken` and lies within `part`; nothing if there is no such place.
std::optional<Rectangle> place_beside(const Rectangle& box, const Rectangle& part,
                                      const std::vector<Rectangle>& taken);

}  // namespace shoal
