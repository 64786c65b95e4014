// A colour bar with ticks.
#include "reference/renderer/legend.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr Color ink{0.13, 0.13, 0.13};

int text_size(const Image& image) {
  return std::max(9, image.height / 36);
}

/// "-0.05", "0", "1.2e-06"
std::string number(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  return fmt::format("{:.4g}", value);
}

void fill(Image& image, int left, int top, int width, int height, const Color& color) {
  for (int row = top; row < top + height; ++row)
    for (int column = left; column < left + width; ++column) image.blend(column, row, color, 1);
}

}  // namespace

std::vector<double> tick_values(double low, double high) {
  const double rough = (high - low) / 5, power = std::pow(10, std::floor(std::log10(rough)));
  const double part = rough / power, step = power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
  std::vector<double> values;
  const double first = std::ceil(low / step - 1e-9), count = std::floor(high / step + 1e-9) - first;
  for (int k = 0; k <= count && k <= 20; ++k) values.push_back((first + k) * step);  // NaN: none
  return values;
}

LegendPlace legend_place(const Image& image) {
  const int size = text_size(image);
  return {image.width - 6 * size, image.height / 5, size, 3 * image.height / 5};
}

void draw_legend(Image& image, const Font& font, const Legend& legend) {
  const LegendPlace bar = legend_place(image);
  const int size = text_size(image);
  fill(image, bar.left - 1, bar.top - 1, bar.width + 2, bar.height + 2, ink);
  for (int row = 0; row < bar.height; ++row)
    fill(image, bar.left, bar.top + row, bar.width, 1, legend.colors->at(1 - (row + 0.5) / bar.height));
  const double step = legend.high - legend.low;
  for (const double value : tick_values(legend.low, legend.high)) {
    const int row = bar.top + static_cast<int>(std::lround(bar.height * (legend.high - value) / step));
    fill(image, bar.left + bar.width, row, size / 3, 1, ink);
    font.draw(image, bar.left + bar.width + size / 2, row + size / 3, size, number(value, step), ink);
  }
  const int right = image.width - size / 2, width = font.width(legend.name, size);
  font.draw(image, std::min(bar.left, right - width), bar.top - size, size, legend.name, ink);
  if (!legend.note.empty()) font.draw(image, size, image.height - size, size, legend.note, ink);
  if (legend.arrow_value > 0) {
    const int row = bar.top + bar.height + 2 * size, left = right - legend.arrow_pixels;
    fill(image, left, row, legend.arrow_pixels, std::max(1, size / 8), ink);
    for (int k = 0; k < size / 2; ++k)
      fill(image, left + legend.arrow_pixels - k, row - k / 2, 1, k + 1, ink);
    font.draw(image, right, row + size + size / 2, size,
              fmt::format("{:.3g} {}", legend.arrow_value, legend.arrow_unit), ink, Align::right);
  }
}

}  // namespace shoal
