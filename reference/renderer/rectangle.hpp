// Rectangles on the screen.
#pragma once

#include <algorithm>

namespace shoal {

/// In pixels or units of the screen, from the upper left corner; empty if its width or height is 0.
struct Rectangle {
  double left = 0, top = 0, width = 0, height = 0;
  double right() const { return left + width; }
  double bottom() const { return top + height; }
  bool empty() const { return width <= 0 || height <= 0; }
  bool overlaps(const Rectangle& other) const {
    return !empty() && !other.empty() && left < other.right() && other.left < right() &&
           top < other.bottom() && other.top < bottom();
  }
  bool contains(const Rectangle& other) const {
    return other.empty() ||
           (other.left >= left && other.top >= top && other.right() <= right() && other.bottom() <= bottom());
  }
};

}  // namespace shoal
