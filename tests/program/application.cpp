// The built program `shoal-app` from the user's view: pictures, videos, meshes, and messages on bad input.
#include "discretizations/mesh/formats/reader.hpp"
#include "reference/renderer/image.hpp"
#include "shoal.hpp"
#include "tests/support/skip.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <vector>

namespace shoal {
namespace {

namespace fs = std::filesystem;
using test::text_of;

constexpr int not_finished = 1, users_mistake = 2, machines_failure = 3;
const std::string small = " --headless --rate 30 --size 96x64 --samples 1 ";

const fs::path shoal_itself = fs::path(SHOAL_PROGRAM).parent_path() / "shoal";

class App : public test::Shoal {
 protected:
  int app(const std::string& arguments) const { return shoal(arguments, SHOAL_PROGRAM); }
  /// Skips if no picture can be drawn.
  void SetUp() override {
    if (app("icosphere:0" + small + "--frames 1 --png first") == machines_failure &&
        error_output().find("OpenGL") != std::string::npos)
      SHOAL_SKIP_WITHOUT(error_output());  // no driver
    fs::remove_all(folder_ / "first");
  }
  std::vector<std::string> files(const std::string& folder) const {
    std::vector<std::string> names;
    if (fs::exists(folder_ / folder))
      for (const fs::directory_entry& entry : fs::directory_iterator(folder_ / folder))
        names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }
  bool has(const std::string& program) const { return shell("command -v " + program) == 0; }
};

TEST_F(App, writes_as_many_pictures_as_asked_for_with_the_same_bytes_every_time) {
  for (const std::string look : {"water", "science"}) {
    const std::string arguments =
        "sphere-bump --mesh icosphere:2 --frames 3 --look " + look + small + "--png ";
    ASSERT_EQ(app(arguments + look), 0) << error_output();
    ASSERT_EQ(app(arguments + look + "/again"), 0) << error_output();
    for (int k = 0; k < 3; ++k) {
      const std::string name = fmt::format("frame-{:05}.png", k);
      const Image image = read_png(folder_ / (look + "/" + name));
      EXPECT_EQ(image.width, 96);
      EXPECT_EQ(image.height, 64);
      EXPECT_EQ(text_of(folder_ / (look + "/" + name)), text_of(folder_ / (look + "/again/" + name)));
    }
    EXPECT_EQ(files(look + "/again").size(), 3U);
    EXPECT_NE(text_of(folder_ / (look + "/frame-00000.png")), text_of(folder_ / (look + "/frame-00002.png")))
        << "nothing moves";
  }
}

TEST_F(App, has_a_manual_page) {
  ASSERT_EQ(app("--manual"), 0) << error_output();
  fs::rename(folder_ / "output", folder_ / "shoal-app.1");
  expect_manual_page(folder_ / "shoal-app.1");
}

TEST_F(App, shows_water_under_a_sky_and_a_field_before_white) {
  ASSERT_EQ(app("icosphere:2 --frames 1 --png w" + small), 0) << error_output();
  ASSERT_EQ(app("icosphere:2 --frames 1 --png s --look science --field depth --range 0,2 --lines" + small), 0)
      << error_output();
  const Image water = read_png(folder_ / "w/frame-00000.png"),
              field = read_png(folder_ / "s/frame-00000.png");
  const Color middle = water.color(48, 32), corner = field.color(1, 1);
  EXPECT_GT(middle[2], middle[0]);
  EXPECT_EQ(corner, (Color{1, 1, 1}));
  EXPECT_EQ(error_output().find("range over the clip"), std::string::npos) << "the range was given";
}

TEST_F(App, makes_a_video_of_all_frames) {
  if (!has("ffmpeg") || !has("ffprobe")) SHOAL_SKIP_WITHOUT("ffmpeg, which makes the videos");
  ASSERT_EQ(app("torus:12x8 --frames 4 --video a/clip.mp4" + small), 0) << error_output();
  ASSERT_EQ(shell("ffprobe -v error -count_frames -select_streams v -show_entries "
                  "stream=codec_name,width,height,pix_fmt,nb_read_frames,"
                  "r_frame_rate -of default=noprint_wrappers=1 a/clip.mp4"),
            0);
  for (const char* line : {"codec_name=h264\n", "width=96\n", "height=64\n", "pix_fmt=yuv420p\n",
                           "nb_read_frames=4\n", "r_frame_rate=30/1\n"})
    EXPECT_NE(output().find(line), std::string::npos) << line << output();
  EXPECT_EQ(files("a").size(), 1U) << "something else is left";
  ASSERT_EQ(app("torus:12x8 --frames 4 --video b/clip.mp4" + small), 0);
  EXPECT_EQ(text_of(folder_ / "a/clip.mp4"), text_of(folder_ / "b/clip.mp4"));
}

/// Smaller than it is printed.
TEST_F(App, makes_the_clip_of_the_page_of_commands) {
  if (!has("ffmpeg")) SHOAL_SKIP_WITHOUT("ffmpeg, which makes the videos");
  const std::string page = text_of(fs::path(SHOAL_SOURCE) / "experiments/README.md"),
                    program = "build/release/shoal-app ";
  const std::size_t begin = page.find("    " + program + "ball-drop --headless"),
                    end = page.find("  #", begin + 4);
  ASSERT_NE(begin, std::string::npos);
  std::string arguments = page.substr(begin + 4 + program.size(), end - begin - 4 - program.size());
  const std::string frames = "--frames 60";
  ASSERT_NE(arguments.find(frames), std::string::npos) << arguments;
  arguments.replace(arguments.find(frames), frames.size(), "--frames 2 --size 96x64 --samples 1");
  EXPECT_EQ(app(arguments), 0) << error_output();
  EXPECT_EQ(error_output().find("note:"), std::string::npos) << error_output();
  EXPECT_EQ(files("results"), std::vector<std::string>{"ball-drop.mp4"});
}

TEST_F(App, without_ffmpeg_says_so_before_it_computes) {
  EXPECT_EQ(shell(fmt::format("PATH=/nowhere '{}' torus:12x8 --frames 4 --video clip.mp4 {}", SHOAL_PROGRAM,
                              small)),
            machines_failure);
  EXPECT_NE(error_output().find("ffmpeg"), std::string::npos);
  EXPECT_FALSE(fs::exists(folder_ / "clip.mp4"));
}

/// Share of the pixels in a part of the picture that are bluer than the sky, as water is; parts from 0 to 1, from top left.
double water_in(const Image& image, double left, double right, double top, double bottom) {
  int water = 0, all = 0;
  for (int row = static_cast<int>(top * image.height); row < bottom * image.height; ++row)
    for (int column = static_cast<int>(left * image.width); column < right * image.width; ++column) {
      const Color color = image.color(column, row);
      water += color[2] - color[0] > 0.2;
      ++all;
    }
  return static_cast<double>(water) / all;
}

const std::string portrait = " --headless --no-ground --view 0,0,1 --size 160x160 --samples 1 ";

TEST_F(App, shows_a_character_of_water_where_it_stands) {
  ASSERT_EQ(app("character --mesh figure:600 --frames 1 --png c" + portrait), 0) << error_output();
  const Image figure = read_png(folder_ / "c/frame-00000.png");
  EXPECT_GT(water_in(figure, 0.44, 0.56, 0.35, 0.5), 0.9) << "the torso";
  const double right = water_in(figure, 0.36, 0.5, 0.6, 0.9), left = water_in(figure, 0.5, 0.64, 0.6, 0.9);
  EXPECT_GT(right, 0.2) << "a leg, which is narrower than that part";
  EXPECT_NEAR(left / right, 1, 0.25) << "the other";
  EXPECT_LT(water_in(figure, 0.05, 0.3, 0.6, 0.95) + water_in(figure, 0.7, 0.95, 0.6, 0.95), 0.01)
      << "the sky";
}

TEST_F(App, shows_which_leg_is_filled) {
  ASSERT_EQ(app("fill-figure --mesh figure:600 --frames 2 --rate 1 --speed 60 --png f" + portrait), 0)
      << error_output();
  const Image figure = read_png(folder_ / "f/frame-00001.png");
  EXPECT_GT(water_in(figure, 0.36, 0.5, 0.6, 0.9), 0.15) << "the right leg";
  EXPECT_LT(water_in(figure, 0.5, 0.64, 0.6, 0.9), 0.01) << "the left one, still dry";
  EXPECT_LT(water_in(figure, 0.44, 0.56, 0.35, 0.5), 0.01) << "the torso, likewise";
}

TEST_F(App, shows_the_ball_above_the_sphere_of_water) {
  ASSERT_EQ(app("ball-drop --mesh icosphere:3 --frames 1 --png b --headless --no-ground --view 0,-1,0 --size "
                "160x120 --samples 1"),
            0)
      << error_output();
  const Image image = read_png(folder_ / "b/frame-00000.png");
  Eigen::Vector2d middle = Eigen::Vector2d::Zero();
  int count = 0;
  for (int row = 0; row < image.height; ++row)
    for (int column = 0; column < image.width; ++column)
      if (const Color color = image.color(column, row); color[0] > color[2] + 0.1) {
        middle += Eigen::Vector2d(column, row);
        ++count;
      }
  ASSERT_GT(count, 30) << "no ball";
  middle /= count;
  EXPECT_NEAR(middle.x(), 80, 3);
  EXPECT_LT(middle.y(), 24);
  EXPECT_GT(water_in(image, 0.42, 0.58, 0.45, 0.8), 0.9);
}

/// As the real one does on a full disk.
TEST_F(App, does_not_take_a_damaged_video_for_one_that_is_whole) {
  fs::create_directories(folder_ / "bin");
  for (const std::string written :
       {"", "head -c 100 /dev/zero", "printf '\\000\\000\\000\\020ftypisom0000'"}) {
    std::ofstream(folder_ / "bin/ffmpeg") << "#!/bin/sh\nfor last; do :; done\ncat >/dev/null\n{ "
                                          << (written.empty() ? ":" : written) << "; } >\"$last\"\nexit 0\n";
    fs::permissions(folder_ / "bin/ffmpeg", fs::perms::owner_all);
    EXPECT_EQ(shell(fmt::format("PATH=\"$PWD/bin:$PATH\" '{}' torus:12x8 --frames 2 --video clip.mp4 {}",
                                SHOAL_PROGRAM, small)),
              machines_failure)
        << written;
    EXPECT_NE(error_output().find("clip.mp4"), std::string::npos) << error_output();
    EXPECT_FALSE(fs::exists(folder_ / "clip.mp4")) << written;
    EXPECT_FALSE(fs::exists(folder_ / "clip.mp4.part")) << written;
  }
}

TEST_F(App, refuses_ranges_that_are_no_scale) {
  for (const char* range : {"-inf,inf", "0,nan", "-1e308,1e308", "1,1.0000000000000002", "0,1e-320"}) {
    EXPECT_EQ(app(fmt::format("icosphere:1 --frames 1 --look science --range={} --png r{}", range, small)),
              users_mistake)
        << range;
    EXPECT_NE(error_output().find("--range"), std::string::npos) << error_output();
  }
}

/// Every edge has two faces in opposite directions, even if part of the surface is dry.
TEST_F(App, writes_closed_surfaces_of_water_beside_dry_land) {
  ASSERT_EQ(app("fill-shape --mesh icosphere:3 --frames 2 --rate 1 --speed 8 --headless --format obj "
                "--meshes dry --iso-level 0.1"),
            0)
      << error_output();
  const Polygons water = read_polygons(folder_ / "dry/frame-00001.obj");
  std::set<std::pair<Index, Index>> edges;
  ASSERT_EQ(water.corner.size(), 3 * static_cast<std::size_t>(water.count()));
  for (Index f = 0; f < water.count(); ++f)
    for (int c = 0; c < 3; ++c)
      EXPECT_TRUE(edges
                      .insert({water.corner[static_cast<std::size_t>(3 * f + c)],
                               water.corner[static_cast<std::size_t>(3 * f + (c + 1) % 3)]})
                      .second)
          << f;
  for (const auto& [from, to] : edges) EXPECT_TRUE(edges.count({to, from})) << from << " " << to;
}

TEST_F(App, writes_the_surface_of_the_water_in_every_format) {
  for (const std::string format : {"obj", "ply", "glb"}) {
    ASSERT_EQ(app("icosphere:2 --frames 2 --rate 30 --headless --format " + format + " --meshes " + format),
              0)
        << error_output();
    ASSERT_EQ(files(format), (std::vector<std::string>{"frame-00000." + format, "frame-00001." + format}));
    const Polygons first = read_polygons(folder_ / (format + "/frame-00000." + format)),
                   second = read_polygons(folder_ / (format + "/frame-00001." + format));
    EXPECT_EQ(first.count(), 320);  // the front sheet, which is closed
    EXPECT_EQ(first.x.cols(), second.x.cols());
    EXPECT_GT((first.x - second.x).norm(), 0) << "nothing moves";
  }
  if (!has("assimp")) SHOAL_SKIP_WITHOUT("assimp, the second reader");
  ASSERT_EQ(shell("assimp info glb/frame-00001.glb"), 0) << output();
  EXPECT_NE(output().find("Faces:              320"), std::string::npos) << output();
}

TEST_F(App, keeps_what_was_written_when_the_run_becomes_unstable) {
  EXPECT_EQ(app("icosphere:3 --integrator explicit --substeps 1 --dt 0.5 --rate 2 --frames 200 --headless "
                "--size 32x32 --samples 1 --png p"),
            not_finished);
  const std::size_t written = files("p").size();
  EXPECT_GE(written, 1U);
  EXPECT_LT(written, 200U);
  EXPECT_NE(error_output().find("unstable"), std::string::npos) << error_output();
}

/// A hand is 0.2 m long in metres, a human 10 m in the units of its file.
TEST_F(App, puts_water_on_models_of_any_size) {
  for (const char* radius : {"0.1", "5", "1000"}) {
    EXPECT_EQ(
        app(fmt::format(
            "icosphere:3 --param radius={} --frames 2 --headless --rate 1 --size 96x64 --samples 1 --png r{}",
            radius, radius)),
        0)
        << radius << error_output();
    EXPECT_EQ(error_output().find("negative depths"), std::string::npos) << error_output();
  }
  // What is given is taken.
  ASSERT_EQ(app("icosphere:2 --param depth=0.7 --param amplitude=0.05 --param radius=2 --substeps 3 --frames "
                "1 --look science "
                "--field depth --png g" +
                small),
            0)
      << error_output();
  EXPECT_NE(error_output().find("from 0 to 0.75"), std::string::npos) << error_output();
}

TEST_F(App, draws_a_run_of_an_experiment_file) {
  std::ofstream(folder_ / "two.toml")
      << "scene = \"bump\"\nmesh = [\"icosphere:1\", \"icosphere:2\"]\nparameters.amplitude = 0.2\n";
  ASSERT_EQ(app("two.toml --run 2 --frames 3 --fast --headless --rate 30 --size 96x64 --png f"), 0)
      << error_output();
  EXPECT_NE(output().find("3 frames; a picture of 96 x 64 pixels takes "), std::string::npos) << output();
  ASSERT_EQ(
      app("bump --mesh icosphere:2 --param amplitude=0.2 --frames 3 --fast --headless --rate 30 --size 96x64 "
          "--png same"),
      0);
  EXPECT_EQ(text_of(folder_ / "f/frame-00002.png"), text_of(folder_ / "same/frame-00002.png"));
  for (const auto& [arguments, message] :
       {std::pair("two.toml --run 3 --headless --png p", "no run 0003"),
        std::pair("two.toml --dt 0.1 --headless --png p", "--dt"),
        std::pair("two.toml --run 3", "no run 0003"), std::pair("bump --run 1 --headless --png p", "--run"),
        std::pair("bump --fast --samples 2 --headless --png p", "--samples")}) {
    EXPECT_EQ(app(arguments), users_mistake) << arguments;
    EXPECT_NE(error_output().find(message), std::string::npos) << error_output();
  }
}

TEST_F(App, replaces_nothing_unless_it_is_told_to) {
  const std::string arguments = "icosphere:0 --png p" + small + "--frames ";
  ASSERT_EQ(app(arguments + "3"), 0);
  EXPECT_EQ(app(arguments + "1"), users_mistake);
  EXPECT_NE(error_output().find("--fresh"), std::string::npos);
  EXPECT_EQ(files("p").size(), 3U);
  EXPECT_EQ(app(arguments + "1 --fresh"), 0);
  EXPECT_EQ(files("p").size(), 1U) << "frames of the clip before";
}

TEST_F(App, says_which_step_a_frame_shows_where_none_is_at_its_time) {
  ASSERT_EQ(app("icosphere:1 --dt 0.02 --frames 3 --png p" + small), 0);
  EXPECT_NE(error_output().find("nearest step"), std::string::npos) << error_output();
  ASSERT_EQ(app("icosphere:1 --dt 1/60 --frames 3 --png q" + small), 0);
  EXPECT_EQ(error_output().find("nearest step"), std::string::npos) << error_output();
}

TEST_F(App, takes_the_steps_of_a_run_where_they_are_chosen) {
  const std::string whirl = "whirlpool --mesh rectangle:20x20:10x10:structured --discretization packets ";
  ASSERT_EQ(app(whirl + "--frames 3 --speed 30 --png p" + small), 0) << error_output();  // of 1 s each
  const std::string shown = error_output(), finished = "finished, ";
  EXPECT_EQ(shown.find("nearest step"), std::string::npos) << shown;
  ASSERT_EQ(shoal("run " + whirl + "--end 2 --snapshots 1 --output w.h5", shoal_itself), 0) << error_output();
  const std::string run = error_output();
  const auto steps = [&](const std::string& text) {
    return std::stoi(text.substr(text.find(finished) + finished.size()));
  };
  EXPECT_GT(steps(run), 50) << "the velocity grows";
  EXPECT_EQ(steps(shown), steps(run)) << shown << run;
}

TEST_F(App, shows_the_defaults_of_the_thesis_as_if_they_were_given) {
  const std::string scene = "sphere-bump --mesh icosphere:2 --frames 1" + small + "--png ";
  ASSERT_EQ(app(scene + "a --thesis --exaggerate 2"), 0) << error_output();
  ASSERT_EQ(app(scene + "b --lines --mesh-opacity 0.5 --overlays skeleton --exaggerate 2 --param depth=0.2 "
                        "--param lower_angle=10 "
                        "--param max_divergence_edge=10 --param friction=0.01 --param acceleration_limit=4"),
            0)
      << error_output();
  ASSERT_EQ(app(scene + "c --thesis --exaggerate 2 --param depth=0.4 --mesh-opacity 0"), 0) << error_output();
  EXPECT_EQ(text_of(folder_ / "a/frame-00000.png"), text_of(folder_ / "b/frame-00000.png"));
  EXPECT_NE(text_of(folder_ / "a/frame-00000.png"), text_of(folder_ / "c/frame-00000.png"));
}

/// A frame for each snapshot, the same bytes as of the run itself; with --speed, the snapshots nearest to the times of the frames.
TEST_F(App, draws_recorded_results_as_the_run_itself) {
  const std::string
      run = "sphere-bump --mesh icosphere:2 --dt 0.01 ",
      look =
          " --look science --range -0.02,0.02 --exaggerate 0 --vectors --headless --size 96x64 --samples 1 ";
  ASSERT_EQ(shoal("run " + run + "--end 0.2 --snapshots every:0.05 --output r.h5", shoal_itself), 0)
      << error_output();
  ASSERT_EQ(app("r.h5 --png results" + look), 0) << error_output();
  ASSERT_EQ(app(run + "--frames 5 --rate 20 --png run" + look), 0) << error_output();
  ASSERT_EQ(app("r.h5 --speed 1 --rate 10 --png half" + look), 0) << error_output();
  ASSERT_EQ(files("results").size(), 5U);
  ASSERT_EQ(files("half").size(), 3U);
  for (int k = 0; k < 5; ++k) {
    const std::string name = fmt::format("frame-{:05}.png", k);
    EXPECT_EQ(text_of(folder_ / "results" / name), text_of(folder_ / "run" / name)) << name;
    if (k % 2 == 0)
      EXPECT_EQ(text_of(folder_ / "half" / fmt::format("frame-{:05}.png", k / 2)),
                text_of(folder_ / "results" / name));
  }
  EXPECT_NE(text_of(folder_ / "results/frame-00000.png"), text_of(folder_ / "results/frame-00004.png"));
  EXPECT_EQ(app("r.h5 --png p --dt 0.1" + look), users_mistake);
  if (!has("ffmpeg")) return;
  EXPECT_EQ(app("r.h5 --frames 2 --rate 2 --video v.mp4" + look), 0) << error_output();
}

TEST_F(App, makes_pictures_without_a_background) {
  constexpr std::size_t color_type = 25;  // of the header of PNG; 6: with opacity
  ASSERT_EQ(app("icosphere:2 --frames 1 --transparent --png a" + small), 0) << error_output();
  ASSERT_EQ(app("icosphere:2 --frames 1 --png b" + small), 0) << error_output();
  EXPECT_EQ(text_of(folder_ / "a/frame-00000.png")[color_type], 6);
  EXPECT_EQ(text_of(folder_ / "b/frame-00000.png")[color_type], 2);
}

TEST_F(App, the_example_of_its_help_works_as_printed) {
  ASSERT_EQ(app("-h"), 0);
  std::string text = output();
  text.erase(text.find_last_not_of('\n') + 1);
  EXPECT_EQ(shell(text.substr(text.find_last_of('\n') + 1)), 0) << error_output();
  EXPECT_EQ(files("results/try-app").size(), 5U);
}

TEST_F(App, says_what_to_do_where_there_is_no_display) {
  EXPECT_EQ(shell("env -u DISPLAY -u WAYLAND_DISPLAY " SHOAL_PROGRAM), machines_failure);
  const std::string said = error_output();
  EXPECT_NE(said.find("--headless"), std::string::npos) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
}

struct BadInput {
  const char* name;
  const char* arguments;
  const char* fragment;  ///< a part of the sentence
};

class BadAppInput : public test::Shoal, public testing::WithParamInterface<BadInput> {};

TEST_P(BadAppInput, is_one_sentence_and_exit_code_2) {
  EXPECT_EQ(shoal(GetParam().arguments, SHOAL_PROGRAM), users_mistake);
  const std::string said = error_output();
  EXPECT_NE(said.find(GetParam().fragment), std::string::npos) << said;
  EXPECT_EQ(said.rfind("shoal-app: ", 0), 0U) << said;
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 1) << said;
  EXPECT_EQ(output(), "");
  for (const char* left : {"p", "m", "v.mp4"}) EXPECT_FALSE(fs::exists(folder_ / left)) << left;
}

INSTANTIATE_TEST_SUITE_P(
    Program, BadAppInput,
    testing::Values(
        BadInput{"frames_of_a_window", "sphere-bump --frames 3", "--headless"},
        BadInput{"session_without_a_window", "sphere-bump --headless --png p --record s.toml", "--record"},
        BadInput{"bodies_without_a_window", "sphere-bump --headless --png p --body b.obj", "--inputs"},
        BadInput{"nothing_to_write", "sphere-bump --headless", "--png DIR"},
        BadInput{"no_such_scene", "sphere-bum --headless --png p", "did you mean 'sphere-bump'"},
        BadInput{"no_such_family", "torrus:3x3 --headless --png p", "torrus"},
        BadInput{"damaged_mesh_name", "torus:3 --headless --png p", "torus:3"},
        BadInput{"two_meshes", "torus:12x8 --mesh icosphere:2 --headless --png p", "--mesh"},
        BadInput{"missing_file", "none.obj --headless --png p", "none.obj"},
        BadInput{"frames", "sphere-bump --headless --png p --frames 0", "--frames"},
        BadInput{"rate", "sphere-bump --headless --png p --rate -1", "--rate"},
        BadInput{"size", "sphere-bump --headless --png p --size 12", "--size"},
        BadInput{"large_size", "sphere-bump --headless --png p --size 99999x10", "--size"},
        BadInput{"odd_video", "sphere-bump --headless --video v.mp4 --size 33x32", "even"},
        BadInput{"video_name", "sphere-bump --headless --video v.avi", ".mp4"},
        BadInput{"look", "sphere-bump --headless --png p --look wet", "'wet'"},
        BadInput{"field", "sphere-bump --headless --png p --look science --field dept",
                 "did you mean 'depth'"},
        BadInput{"field_of_water", "sphere-bump --headless --png p --field depth", "--look science"},
        BadInput{"range", "sphere-bump --headless --png p --look science --range 2,1", "--range"},
        BadInput{"no_range", "sphere-bump --headless --png p --look science --range 2", "--range"},
        BadInput{"color_map", "sphere-bump --headless --png p --look science --color-map jet", "'jet'"},
        BadInput{"log_of_water", "sphere-bump --headless --png p --log", "--look science"},
        BadInput{"log_of_zero", "sphere-bump --headless --png p --look science --log --range 0,1",
                 "logarithm"},
        BadInput{"transparent_video", "sphere-bump --headless --video v.mp4 --transparent", "--transparent"},
        BadInput{"missing_results", "none.h5 --headless --png p", "none.h5"},
        BadInput{"view", "sphere-bump --headless --png p --view 1,2", "--view"},
        BadInput{"view_along_up", "sphere-bump --headless --png p --view 0,0,1", "--up"},
        BadInput{"format", "sphere-bump --headless --meshes m --format stl", "'stl'"},
        BadInput{"format_of_nothing", "sphere-bump --headless --png p --format obj", "--meshes"},
        BadInput{"option", "sphere-bump --headless --png p --ratte 3", "did you mean '--rate'"},
        BadInput{"parameter", "sphere-bump --headless --png p --param nothing=3", "nothing"},
        BadInput{"scheme", "sphere-bump --headless --png p --discretization fevf", "fefv"}),
    [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace shoal
