// A colour bar with ticks.
#include "reference/renderer/legend.hpp"

#include "reference/renderer/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr Color ink{0.13, 0.13, 0.13};
constexpr double line = 1.3;    // distance of base lines / size of letters
constexpr double below = 0.25;  // height of descenders / size of letters

/// "-0.05", "0", "1.2e-06"
std::string number(double value, double step) {
  if (std::abs(value) < 1e-9 * step) return "0";
  return fmt::format("{:.4g}", value);
}

void fill(Image& image, const Rectangle& box, const Color& color, double opacity = 1) {
  const int left = static_cast<int>(std::lround(box.left)), top = static_cast<int>(std::lround(box.top)),
            right = static_cast<int>(std::lround(box.right())),
            bottom = static_cast<int>(std::lround(box.bottom()));
  for (int row = top; row < bottom; ++row)
    for (int column = left; column < right; ++column) image.blend(column, row, color, opacity);
}

/// Shrinks the letters if the text does not fit in the width.
LegendText text_of(const Font& font, const std::string& text, int size, double width) {
  constexpr int smallest = 6;
  while (size > smallest && font.width(text, size) > width) --size;
  return {text, size, {0, 0, static_cast<double>(font.width(text, size)), line * size}};
}

void draw(Image& image, const Font& font, const LegendText& text) {
  if (text.text.empty()) return;
  font.draw(image, static_cast<int>(std::lround(text.box.left)),
            static_cast<int>(std::lround(text.box.bottom() - below * text.size)), text.size, text.text, ink);
}

Rectangle framed(const Rectangle& box) {
  return {box.left - 1, box.top - 1, box.width + 2, box.height + 2};
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

std::vector<double> log_tick_values(double low, double high) {
  constexpr int most = 7, fewest = 3;
  const int first = static_cast<int>(std::ceil(std::log10(low) - 1e-9)),
            last = static_cast<int>(std::floor(std::log10(high) + 1e-9)), count = last - first + 1;
  const auto within = [&](double value) { return value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9); };
  std::vector<double> values;
  if (count >= fewest) {
    const int stride = (count + most - 1) / most;
    for (int k = first; k <= last; k += stride) values.push_back(std::pow(10.0, k));
    return values;
  }
  for (int k = first - 1; k <= last; ++k)
    for (const double digit : {1, 2, 5})
      if (const double value = digit * std::pow(10.0, k); within(value)) values.push_back(value);
  return static_cast<int>(values.size()) < fewest ? tick_values(low, high) : values;
}

std::vector<Rectangle> LegendLayout::boxes() const {
  std::vector<Rectangle> all = {framed(bar), arrow, arrow_text.box, note.box};
  for (const Patch& patch : patches) {
    all.push_back(framed(patch.box));
    all.push_back(patch.text.box);
  }
  for (const LegendText& one : name) all.push_back(one.box);
  for (const Tick& tick : ticks) all.push_back(tick.text.box);
  std::erase_if(all, [](const Rectangle& box) { return box.empty(); });
  return all;
}

LegendLayout legend_layout(const Font& font, const Legend& legend, int image_height, const Rectangle& part) {
  LegendLayout layout;
  const int size = std::max(9, image_height / 36);
  const double margin = 0.5 * size, right = part.right() - margin, wide = part.width - 2 * margin;
  double bottom = part.bottom() - margin;  // of the free part at the right edge
  if (!legend.note.empty()) {
    layout.note = text_of(font, legend.note, size, wide);
    layout.note.box.left = part.left + margin;
    layout.note.box.top = bottom - layout.note.box.height;
    bottom = layout.note.box.top;
  }
  std::vector<std::string> lines = {legend.name};
  if (const auto comma = legend.name.rfind(", ");
      comma != std::string::npos && font.width(legend.name, size) > wide)
    lines = {legend.name.substr(0, comma + 1), legend.name.substr(comma + 2)};
  for (const std::string& words : lines) layout.name.push_back(text_of(font, words, size, wide));
  double heading = 0;
  for (const LegendText& one : layout.name) heading += one.box.height;
  // Land and arrow go below the bar if that leaves enough room for the bar.
  const double end = 0.7 * size,
               first =
                   part.top + 0.3 * size + heading + end;  // leaves room for a number at each end of the bar
  const auto has_room = [&](double height) { return bottom - height - end - first > 2 * size; };
  if (legend.arrow_value > 0 && legend.arrow_pixels > 0 && has_room((line + 1) * size)) {
    double value = legend.arrow_value, length = legend.arrow_pixels;
    for (; length > 0.4 * wide; length /= 2) value /= 2;
    layout.arrow_text = text_of(font, fmt::format("{:.3g} {}", value, legend.arrow_unit), size, wide);
    Rectangle& box = layout.arrow_text.box;
    box.left = right - box.width;
    box.top = bottom - box.height;
    layout.arrow = {right - length, box.top - size, length, static_cast<double>(size)};
    bottom = layout.arrow.top;
  }

  std::vector<LegendText> texts;  // of ticks
  const std::vector<double> values =
      legend.logarithmic ? log_tick_values(legend.low, legend.high) : tick_values(legend.low, legend.high);
  double widest = 4.5 * size;
  for (const double value : values) {
    texts.push_back(text_of(font, number(value, legend.logarithmic ? value : legend.high - legend.low), size,
                            0.6 * wide));
    widest = std::max(widest, texts.back().box.width);
  }
  const double left = std::max(part.left + margin, right - widest - 1.5 * size);
  const auto add_patch = [&](const Color& color, const char* words) {
    if (!has_room((line + 0.2) * size)) return;
    LegendLayout::Patch patch{color, {}, text_of(font, words, size, right - left - 1.5 * size)};
    patch.box = {left, bottom - 0.9 * line * size, static_cast<double>(size), 0.7 * line * size};
    patch.text.box.left = left + 1.5 * size;
    patch.text.box.top = bottom - patch.text.box.height;
    bottom = patch.text.box.top - 0.2 * size;
    layout.patches.push_back(std::move(patch));
  };
  if (legend.land) add_patch(land_color, "dry");
  if (legend.no_value) add_patch(no_value_color, legend.logarithmic ? "≤ 0" : "no value");

  // Centred if there is room.
  const double room = bottom - end - first;
  const double height = std::max(1.0, std::min(0.6 * part.height, room));
  const double top = std::clamp(part.top + 0.2 * part.height, first, std::max(first, first + room - height));
  layout.bar = {left, top, static_cast<double>(size), height};
  double above = top - end - heading;
  for (LegendText& one : layout.name) {
    one.box.left = std::max(part.left + margin, std::min(left, right - one.box.width));
    one.box.top = above;
    above += one.box.height;
  }
  double free = top + height + end;  // no number has been placed above this row
  for (std::size_t i = 0; i < values.size(); ++i) {
    LegendText& text = texts[i];
    const double row =
        top + height * (1 - part_of_map(values[i], legend.low, legend.high, legend.logarithmic));
    text.box.left = left + 1.5 * size;
    text.box.top = row - 0.5 * text.box.height;
    if (text.box.bottom() > free || text.box.top < top - end) continue;
    free = text.box.top;
    layout.ticks.push_back({row, text});
  }
  return layout;
}

void draw_legend(Image& image, const Font& font, const Legend& legend, const LegendLayout& layout) {
  const Rectangle& bar = layout.bar;
  if (legend.backing) {
    constexpr double opacity = 0.7;
    for (const Rectangle& box : layout.boxes())
      fill(image, {box.left - 2, box.top, box.width + 4, box.height}, {1, 1, 1}, opacity);
  }
  fill(image, framed(bar), ink);
  for (int row = 0; row < static_cast<int>(bar.height); ++row)
    fill(image, {bar.left, bar.top + row, bar.width, 1}, legend.colors->at(1 - (row + 0.5) / bar.height));
  for (const auto& [row, text] : layout.ticks) {
    fill(image, {bar.right(), row, bar.width / 3, 1}, ink);
    draw(image, font, text);
  }
  for (const LegendText& one : layout.name) draw(image, font, one);
  draw(image, font, layout.note);
  for (const LegendLayout::Patch& patch : layout.patches) {
    fill(image, framed(patch.box), ink);
    fill(image, patch.box, patch.color);
    draw(image, font, patch.text);
  }
  if (layout.arrow.empty()) return;
  const Rectangle& arrow = layout.arrow;
  const double row = arrow.top + 0.5 * arrow.height, size = arrow.height;
  fill(image, {arrow.left, row, arrow.width, std::max(1.0, size / 8)}, ink);
  for (int k = 0; k < size / 2 && k < arrow.width; ++k)
    fill(image, {arrow.right() - k - 1, row - k / 2, 1, static_cast<double>(k + 1)}, ink);
  draw(image, font, layout.arrow_text);
}

void draw_legend(Image& image, const Font& font, const Legend& legend) {
  draw_legend(image, font, legend,
              legend_layout(font, legend, image.height,
                            {0, 0, static_cast<double>(image.width), static_cast<double>(image.height)}));
}

}  // namespace shoal
