// The colour bar of a field: its colours and numbers.
#include "reference/renderer/legend.hpp"
#include "reference/renderer/picture.hpp"

#include <gtest/gtest.h>

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

TEST(Legend, says_which_colour_is_land) {
  Image image(640, 360);
  std::fill(image.bytes.begin(), image.bytes.end(), std::uint8_t{255});
  const Font font;
  const Legend legend{.colors = &sequential_colors(), .low = 0, .high = 2, .name = "depth, m", .land = true};
  draw_legend(image, font, legend);
  const LegendLayout layout = legend_layout(font, legend, image.height, {0, 0, 640, 360});
  const Color patch = image.color(static_cast<int>(layout.land.left + layout.land.width / 2),
                                  static_cast<int>(layout.land.top + layout.land.height / 2));
  constexpr double byte = 1.0 / 255;
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(patch[c], land_color[c], byte);
}

TEST(Land, has_a_colour_that_no_map_has) {
  constexpr double apart = 0.15;
  for (const ColorMap* map : {&sequential_colors(), &diverging_colors()})
    for (double part = 0; part <= 1; part += 1.0 / 256) {
      const Color color = map->at(part);
      EXPECT_GT(std::hypot(color[0] - land_color[0], color[1] - land_color[1], color[2] - land_color[2]),
                apart)
          << map->name << " at " << part;
    }
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
