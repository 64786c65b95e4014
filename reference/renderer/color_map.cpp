// The tables of the colour maps.
#include "reference/renderer/color_map.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

Color ColorMap::at(double part) const {
  const double last = static_cast<double>(colors.size() - 1), place = last * std::clamp(part, 0.0, 1.0);
  const auto below = static_cast<std::size_t>(std::min(std::floor(place), last - 1));
  const double weight = place - static_cast<double>(below);
  Color color{};
  for (std::size_t c = 0; c < 3; ++c)
    color[c] = (1 - weight) * colors[below][c] + weight * colors[below + 1][c];
  return color;
}

const ColorMap& sequential_colors() {
  static const ColorMap map{"viridis",
                            {{0.267, 0.005, 0.329},
                             {0.282, 0.090, 0.412},
                             {0.280, 0.166, 0.476},
                             {0.264, 0.238, 0.519},
                             {0.237, 0.305, 0.542},
                             {0.209, 0.368, 0.553},
                             {0.182, 0.426, 0.557},
                             {0.159, 0.482, 0.558},
                             {0.138, 0.537, 0.555},
                             {0.121, 0.593, 0.545},
                             {0.128, 0.648, 0.523},
                             {0.181, 0.701, 0.488},
                             {0.274, 0.752, 0.437},
                             {0.395, 0.797, 0.368},
                             {0.536, 0.836, 0.282},
                             {0.689, 0.865, 0.183},
                             {0.846, 0.887, 0.100},
                             {0.993, 0.906, 0.144}}};
  return map;
}

const ColorMap& diverging_colors() {
  static const ColorMap map{"RdBu",
                            {{0.020, 0.188, 0.380},
                             {0.129, 0.400, 0.675},
                             {0.263, 0.576, 0.765},
                             {0.573, 0.773, 0.871},
                             {0.820, 0.898, 0.941},
                             {0.969, 0.969, 0.969},
                             {0.992, 0.859, 0.780},
                             {0.957, 0.647, 0.510},
                             {0.839, 0.376, 0.302},
                             {0.698, 0.094, 0.169},
                             {0.404, 0.000, 0.122}}};
  return map;
}

}  // namespace shoal
