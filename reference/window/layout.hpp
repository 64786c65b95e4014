// Where picture, panels, messages and hints lie in the window: none of them on another.
#pragma once

#include "reference/renderer/rectangle.hpp"

#include <functional>
#include <string>

namespace shoal {

/// Units of the screen. Hints and message lie on the picture.
struct WindowLayout {
  Rectangle picture, panel;
  Rectangle message, hints;
  Rectangle free;            ///< of the picture, for the legend and the time
  bool short_hints = false;  ///< for there is no room for the whole
};

/// What is to be laid out.
struct WindowParts {
  double width = 0, height = 0;  ///< of the window
  bool panel = true;
  std::string message, hints, short_hints;  ///< empty: none
  double padding = 8;                       ///< around words
  double button = 0;                        ///< height below the words of a message
  /// Height of words in lines of at most this width.
  std::function<double(const std::string& words, double width)> height_of;
};

WindowLayout lay_out(const WindowParts& parts);

}  // namespace shoal
