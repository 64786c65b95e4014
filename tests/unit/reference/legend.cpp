// The colour bar of a field: its colours and numbers.
#include "reference/renderer/legend.hpp"
#include "reference/renderer/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace shoal::test {
namespace {

TEST(Legend, ticks_are_round_and_within) {
  for (const auto& [low, high] :
       {std::pair(0.0, 1.0), {-0.1, 0.1}, {3e-7, 8e-6}, {-1234.0, 77.0}, {0.0, 0.37}}) {
    const std::vector<double> ticks = tick_values(low, high);
    EXPECT_GE(ticks.size(), 3U) << low << ' ' << high;
    EXPECT_LE(ticks.size(), 6U) << low << ' ' << high;
    for (const double tick : ticks) {
      EXPECT_GE(tick, low - 1e-9 * (high - low));
      EXPECT_LE(tick, high + 1e-9 * (high - low));
    }
    const double step = ticks[1] - ticks[0],
                 first = step / std::pow(10, std::floor(std::log10(step * (1 + 1e-9))));
    EXPECT_NEAR(std::min({std::abs(first - 1), std::abs(first - 2), std::abs(first - 5)}), 0, 1e-6) << step;
  }
}

TEST(Legend, logarithmic_ticks_are_powers_of_ten_or_their_simple_multiples) {
  EXPECT_EQ(log_tick_values(1e-3, 10).size(), 5U);
  for (const auto& [low, high] :
       {std::pair(1e-3, 1e-1), {0.003, 0.2}, {0.21, 0.34}, {1e-9, 1e5}, {7.0, 1300.0}}) {
    const std::vector<double> ticks = log_tick_values(low, high);
    EXPECT_GE(ticks.size(), high > 2 * low ? 3U : 2U) << low << ' ' << high;
    EXPECT_LE(ticks.size(), 8U) << low << ' ' << high;
    for (const double tick : ticks) {
      EXPECT_GE(tick, low * (1 - 1e-8));
      EXPECT_LE(tick, high * (1 + 1e-8));
    }
    EXPECT_TRUE(std::is_sorted(ticks.begin(), ticks.end()));
  }
}

/// Each number stands at the colour of its value.
TEST(Legend, places_logarithmic_ticks_at_the_parts_of_their_logarithms) {
  const Font font;
  const Legend legend{
      .colors = &sequential_colors(), .low = 1e-4, .high = 1, .logarithmic = true, .name = "speed, m/s"};
  const LegendLayout layout = legend_layout(font, legend, 600, {0, 0, 400, 600});
  ASSERT_EQ(layout.ticks.size(), 5U);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_EQ(std::stod(layout.ticks[k].text.text), std::pow(10, static_cast<int>(k) - 4));
    EXPECT_NEAR(layout.ticks[k].row, layout.bar.bottom() - layout.bar.height * static_cast<double>(k) / 4,
                1e-9);
  }
}

TEST(Legend, shows_the_colours_from_below_to_above_and_writes_beside_them) {
  Image image(640, 360);
  std::fill(image.bytes.begin(), image.bytes.end(), std::uint8_t{255});
  const Font font;
  draw_legend(image, font,
              {.colors = &sequential_colors(), .low = 0, .high = 2, .name = "depth, m", .note = "t = 1 s"});
  const Rectangle bar =
      legend_layout(
          font, {.colors = &sequential_colors(), .low = 0, .high = 2, .name = "depth, m", .note = "t = 1 s"},
          image.height, {0, 0, 640, 360})
          .bar;
  const int middle = static_cast<int>(bar.left + bar.width / 2);
  constexpr double tolerance = 0.02;  // half a row
  for (const double part : {0.05, 0.33, 0.77}) {
    const Color seen = image.color(middle, static_cast<int>(bar.top + (1 - part) * bar.height));
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(seen[c], sequential_colors().at(part)[c], tolerance);
  }
  double ink = 0;
  for (int row = static_cast<int>(bar.top); row < bar.bottom(); ++row)
    for (int column = static_cast<int>(bar.left + 2 * bar.width); column < image.width; ++column)
      ink += 1 - image.color(column, row)[0];
  EXPECT_GT(ink, 15);  // numbers at five ticks, each of some pixels
  EXPECT_EQ(image.color(image.width / 2, image.height / 2), (Color{1, 1, 1}));
}

TEST(Legend, says_which_colours_are_land_and_no_value) {
  Image image(640, 360);
  std::fill(image.bytes.begin(), image.bytes.end(), std::uint8_t{255});
  const Font font;
  const Legend legend{.colors = &sequential_colors(),
                      .low = 0,
                      .high = 2,
                      .name = "depth, m",
                      .land = true,
                      .no_value = true};
  draw_legend(image, font, legend);
  const LegendLayout layout = legend_layout(font, legend, image.height, {0, 0, 640, 360});
  ASSERT_EQ(layout.patches.size(), 2U);
  constexpr double byte = 1.0 / 255;
  for (const LegendLayout::Patch& patch : layout.patches) {
    const Color seen = image.color(static_cast<int>(patch.box.left + patch.box.width / 2),
                                   static_cast<int>(patch.box.top + patch.box.height / 2));
    const Color& meant = patch.text.text == "dry" ? land_color : no_value_color;
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(seen[c], meant[c], byte) << patch.text.text;
  }
}

TEST(Land, and_places_without_a_value_have_colours_that_no_map_has) {
  constexpr double min_distance = 0.15;
  const auto distance = [](const Color& a, const Color& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  };
  EXPECT_GT(distance(land_color, no_value_color), min_distance);
  for (const ColorMap& map : color_maps())
    for (double part = 0; part <= 1; part += 1.0 / 256)
      for (const Color& other : {land_color, no_value_color})
        EXPECT_GT(distance(map.at(part), other), min_distance) << map.name << " at " << part;
}

TEST(Fonts, have_the_letters_of_units) {
  const Font font;
  EXPECT_GT(font.width("wwww", 20), font.width("iiii", 20));
  EXPECT_EQ(font.width("", 20), 0);
  EXPECT_GT(font.width("η", 20), 0);
  EXPECT_LT(font.width("η", 20), 20);  // one letter, not two bytes
}

}  // namespace
}  // namespace shoal::test
