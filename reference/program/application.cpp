// The options of `shoal-app` and their execution.
#include "reference/program/application.hpp"

#include "discretizations/common/parameters.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/catalog/plugin.hpp"
#include "experiments/harness/plan/inputs.hpp"
#include "experiments/harness/plan/thesis.hpp"
#include "experiments/harness/program/arguments.hpp"
#include "experiments/harness/program/manual.hpp"
#include "experiments/harness/program/version.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/results.hpp"
#include "experiments/harness/system/stop_signals.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "reference/program/clip.hpp"
#include "reference/session/plan_to_play.hpp"
#include "reference/session/playback.hpp"
#include "reference/window/play.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace shoal {
namespace {

constexpr int not_finished = 1, signal_base = 128;
constexpr int max_frames = 1'000'000, max_pixels = 8192;

double number(const std::string& text, const char* option, double min, double max) {
  const double value = parse_number(text, option);
  if (!(value >= min && value <= max))
    throw Error(fmt::format("{}: {} is outside [{:g}, {:g}]", option, text, min, max));
  return value;
}

Vector3 direction(const std::string& text, const char* option) {
  const Vector3 value = parse_vector(text, option);
  if (!(value.norm() > 1e-100 && value.norm() < 1e100))
    throw Error(fmt::format("{}: '{}' is not a direction", option, text));
  return value.normalized();
}

template <class Choice>
Choice choice(const std::string& text, const char* option,
              const std::vector<std::pair<std::string, Choice>>& choices) {
  std::vector<std::string> names;
  for (const auto& [name, value] : choices) {
    if (name == text) return value;
    names.push_back(name);
  }
  throw Error(fmt::format("{}: '{}' is none of {}{}", option, text, join(names), did_you_mean(text, names)));
}

/// "roughness (150): factor of …; …"
std::string foam_words() {
  std::string words;
  for (const ParameterInfo& info : describe_options<FoamOptions>())
    words += fmt::format("{}{} ({} {}): {}", words.empty() ? "" : "; ", info.name, to_string(info.fallback),
                         info.unit, info.meaning);
  return words;
}

/// Arguments that choose the appearance of a run.
class LookArguments {
 public:
  explicit LookArguments(CLI::App& app) : app_(app) {
    add_option(app_, "--look", look_, "NAME",
               "water (realistic) or science (a field in colours, with a legend); default: water, or science "
               "for results");
    add_option(app_, "--field", field_, "NAME",
               "field of --look science: depth, elevation, speed, or a scalar output of the scheme; default "
               "elevation");
    add_option(app_, "--range", range_, "A,B",
               "limits of the colour scale, whose end colours also show values outside; default: the range "
               "over the whole clip");
    std::vector<std::string> maps;
    for (const ColorMap& map : color_maps()) maps.push_back(map.name);
    add_option(
        app_, "--color-map", color_map_, "NAME",
        fmt::format(
            "colours of --look science: {}; default: RdBu for elevation and vorticity, otherwise viridis",
            join(maps)));
    add_flag(app_, "--log", log_,
             "with --look science: logarithmic colour scale of positive values; values up to 0 are dark "
             "grey; without "
             "--range it spans at most 6 powers of ten");
    add_option(
        app_, "--dry-depth", dry_depth_, "M",
        "with --look science: depth up to which land counts as dry; default: the scene's value if it has "
        "one, otherwise 1/1000 of the largest initial depth");
    add_flag(app_, "--vectors", vectors_, "draw the velocity as arrows");
    add_flag(app_, "--lines", lines_, "draw the edges of the mesh");
    add_option(
        app_, "--overlays", overlays_, "NAME,...",
        "vertex-velocity, fan-velocity (the velocity at a vertex mapped to each triangle around it), "
        "acceleration (tangential, from gravity and forces), face-traces and vertex-traces "
        "(pathlines from faces and vertices), start-traces (from faces, with the velocity of their start), "
        "fluid-mesh (edges of the water surface and of the bed), "
        "skeleton, sources (markers), foam; default: none; in the window, skeleton and sources");
    add_option(app_, "--foam", foam_, "NAME=VALUE,...",
               fmt::format("options of the overlay foam, after Krog 2003: {}", foam_words()));
    add_option(
        app_, "--trace-time", trace_time_, "S",
        "time that pathlines span, in s, at most twice the time the fastest water takes across the view; "
        "default: one step");
    add_option(app_, "--mesh-opacity", mesh_opacity_, "X",
               "opacity of the surface below the water, 0 to 1; default 0");
    add_option(
        app_, "--choppy", choppy_, "C",
        "draw the vertices of the water moved by C ∇(gh) along the surface, C in s², less than half an edge, "
        "which sharpens crests; default 0");
    add_option(app_, "--exaggerate", exaggeration_, "X", "draw elevations X times as high; default 1");
    add_option(app_, "--clarity", clarity_, "M",
               "metres of water that reduce red light to 1/e; default: from the size of the water");
    add_option(app_, "--iso-level", iso_level_, "M",
               "depth above which the surface is drawn as wet; default 0.01");
    add_option(app_, "--thickness", thickness_, "M",
               "offset of the water's edge below the bed; default 0.001");
    add_option(app_, "--view", view_, "X,Y,Z",
               "direction from the water to the camera; default: from the front and above");
    add_option(app_, "--up", up_, "X,Y,Z",
               "upward direction; default: 0,1,0 for figure, letters and glTF, otherwise 0,0,1");
    add_option(app_, "--zoom", zoom_, "X", "magnification about the centre; default 1");
    add_flag(app_, "--no-ground", no_ground_, "draw no ground");
  }

  /// The view options for water on this mesh.
  ViewOptions options(const std::string& mesh) const {
    ViewOptions view;
    view.look = choice<Look>(look_, "--look", {{"water", Look::water}, {"science", Look::science}});
    if (view.look == Look::water)
      for (const char* name : {"--field", "--range", "--color-map", "--log", "--dry-depth"})
        if (given(name)) throw Error(fmt::format("{} requires --look science", name));
    view.field = field_;
    view.color_map = color_map_;
    if (!color_map_.empty()) with_context("--color-map", [&] { find_color_map(color_map_); });
    view.logarithmic = log_;
    if (given("--dry-depth")) view.dry_depth = number(dry_depth_, "--dry-depth", 0, 1e9);
    if (given("--range")) {
      const auto comma = range_.find(',');
      if (comma == std::string::npos)
        throw Error(fmt::format("--range: '{}' is not of the form A,B", range_));
      view.range = {parse_number(range_.substr(0, comma), "--range"),
                    parse_number(range_.substr(comma + 1), "--range")};
      if (!(view.range->first < view.range->second))
        throw Error(fmt::format("--range: in '{}' the first number must be the smaller one", range_));
      const auto [low, high] = *view.range;
      if (!(high - low > 1e-9 * std::max(std::abs(low), std::abs(high)) && high - low > 1e-300 &&
            high - low < 1e300))
        throw Error(fmt::format(
            "--range: the numbers in '{}' must be finite and differ within their first nine digits", range_));
    }
    view.vectors = vectors_;
    view.lines = lines_;
    for (const std::string& name :
         given("--overlays") || !overlays_.empty() ? split_at_commas(overlays_) : std::vector<std::string>())
      view.*choice<bool ViewOptions::*>(name, "--overlays",
                                        {{"vertex-velocity", &ViewOptions::vertex_vectors},
                                         {"fan-velocity", &ViewOptions::fan_vectors},
                                         {"acceleration", &ViewOptions::acceleration},
                                         {"face-traces", &ViewOptions::face_traces},
                                         {"start-traces", &ViewOptions::start_traces},
                                         {"vertex-traces", &ViewOptions::vertex_traces},
                                         {"fluid-mesh", &ViewOptions::fluid_mesh},
                                         {"skeleton", &ViewOptions::skeleton},
                                         {"sources", &ViewOptions::sources},
                                         {"foam", &ViewOptions::foam}}) = true;
    if (given("--foam")) {
      if (!view.foam) throw Error("--foam requires --overlays foam");
      view.foam_options = with_context("--foam", [&] { return FoamOptions::parse(foam_); });
    }
    view.choppy = number(choppy_, "--choppy", 0, 1e9);
    if (given("--trace-time")) view.trace_time = number(trace_time_, "--trace-time", 1e-9, 1e9);
    view.mesh_opacity = number(mesh_opacity_, "--mesh-opacity", 0, 1);
    view.exaggeration = number(exaggeration_, "--exaggerate", 0, 1e6);
    if (given("--clarity")) view.clarity = number(clarity_, "--clarity", 1e-6, 1e9);
    view.surface.iso_level = number(iso_level_, "--iso-level", 0, 1e9);
    view.surface.thickness = number(thickness_, "--thickness", 1e-6, 1e9);
    view.up = direction(given("--up") ? up_ : stands_along_y(mesh) ? "0,1,0" : "0,0,1", "--up");
    view.view = given("--view") ? direction(view_, "--view") : default_view(view.up.normalized());
    view.zoom = number(zoom_, "--zoom", 0.01, 100);
    view.ground = !no_ground_;
    if (view.view.cross(view.up).norm() < 1e-3 * view.view.norm() * view.up.norm())
      throw Error("--view is parallel to --up; change one of them");
    return view;
  }

  void choose_science() { look_ = "science"; }

  /// The defaults of Angst 2007, table C.2. Iso-level and thickness are the same.
  void choose_thesis() {
    lines_ = true;
    if (!given("--mesh-opacity")) mesh_opacity_ = "0.5";
    if (!given("--overlays")) overlays_ = "skeleton";
  }

 private:
  bool given(const char* name) const { return app_.count(name) > 0; }

  CLI::App& app_;
  std::string look_ = "water", field_ = "elevation", range_, color_map_, dry_depth_, overlays_, trace_time_,
              foam_, choppy_ = "0", mesh_opacity_ = "0", exaggeration_ = "1", clarity_, iso_level_ = "0.01",
              thickness_ = "0.001", view_, up_, zoom_ = "1";
  bool vectors_ = false, lines_ = false, no_ground_ = false, log_ = false;
};

class Application {
 public:
  Application(Catalog catalog, int argc, const char* const* argv)
      : catalog_(std::move(catalog)), argc_(argc), argv_(argv) {
    app_.name("shoal-app");
    app_.set_help_flag("-h,--help", "print this help");
    app_.set_version_flag(
        "--version", [] { return version_text("shoal-app"); },
        "print the version, the commit and how the program was built");
    add_flag(app_, "--manual", manual_,
             "print the manual page; to read one that is not installed: man -l PAGE");
    app_.allow_extras();
    app_.footer(fmt::format(
        "MODEL is any mesh that --mesh accepts; it runs the scene {}. By default the depth is 1/10, the\n"
        "height of the hump 1/50 and its width 1/10 of the model's longest side, and substeps = auto.\n"
        "Example:\n  {} sphere-bump --mesh "
        "icosphere:3 --headless --frames 5 --rate 10 --size 480x360 --png results/try-app --fresh",
        model_scene, shell_quoted(argv[0])));
    add_optional_argument(
        app_, "SCENE|MODEL|RESULTS.h5|EXPERIMENT.toml", subject_,
        "a scene (`shoal list scenes`), a mesh, a results file whose snapshots the window "
        "plays and --headless draws, or an experiment file, of which a run is shown; default: "
        "sphere-bump");
    add_option(app_, "--run", run_, "ID",
               "run of RESULTS.h5, by default the first with snapshots, or of EXPERIMENT.toml, "
               "by default 0001");
    add_clip_options();
    look_.emplace(app_);
    add_run_options(app_, RunOptions::of_what_is_computed, values_);
    add_parameter_option(app_, parameters_);
    add_thesis_option(app_, thesis_);
    add_plugin_option(app_, plugins_);
    add_flag(app_, "--quiet", quiet_, "print no progress and no notes");
    add_trust_option(app_);
  }

  int execute() {
    if (!parse_arguments(app_, argc_, argv_, [&] { refuse_remaining(app_, catalog_, ""); })) return 0;
    if (manual_) {
      // Declared again, so that its example calls the installed program whatever the name by which this one was called.
      const char* const argv[] = {"shoal-app"};
      print(manual_page(Application(catalog_, 1, argv).app_, ""));
      return 0;
    }
    if (thesis_) look_->choose_thesis();
    for (const std::string& plugin : plugins_) load_plugin(plugin, catalog_);
    if (headless_) return make();
    return play_in_window();
  }

 private:
  bool given(const char* name) const { return app_.count(name) > 0; }

  void add_clip_options() {
    add_flag(app_, "--headless", headless_, "write files instead of opening a window");
    add_option(
        app_, "--frames", frames_, "N",
        "number of frames; default: until the end of the scene, or --end; of results, one for each snapshot");
    add_option(app_, "--rate", rate_, "N", "frames per second of the video; default 60");
    add_option(app_, "--speed", speed_, "X",
               "simulated seconds per second of video; default 1; of results, the snapshot nearest to the "
               "time of each frame");
    add_option(app_, "--png", png_, "DIR", "write the frames as DIR/frame-00000.png, …");
    add_option(app_, "--video", video_, "FILE.mp4", "write the frames as a video (requires ffmpeg)");
    add_option(app_, "--meshes", meshes_, "DIR",
               "write the water surface of every frame as DIR/frame-00000.ply, …");
    add_option(app_, "--format", format_, "NAME",
               "format of --meshes: obj, ply (includes the depth) or glb; default ply");
    add_option(app_, "--size", size_, "WxH",
               "size in pixels of pictures, default 1280x720, or of the window, default 1100x750");
    add_option(app_, "--samples", samples_, "N", "samples per pixel and direction (antialiasing); default 2");
    add_flag(app_, "--transparent", transparent_,
             "--png without sky, ground or background: pixels have the opacity of what is drawn; water "
             "reflects sky and ground nevertheless");
    add_flag(app_, "--fast", fast_,
             "draw as the window does: no refraction, no caustics, shadows only on the ground, one sample "
             "per pixel");
    add_option(app_, "--record", record_, "FILE.toml",
               "save the session of the window; `shoal run FILE.toml` repeats it");
    app_.add_option("--body", bodies_,
                    "closed mesh that can be thrown in the window, beside balls and boxes; repeatable")
        ->type_name("FILE")
        ->allow_extra_args(false);
    add_flag(app_, "--paused", paused_, "start paused");
    add_flag(app_, "--no-panels", no_panels_, "start without panels and hints");
    add_option(app_, "--measure", measure_, "S",
               "close the window after S seconds and print the times of frames and steps");
    add_flag(app_, "--fresh", fresh_,
             "replace existing frames, an existing video, or a file of --record that is not a session");
  }

  bool is_file(const char* extension) const {
    return std::filesystem::path(subject_).extension() == extension;
  }

  /// The chosen run of an experiment file.
  PlannedRun run_of_file() {
    if (const std::string option = given_run_option(app_); !option.empty())
      throw Error(fmt::format("{} requires a scene or a mesh: '{}' defines its own runs", option, subject_));
    return run_of_experiment(catalog_, subject_, run_);
  }

  /// The given scene, or model_scene on the given mesh.
  Experiment experiment() {
    const std::string scene = is_scene() ? subject_ : model_scene;
    Experiment experiment = run_experiment(app_, scene, values_, parameters_);
    if (!is_scene()) {
      if (given("--mesh"))
        throw Error(fmt::format("--mesh: '{}' is already a mesh; with --mesh, give a scene", subject_));
      experiment.settings.push_back({"mesh", false, {subject_}, "MODEL"});
    }
    if (thesis_) {
      if (!headless_ && !given("--inputs"))
        experiment.settings.push_back({"inputs", false, {no_inputs}, "inputs"});
      add_thesis_settings(catalog_, experiment);
    }
    if (!is_scene()) fit_to_model(catalog_, experiment);
    return experiment;
  }

  bool is_scene() const {
    std::vector<std::string> names;
    for (const SceneEntry& scene : catalog_.scenes) {
      if (scene.name == subject_) return true;
      names.push_back(scene.name);
    }
    const std::string family = subject_.substr(0, subject_.find(':')),
                      extension = std::filesystem::path(subject_).extension();
    for (const MeshFamily& one : mesh_families()) {
      if (one.name == family) return false;
      names.push_back(one.name);
    }
    const std::vector<std::string>& known = mesh_extensions();
    if (std::find(known.begin(), known.end(), extension) != known.end()) return false;
    throw Error(
        fmt::format("'{}' is neither a scene nor a mesh{}; see `shoal list scenes` and `shoal list meshes`",
                    subject_, did_you_mean(subject_, names)));
  }

  std::pair<int, int> picture_size() const {
    const auto cross = size_.find('x');
    if (cross == std::string::npos)
      throw Error(fmt::format("--size: '{}' is not of the form WxH, e.g. 1280x720", size_));
    return {whole_number(size_.substr(0, cross), "--size", 16, max_pixels),
            whole_number(size_.substr(cross + 1), "--size", 16, max_pixels)};
  }

  ClipOptions clip_options() const {
    ClipOptions clip;
    if (given("--frames")) clip.frames = whole_number(frames_, "--frames", 1, max_frames);
    clip.rate = number(rate_, "--rate", 1e-3, 1000);
    clip.speed = number(speed_, "--speed", 1e-9, 1e9);
    for (const char* name : {"--png", "--video", "--meshes"})
      if (given(name) && app_.get_option(name)->as<std::string>().empty())
        throw Error(fmt::format("{}: the name is empty", name));
    clip.png = png_;
    clip.video = video_;
    clip.meshes = meshes_;
    if (png_.empty() && video_.empty() && meshes_.empty())
      throw Error("no output requested: give --png DIR, --video FILE.mp4 or --meshes DIR");
    if (given("--format") && meshes_.empty()) throw Error("--format requires --meshes");
    clip.format = choice<MeshFormat>(
        format_, "--format", {{"obj", MeshFormat::obj}, {"ply", MeshFormat::ply}, {"glb", MeshFormat::glb}});
    clip.fresh = fresh_;
    clip.quiet = quiet_;
    clip.every_snapshot = !given("--speed");
    clip.transparent = transparent_;
    if (transparent_ && (png_.empty() || !video_.empty()))
      throw Error("--transparent: only pictures of --png have transparent parts, not videos and meshes");
    std::tie(clip.render.width, clip.render.height) = picture_size();
    clip.render.samples = whole_number(samples_, "--samples", 1, 4);
    if (fast_) {
      if (given("--samples")) throw Error("--samples: --fast takes one sample per pixel");
      clip.render.quality = Quality::fast;
      clip.render.samples = 1;
    }
    if (!video_.empty()) {
      if (clip.video.extension() != ".mp4")
        throw Error(fmt::format("--video: '{}' does not end in .mp4", video_));
      if (clip.render.width % 2 != 0 || clip.render.height % 2 != 0)
        throw Error(fmt::format("--size: the width and height of a video must be even, not {}", size_));
    }
    return clip;
  }

  int play_in_window() {
    for (const char* name : {"--frames", "--rate", "--speed", "--png", "--video", "--meshes", "--samples",
                             "--fast", "--transparent"})
      if (given(name)) throw Error(fmt::format("{} requires --headless", name));
    PlayOptions options;
    if (given("--size")) std::tie(options.width, options.height) = picture_size();
    options.record = record_;
    options.fresh = fresh_;
    options.bodies = bodies_;
    options.thesis = thesis_;
    options.paused = paused_;
    options.panels = !no_panels_;
    if (given("--measure")) options.measure = number(measure_, "--measure", 0.5, 86400);
    if (is_file(".h5")) return play_results(options);
    if (given("--run") && !is_file(".toml")) throw Error("--run requires RESULTS.h5 or EXPERIMENT.toml");
    const PlannedRun planned = is_file(".toml") ? run_of_file() : plan_to_play(catalog_, experiment());
    if (!planned.refusal.empty()) throw Error(planned.refusal);
    if (is_file(".toml")) {
      options.experiment = subject_;
      options.run = run_;
    }
    ViewOptions view = look_->options(planned.configuration.mesh);
    if (!given("--overlays")) view.skeleton = view.sources = true;  // Angst 2007, table C.1
    with_place(planned.places, [&] { play(catalog_, planned.configuration, view, options); });
    return stop_signal() != 0 ? signal_base + stop_signal() : 0;
  }

  void refuse_settings_of_runs() const {
    if (!parameters_.empty() ||
        std::any_of(values_.begin(), values_.end(), [](const auto& one) { return !one.second.empty(); }))
      throw Error("RESULTS.h5 contains the settings of its runs; options of runs cannot be given with it");
    if (thesis_) throw Error("--thesis requires a scene or a mesh");
  }

  int play_results(const PlayOptions& options) {
    refuse_settings_of_runs();
    if (given("--record")) throw Error("--record: only live runs can be recorded, not results");
    if (!given("--look")) look_->choose_science();
    play(catalog_, Recording{subject_, run_id(run_)}, look_->options(mesh_of_results(subject_)), options);
    return stop_signal() != 0 ? signal_base + stop_signal() : 0;
  }

  int make() {
    if (given("--record"))
      throw Error("--record: only a session of the window can be recorded, without --headless");
    if (given("--body"))
      throw Error("--body: bodies are thrown in the window; with --headless, use --inputs");
    const ClipOptions clip = clip_options();
    if (is_file(".h5")) return report(clip, draw_results(clip));
    const PlannedRun planned = is_file(".toml") ? run_of_file() : run_of_clip(clip);
    if (!planned.refusal.empty()) throw Error(planned.refusal);
    const ViewOptions view = look_->options(planned.configuration.mesh);
    const ClipEnd end = with_place(planned.places, [&] {
      const Surface surface = load_surface(catalog_, planned.configuration);
      return make_clip(catalog_, planned.configuration, surface, view, clip);
    });
    return report(clip, end);
  }

  ClipEnd draw_results(const ClipOptions& clip) {
    refuse_settings_of_runs();
    if (!given("--look")) look_->choose_science();
    return make_clip_of_results(catalog_, subject_, run_id(run_), look_->options(mesh_of_results(subject_)),
                                clip);
  }

  int report(const ClipOptions& clip, const ClipEnd& end) {
    if (!quiet_) print(summary(clip, end));
    if (end.signal != 0) return signal_base + end.signal;
    if (end.outcome.outcome == "finished") return 0;
    if (quiet_)
      say(fmt::format("shoal-app: {} at t = {:.6g} s: {}\n", end.outcome.outcome, end.outcome.t_reached,
                      end.outcome.reason));
    return not_finished;
  }

  PlannedRun run_of_clip(const ClipOptions& clip) {
    if (given("--run")) throw Error("--run requires RESULTS.h5 or EXPERIMENT.toml");
    Experiment asked = experiment();
    if (clip.frames > 1 && !given("--end"))  // the run ends with the clip, which matters for dt = auto
      asked.settings.push_back(
          {"end",
           false,
           {fmt::format("{}", static_cast<double>(clip.frames - 1) * clip.speed / clip.rate)},
           "--frames"});
    return expand(catalog_, asked).front();
  }

  /// The pictures, and the time that one takes, without writing it.
  static std::string summary(const ClipOptions& clip, const ClipEnd& end) {
    std::vector<std::string> places;
    for (const std::filesystem::path* path : {&clip.png, &clip.video, &clip.meshes})
      if (!path->empty()) places.push_back(path->string());
    std::string text = fmt::format("{}: {} frames", join(places), end.frames);
    if (end.frames > 1 && !(clip.png.empty() && clip.video.empty()))
      text += fmt::format(
          "; a picture of {} x {} pixels takes {:.2f} ms to prepare and {:.2f} ms to draw (medians)",
          clip.render.width, clip.render.height, 1e3 * end.prepare, 1e3 * end.draw);
    return text + "\n";
  }

  Catalog catalog_;
  int argc_;
  const char* const* argv_;
  CLI::App app_{"View shallow water on surfaces interactively, or write pictures, videos and meshes of it."};
  std::string subject_ = "sphere-bump", run_, measure_, record_, frames_, rate_ = "60", speed_ = "1", png_,
              video_, meshes_, format_ = "ply", size_ = "1280x720", samples_ = "2";
  std::optional<LookArguments>
      look_;  // created later, so that its options come at the right place in the help
  bool headless_ = false, fast_ = false, paused_ = false, no_panels_ = false, fresh_ = false, quiet_ = false,
       thesis_ = false, transparent_ = false, manual_ = false;
  std::map<std::string, std::string> values_;
  std::vector<std::string> parameters_, plugins_, bodies_;
};

}  // namespace

int run_application(Catalog catalog, int argc, const char* const* argv) {
  return exit_code_of("shoal-app", [&] { return Application(std::move(catalog), argc, argv).execute(); });
}

}  // namespace shoal
