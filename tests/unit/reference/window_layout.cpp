// Elements of the window do not overlap at any size from 480 x 360 up: the boxes as laid out by ImGui, and legend,
// time and arrow as drawn.
#include "reference/session/playback.hpp"
#include "reference/window/panels.hpp"
#include "reference/window/window.hpp"
#include "tests/support/catalog.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <imgui.h>
#include <imgui_internal.h>

#include <array>
#include <thread>

namespace shoal {
namespace {

using Boxes = std::vector<std::pair<std::string, Rectangle>>;

void expect_apart(const Boxes& boxes, const std::string& what) {
  for (std::size_t i = 0; i < boxes.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto& [name, box] = boxes[i];
      const auto& [other_name, other] = boxes[j];
      EXPECT_FALSE(box.overlaps(other))
          << what << ": " << name << " [" << box.left << ", " << box.right() << "] x [" << box.top << ", "
          << box.bottom() << "] lies on " << other_name << " [" << other.left << ", " << other.right()
          << "] x [" << other.top << ", " << other.bottom() << "]";
    }
}

constexpr std::pair<int, int> sizes[] = {{480, 360},  {500, 900},  {640, 360},  {640, 480},   {800, 600},
                                         {1024, 400}, {1280, 720}, {1600, 900}, {1920, 1080}, {3840, 2160}};

/// With the longest and the shortest words that there are.
std::vector<Legend> legends() {
  Legend plain{
      .colors = &diverging_colors(), .low = -0.1, .high = 0.1, .name = "elevation, m", .note = "t = 0.25 s"};
  Legend long_one{.colors = &sequential_colors(),
                  .low = -1.2345e-7,
                  .high = 3.3e-7,
                  .name = "potential_vorticity_of_the_whole, 1/(m s)",
                  .note = "t = 1.235e+05 s",
                  .arrow_value = 0.123,
                  .arrow_pixels = 5000,
                  .arrow_unit = "m/s",
                  .land = true,
                  .no_value = true};
  Legend logarithmic = long_one;
  logarithmic.low = 1e-9;
  logarithmic.high = 123;
  logarithmic.logarithmic = true;
  Legend blank = plain;
  blank.note = "";
  blank.high = blank.low;  // a constant field has no ticks
  return {plain, long_one, logarithmic, blank};
}

TEST(LegendLayout, is_apart_and_within_its_part_of_the_picture) {
  const Font font;
  for (const auto& [width, height] : sizes)
    for (const double part : {1.0, 0.4})
      for (const double free : {1.0, 0.5, 0.27})
        for (const Legend& legend : legends()) {
          const Rectangle within{0, 0.4 * height * (1 - free), part * width, free * height};
          const LegendLayout layout = legend_layout(font, legend, height, within);
          Boxes boxes;
          for (const Rectangle& box : layout.boxes()) {
            boxes.emplace_back("a part of the legend", box);
            EXPECT_TRUE(within.contains(box))
                << width << " x " << height << ", " << legend.name << ": " << box.left << ", " << box.top
                << ", " << box.right() << ", " << box.bottom();
          }
          EXPECT_GE(layout.bar.height, 10) << "there are no colours to be seen";
          expect_apart(boxes,
                       fmt::format("{} x {}, {} x {} of it, {}", width, height, part, free, legend.name));
        }
}

TEST(LegendLayout, has_an_arrow_that_stands_for_its_length) {
  const Font font;
  Legend legend = legends()[1];
  for (const int pixels : {10, 100, 1000, 5000}) {
    legend.arrow_pixels = pixels;
    const LegendLayout layout = legend_layout(font, legend, 600, {0, 0, 400, 600});
    const double value = std::stod(layout.arrow_text.text);
    constexpr double rounding = 5e-3;  // of three digits
    EXPECT_NEAR(layout.arrow.width / pixels, value / legend.arrow_value,
                rounding * value / legend.arrow_value);
  }
}

/// ImGui without a window: it lays out, and nothing is drawn.
class Panels : public testing::Test {
 protected:
  Panels() {
    ImGui::CreateContext();
    ImGui::GetIO().IniFilename = nullptr;
    load_window_font();
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsRGBA32(&pixels, &width, &height);
  }
  ~Panels() override { ImGui::DestroyContext(); }

  /// The boxes once they have their sizes, with those of the legend.
  Boxes drawn(int width, int height, const Shown& shown, const FrameSnapshot* moment) {
    ImGui::GetIO().DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    const std::string message = state_.message;
    WindowLayout layout;
    for (int i = 0; i < 3; ++i) {
      state_.message = message;
      ImGui::NewFrame();
      layout = lay_out(state_, shown);
      draw_panels(state_, shown, moment, test::catalog(), layout);
      ImGui::Render();
    }
    Boxes boxes;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (!window->WasActive || window->ParentWindow || std::string(window->Name) == "Debug##Default")
        continue;
      boxes.push_back({window->Name, {window->Pos.x, window->Pos.y, window->Size.x, window->Size.y}});
    }
    for (const Legend& legend : legends()) {
      Boxes all = boxes;
      for (const Rectangle& box : legend_layout(font_, legend, height, layout.free).boxes())
        all.emplace_back("legend", box);
      const std::string what = fmt::format("{} x {}, panel {}, hints {}, message '{:.20}'", width, height,
                                           state_.shown, state_.hints, state_.message);
      expect_apart(all, what);
      for (const auto& [name, box] : all)
        EXPECT_TRUE((Rectangle{0, 0, static_cast<double>(width), static_cast<double>(height)}).contains(box))
            << what << ": " << name << " leaves the window";
    }
    return boxes;
  }

  PanelState state_;
  Font font_;
};

const std::string too_long = [] {
  std::string words = "cannot be loaded: ";
  for (int i = 0; i < 60; ++i) words += "a reason that goes on and on, ";
  return words;
}();

TEST_F(Panels, lie_beside_each_other_and_the_legend) {
  Session session(
      test::catalog(),
      expand(test::catalog(), parse_experiment("scene = 'sphere-bump'\nmesh = 'icosphere:1'\n", "test.toml"))
          .front()
          .configuration,
      {}, 1.5);
  for (int i = 0; i < 20; ++i)
    session.act({0, SourceInput{.at = {0, 0, 1}, .discharge = i % 2 ? 0.01 : -0.01}});
  while (session.latest()->sources.size() < 20) std::this_thread::yield();
  const auto moment = session.latest();
  state_.scale_to_surface();
  for (const auto& [width, height] : sizes)
    for (const bool panel : {true, false})
      for (const bool hints : {true, false})
        for (const std::string& message :
             {std::string(), std::string("picture-000.png is written"), too_long})
          for (const FrameSnapshot* shown : {moment.get(), static_cast<const FrameSnapshot*>(nullptr)}) {
            state_.shown = panel;
            state_.hints = hints;
            state_.message = message;
            const Boxes boxes = drawn(width, height, {shown ? &session : nullptr, nullptr}, shown);
            EXPECT_EQ(boxes.size(), std::size_t{panel} + std::size_t{hints} + std::size_t{!message.empty()});
          }
}

/// A field of two numbers above one of one; each takes what is typed when Return is pressed or the focus leaves it.
TEST_F(Panels, take_numbers_when_they_have_been_typed) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = ImVec2(400, 300);
  for (const int key : {ImGuiKey_Tab, ImGuiKey_Enter, ImGuiKey_Escape}) io.KeyMap[key] = 100 + key;
  std::array<double, 2> range = {1, 2};
  double number = 3;
  int taken = 0;
  ImVec2 low, below;
  const auto frame = [&](const std::string& typed = "", int key = -1) {
    io.AddInputCharactersUTF8(typed.c_str());
    begin_widgets(key < 0 ? std::vector<int>() : std::vector<int>{100 + key});
    ImGui::Begin("panel");
    std::array<double, 2> ends = range;
    if (enter(state_.entry, "range", ends, [](std::array<double, 2>& x) {
          return ImGui::InputScalarN("range", ImGuiDataType_Double, x.data(), 2, nullptr, nullptr, "%.2g");
        })) {
      range = ends;
      ++taken;
    }
    low = {ImGui::GetItemRectMin().x + 9, ImGui::GetItemRectMin().y + 9};
    double one = number;
    if (enter(state_.entry, "one", one, [](double& x) { return ImGui::InputDouble("one", &x); })) {
      number = one;
      ++taken;
    }
    below = {ImGui::GetItemRectMin().x + 9, ImGui::GetItemRectMin().y + 9};
    ImGui::End();
    ImGui::Render();
  };
  const auto click = [&](const ImVec2& at, int times = 2) {  // the second one selects what there is
    for (int i = 0; i < times; ++i)
      for (const bool down : {true, false}) {
        io.MousePos = at;
        frame();
        io.MouseDown[0] = down;
        frame();
      }
  };
  frame();
  frame();
  click(low);
  frame("7");
  frame("", ImGuiKey_Tab);
  frame();
  frame();
  EXPECT_EQ(taken, 0) << "the second number is still to come";
  frame("9");
  frame("", ImGuiKey_Enter);
  frame();
  EXPECT_EQ(taken, 1);
  EXPECT_EQ(range, (std::array<double, 2>{7, 9}));

  click(low);
  frame("8");
  click(below, 1);  // the focus goes to the other field
  EXPECT_EQ(taken, 2);
  EXPECT_EQ(range[0], 8);
  click(below);
  frame("5");
  click({390, 290}, 1);  // to nothing
  for (int i = 0; i < 3; ++i) frame();
  EXPECT_EQ(taken, 3);
  EXPECT_EQ(number, 5);
  click(below);
  frame("6");
  frame("", ImGuiKey_Escape);
  for (int i = 0; i < 4; ++i) frame();
  EXPECT_EQ(taken, 3);
  EXPECT_EQ(number, 5);
}

TEST_F(Panels, keep_the_colours_of_each_quantity) {
  state_.view.field = "depth";
  state_.view.logarithmic = true;
  state_.view.color_map = "magma";
  state_.view.range = {0.1, 2};
  state_.choose_field("speed");
  EXPECT_FALSE(state_.view.logarithmic || state_.view.range || !state_.view.color_map.empty());
  state_.choose_field("depth");
  EXPECT_TRUE(state_.view.logarithmic);
  EXPECT_EQ(state_.view.color_map, "magma");
  EXPECT_EQ(state_.view.range, std::pair(0.1, 2.0));
}

TEST_F(Panels, lose_their_information_but_no_warning) {
  state_.inform("saved");
  state_.pass(1);
  EXPECT_EQ(state_.message, "saved");
  state_.pass(10);
  EXPECT_EQ(state_.message, "");
  state_.inform("saved");
  state_.warn("it cannot be");
  state_.pass(1e9);
  EXPECT_EQ(state_.message, "it cannot be");
}

TEST_F(Panels, close_a_list_once) {
  ImGui::GetIO().DisplaySize = ImVec2(800, 600);
  ImGui::NewFrame();
  EXPECT_FALSE(close_list());
  ImGui::Begin("panel");
  ImGui::OpenPopup("list");
  ASSERT_TRUE(ImGui::BeginPopup("list"));
  ImGui::EndPopup();
  ImGui::End();
  EXPECT_TRUE(close_list());
  EXPECT_FALSE(close_list()) << "the next Esc is for the window";
  ImGui::Render();
}

/// As many as have room beside the first place that they ask for.
TEST(WindowLayout, places_labels_beside_each_other_and_what_is_there) {
  const Rectangle part{0, 40, 300, 200};
  Boxes placed = {{"legend", {250, 60, 50, 150}}};
  std::vector<Rectangle> taken = {placed.front().second};
  EXPECT_EQ(place_beside({100, 100, 20, 13}, part, taken)->left, 100);
  std::size_t omitted = 0;
  for (int i = 0; i < 30; ++i) {
    const Rectangle wanted{10.0 + 37 * i % 180, 45.0 + 53 * i % 180, i % 3 ? 12.0 : 48.0, 13};
    const auto place = place_beside(wanted, part, taken);
    if (!place) {
      ++omitted;
      continue;
    }
    EXPECT_TRUE(part.contains(*place));
    taken.push_back(*place);
    placed.emplace_back(fmt::format("label {}", i), *place);
  }
  expect_apart(placed, "labels");
  EXPECT_LE(omitted, 1U);
  EXPECT_FALSE(place_beside({-100, 100, 20, 13}, part, {})) << "its marker is outside";
}

TEST(WindowLayout, leaves_most_of_the_picture_free_without_words_on_it) {
  for (const auto& [width, height] : sizes) {
    WindowParts parts;
    parts.width = width;
    parts.height = height;
    const WindowLayout layout = lay_out(parts);
    EXPECT_GE(layout.picture.width, (width < 640 ? 0.4 : 0.5) * width - 1) << "also beside the panel";
    EXPECT_EQ(layout.picture.width + layout.panel.width, width);
    EXPECT_EQ(layout.free.height, height);
    parts.message = parts.hints = "words";
    parts.height_of = [](const std::string&, double) { return 1e4; };
    const WindowLayout crowded = lay_out(parts);
    EXPECT_TRUE(crowded.short_hints);
    EXPECT_LE(crowded.message.height, 0.4 * height);
  }
}

}  // namespace
}  // namespace shoal
