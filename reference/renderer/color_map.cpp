// The tables of the colour maps.
#include "reference/renderer/color_map.hpp"

#include "discretizations/common/error.hpp"
#include "discretizations/common/parameters.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

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

const std::vector<ColorMap>& color_maps() {
  static const std::vector<ColorMap> maps = {{"viridis",
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
                                               {0.993, 0.906, 0.144}}},
                                             {"magma",
                                              {{0.001, 0.000, 0.014},
                                               {0.036, 0.028, 0.125},
                                               {0.103, 0.063, 0.258},
                                               {0.191, 0.065, 0.396},
                                               {0.291, 0.065, 0.475},
                                               {0.384, 0.098, 0.501},
                                               {0.476, 0.135, 0.508},
                                               {0.569, 0.167, 0.504},
                                               {0.665, 0.198, 0.489},
                                               {0.761, 0.231, 0.460},
                                               {0.852, 0.276, 0.419},
                                               {0.926, 0.347, 0.375},
                                               {0.970, 0.447, 0.360},
                                               {0.989, 0.558, 0.392},
                                               {0.997, 0.668, 0.456},
                                               {0.997, 0.777, 0.541},
                                               {0.992, 0.884, 0.640},
                                               {0.987, 0.991, 0.750}}},
                                             {"Blues",
                                              {{0.969, 0.984, 1.000},
                                               {0.871, 0.922, 0.969},
                                               {0.776, 0.859, 0.937},
                                               {0.620, 0.792, 0.882},
                                               {0.420, 0.682, 0.839},
                                               {0.259, 0.573, 0.776},
                                               {0.129, 0.443, 0.710},
                                               {0.031, 0.318, 0.612},
                                               {0.031, 0.188, 0.420}}},
                                             {"coolwarm",
                                              {{0.230, 0.299, 0.754},
                                               {0.299, 0.400, 0.840},
                                               {0.374, 0.497, 0.909},
                                               {0.452, 0.588, 0.960},
                                               {0.533, 0.670, 0.990},
                                               {0.614, 0.740, 0.999},
                                               {0.693, 0.796, 0.986},
                                               {0.768, 0.837, 0.952},
                                               {0.835, 0.861, 0.899},
                                               {0.896, 0.850, 0.823},
                                               {0.941, 0.806, 0.735},
                                               {0.965, 0.745, 0.643},
                                               {0.968, 0.668, 0.550},
                                               {0.951, 0.579, 0.459},
                                               {0.915, 0.477, 0.372},
                                               {0.861, 0.363, 0.291},
                                               {0.791, 0.231, 0.216},
                                               {0.706, 0.016, 0.150}}},
                                             {"RdBu",
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
                                               {0.404, 0.000, 0.122}}}};
  return maps;
}

const ColorMap& sequential_colors() {
  return color_maps().front();
}

const ColorMap& diverging_colors() {
  return color_maps().back();
}

const ColorMap& find_color_map(const std::string& name) {
  std::vector<std::string> names;
  for (const ColorMap& map : color_maps()) {
    if (map.name == name) return map;
    names.push_back(map.name);
  }
  throw Error(fmt::format("'{}' is none of {}{}", name, join(names), did_you_mean(name, names)));
}

double part_of_map(double value, double low, double high, bool logarithmic) {
  if (!logarithmic) return (value - low) / (high - low);
  return value > 0 ? std::log(value / low) / std::log(high / low) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace shoal
