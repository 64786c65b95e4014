#include "reference/window/layout.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace shoal {

WindowLayout lay_out(const WindowParts& parts) {
  constexpr double wide_panel = 370, min_panel = 280;
  constexpr double panel_share = 0.4625, min_picture = 0.4;  // of the window's width
  constexpr double max_message = 0.4, max_hints = 1.0 / 3;   // of the window's height
  constexpr double gap = 8;
  WindowLayout layout;
  const double panel_width = std::clamp(std::floor(panel_share * parts.width), min_panel, wide_panel);
  const double picture =
      parts.panel ? std::max(std::floor(min_picture * parts.width), parts.width - panel_width) : parts.width;
  layout.picture = {0, 0, picture, parts.height};
  layout.panel = {picture, 0, parts.width - picture, parts.height};
  layout.free = layout.picture;
  const double wide = picture - 2 * gap, words = wide - 2 * parts.padding;
  if (!parts.message.empty()) {
    const double high = parts.height_of(parts.message, words) + parts.button + 2 * parts.padding;
    layout.message = {gap, gap, wide, std::min(high, std::floor(max_message * parts.height))};
    layout.free.top = layout.message.bottom();
  }
  if (!parts.hints.empty()) {
    double high = parts.height_of(parts.hints, words) + 2 * parts.padding;
    layout.short_hints = high > max_hints * parts.height;
    if (layout.short_hints) high = parts.height_of(parts.short_hints, words) + 2 * parts.padding;
    layout.hints = {gap, parts.height - gap - high, wide, high};
  }
  layout.free.height = (layout.hints.empty() ? parts.height : layout.hints.top) - layout.free.top;
  return layout;
}

std::optional<Rectangle> place_beside(const Rectangle& box, const Rectangle& part,
                                      const std::vector<Rectangle>& taken) {
  for (const auto& [right, down] :
       {std::pair(0, 0), {0, -1}, {0, 1}, {-1, 0}, {1, 0}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}}) {
    const Rectangle place{box.left + right * box.width, box.top + down * box.height, box.width, box.height};
    if (part.contains(place) && std::none_of(taken.begin(), taken.end(),
                                             [&](const Rectangle& other) { return other.overlaps(place); }))
      return place;
  }
  return std::nullopt;
}

}  // namespace shoal
