// Options of `shoal-app`, and what is made of them.
#include "reference/program/application.hpp"

#include "discretizations/common/parameters.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/catalog/plugin.hpp"
#include "experiments/harness/program/arguments.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/results/results.hpp"
#include "experiments/harness/system/stop_signals.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "reference/program/clip.hpp"
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
constexpr const char* model_scene = "bump";  // which works on any mesh
/// Of its longest side: waves cross it in 3 s where it is 10 m long.
constexpr double depth_of_model = 0.1, amplitude_of_model = 0.02, width_of_model = 0.1;

double number(const std::string& text, const char* option, double least, double most) {
  const double value = parse_number(text, option);
  if (!(value >= least && value <= most))
    throw Error(fmt::format("{}: {} is outside [{:g}, {:g}]", option, text, least, most));
  return value;
}

Vector3 direction(const std::string& text, const char* option) {
  const Vector3 value = parse_vector(text, option);
  if (!(value.norm() > 1e-100 && value.norm() < 1e100))
    throw Error(fmt::format("{}: '{}' is no direction", option, text));
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

class Application {
 public:
  Application(Catalog catalog, int argc, const char* const* argv)
      : catalog_(std::move(catalog)), argc_(argc), argv_(argv) {
    app_.name("shoal-app");
    app_.set_help_flag("-h,--help", "print this help");
    app_.allow_extras();
    app_.footer(fmt::format(
        "MODEL is a mesh, as --mesh takes it, on which scene {} runs: where not given, the water is a tenth "
        "of\n"
        "the model's longest side deep, the hump a fiftieth high and a tenth wide, and substeps are "
        "auto.\nExample:\n  {} sphere-bump --mesh "
        "icosphere:3 --headless --frames 5 --rate 10 --size 480x360 --png results/try-app --fresh",
        model_scene, shell_quoted(argv[0])));
    add_optional_argument(app_, "SCENE|MODEL|RESULTS.h5", subject_,
                          "name of a scene, as `shoal list scenes` prints them, or a mesh; or results, whose "
                          "snapshots are played in the window; default: sphere-bump");
    add_option(app_, "--run", run_, "ID",
               "of the results, which run is played; default: the first with snapshots");
    add_clip_options();
    add_look_options();
    add_run_options(app_, RunOptions::of_what_is_computed, values_);
    add_parameter_option(app_, parameters_);
    add_plugin_option(app_, plugins_);
    add_flag(app_, "--quiet", quiet_, "no progress and no notes");
    add_trust_option(app_);
  }

  int execute() {
    if (!parse_arguments(app_, argc_, argv_, [&] { refuse_remaining(app_, catalog_, ""); })) return 0;
    for (const std::string& plugin : plugins_) load_plugin(plugin, catalog_);
    if (headless_) return make();
    return play_in_window();
  }

 private:
  bool given(const char* name) const { return app_.count(name) > 0; }

  void add_clip_options() {
    add_flag(app_, "--headless", headless_, "without a window: into files");
    add_option(app_, "--frames", frames_, "N", "frames; default: up to the end of the scene, or of --end");
    add_option(app_, "--rate", rate_, "N", "frames per second of the video; default 60");
    add_option(app_, "--speed", speed_, "X", "seconds simulated in a second of the video; default 1");
    add_option(app_, "--png", png_, "DIR", "the frames as pictures DIR/frame-00000.png, …");
    add_option(app_, "--video", video_, "FILE.mp4", "the frames as a video, by ffmpeg");
    add_option(app_, "--meshes", meshes_, "DIR",
               "the surface of the water at every frame as DIR/frame-00000.ply, …");
    add_option(app_, "--format", format_, "NAME",
               "of the meshes: obj, ply (with the depth) or glb; default ply");
    add_option(app_, "--size", size_, "WxH", "of pictures, in pixels; default 1280x720");
    add_option(app_, "--samples", samples_, "N", "samples along each side of a pixel; default 2");
    add_option(app_, "--record", record_, "FILE.toml",
               "the session of the window, which `shoal run FILE.toml` repeats");
    add_flag(app_, "--paused", paused_, "the window begins with a pause");
    add_flag(app_, "--no-panels", no_panels_, "the window begins without panels and hints");
    add_option(app_, "--measure", measure_, "S",
               "closes the window after S seconds, and prints how long pictures and steps took");
    add_flag(app_, "--fresh", fresh_,
             "replaces the frames, the video, or the file of --record that is not a session");
  }

  void add_look_options() {
    add_option(app_, "--look", look_, "NAME",
               "water, or science: a field in colours with a legend; default water, of results science");
    add_option(
        app_, "--field", field_, "NAME",
        "with --look science: depth, elevation, speed, or a scalar output of the scheme; default elevation");
    add_option(app_, "--range", range_, "A,B",
               "values at the ends of the colours; default: those of the whole clip");
    add_option(
        app_, "--dry-depth", dry_depth_, "M",
        "with --look science: depth up to which a place is dry land; default: that of the scene, where it "
        "says one, "
        "else a thousandth of the largest depth at the start");
    add_flag(app_, "--vectors", vectors_, "the velocity as arrows");
    add_flag(app_, "--lines", lines_, "the edges of the mesh");
    add_option(
        app_, "--overlays", overlays_, "NAME,...",
        "vertex-velocity, acceleration (of gravity and forces along the surface), face-traces, "
        "vertex-traces, fluid-mesh (and bottom), skeleton, sources (markers); default: none, in the window "
        "skeleton and sources");
    add_option(app_, "--trace-time", trace_time_, "S",
               "how far back traces go, at most twice across what is shown; default: a step");
    add_option(app_, "--mesh-opacity", mesh_opacity_, "X",
               "of the surface that the water is on, 0 to 1; default 0");
    add_option(app_, "--exaggerate", exaggeration_, "X", "elevations are drawn X times as high; default 1");
    add_option(app_, "--clarity", clarity_, "M",
               "metres of water after which 1/e of red light is left; default: by the size of the water");
    add_option(app_, "--iso-level", iso_level_, "M",
               "depth above which a place is shown as wet; default 0.01");
    add_option(app_, "--thickness", thickness_, "M",
               "how far below the bed the water's edge lies; default 0.001");
    add_option(app_, "--view", view_, "X,Y,Z",
               "direction from the water to the camera; default: from the front and above");
    add_option(app_, "--up", up_, "X,Y,Z",
               "direction that is up; default 0,1,0 for figure, letters and glTF, else 0,0,1");
    add_option(app_, "--zoom", zoom_, "X", "more than 1 shows the middle, larger; default 1");
    add_flag(app_, "--no-ground", no_ground_, "the water floats in the sky");
  }

  /// The scene, or a mesh with the scene for any mesh.
  Experiment experiment() {
    const std::string scene = is_scene() ? subject_ : model_scene;
    Experiment experiment = run_experiment(app_, scene, values_, parameters_);
    if (is_scene()) return experiment;
    if (given("--mesh"))
      throw Error(fmt::format("--mesh: '{}' is a mesh already; with --mesh name a scene", subject_));
    experiment.settings.push_back({"mesh", false, {subject_}, "MODEL"});
    fit_to_size(experiment);
    return experiment;
  }

  /// What the user leaves open: water and hump by the longest side of the model's box, whatever its unit, and as many
  /// substeps as the scheme needs there.
  void fit_to_size(Experiment& experiment) const {
    const auto open = [&](const std::string& key) {
      return std::none_of(experiment.settings.begin(), experiment.settings.end(),
                          [&](const Setting& setting) { return setting.key == key; });
    };
    const PlannedRun planned = expand(catalog_, experiment).front();
    double size = 0;
    try {
      const Surface surface = load_surface(catalog_, planned.configuration);
      size = (surface.x.rowwise().maxCoeff() - surface.x.rowwise().minCoeff()).maxCoeff();
    } catch (...) {
      return;  // the simulation, which loads it too, says why, in the window where there is one
    }
    for (const auto& [name, part] :
         {std::pair("depth", depth_of_model), std::pair("amplitude", amplitude_of_model),
          std::pair("width", width_of_model)})
      if (open(name))
        experiment.settings.push_back({name, true, {fmt::format("{:.3g}", part * size)}, "MODEL"});
    const bool has_substeps =
        catalog_.integrators.find(planned.configuration.integrator).default_substeps > 0;
    if (has_substeps && open("substeps"))
      experiment.settings.push_back({"substeps", false, {std::string("auto")}, "MODEL"});
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
    throw Error(fmt::format(
        "'{}' is neither a scene nor a mesh{}; `shoal list scenes` and `shoal list meshes` show them",
        subject_, did_you_mean(subject_, names)));
  }

  std::pair<int, int> picture_size() const {
    const auto cross = size_.find('x');
    if (cross == std::string::npos) throw Error(fmt::format("--size: '{}' is not WxH, as 1280x720", size_));
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
        throw Error(fmt::format("{}: '' is no name", name));
    clip.png = png_;
    clip.video = video_;
    clip.meshes = meshes_;
    if (png_.empty() && video_.empty() && meshes_.empty())
      throw Error("nothing would be written: give --png DIR, --video FILE.mp4 or --meshes DIR");
    if (given("--format") && meshes_.empty())
      throw Error("--format: it is that of --meshes, which is not given");
    clip.format = choice<MeshFormat>(
        format_, "--format", {{"obj", MeshFormat::obj}, {"ply", MeshFormat::ply}, {"glb", MeshFormat::glb}});
    clip.fresh = fresh_;
    clip.quiet = quiet_;
    std::tie(clip.render.width, clip.render.height) = picture_size();
    clip.render.samples = whole_number(samples_, "--samples", 1, 4);
    if (!video_.empty()) {
      if (clip.video.extension() != ".mp4")
        throw Error(fmt::format("--video: '{}' does not end in .mp4", video_));
      if (clip.render.width % 2 != 0 || clip.render.height % 2 != 0)
        throw Error(fmt::format("--size: a video needs even numbers, not {}", size_));
    }
    return clip;
  }

  ViewOptions view_options(const std::string& mesh) const {
    ViewOptions view;
    view.look = choice<Look>(look_, "--look", {{"water", Look::water}, {"science", Look::science}});
    if (view.look == Look::water)
      for (const char* name : {"--field", "--range", "--dry-depth"})
        if (given(name)) throw Error(fmt::format("{}: it goes with --look science", name));
    view.field = field_;
    if (given("--dry-depth")) view.dry_depth = number(dry_depth_, "--dry-depth", 0, 1e9);
    if (given("--range")) {
      const auto comma = range_.find(',');
      if (comma == std::string::npos) throw Error(fmt::format("--range: '{}' is not A,B", range_));
      view.range = {parse_number(range_.substr(0, comma), "--range"),
                    parse_number(range_.substr(comma + 1), "--range")};
      if (!(view.range->first < view.range->second))
        throw Error(fmt::format("--range: '{}' does not begin with the smaller number", range_));
      const auto [low, high] = *view.range;
      if (!(high - low > 1e-9 * std::max(std::abs(low), std::abs(high)) && high - low > 1e-300 &&
            high - low < 1e300))
        throw Error(fmt::format(
            "--range: '{}': the numbers must be finite and differ in the ninth digit, or there is no scale",
            range_));
    }
    view.vectors = vectors_;
    view.lines = lines_;
    for (const std::string& name :
         given("--overlays") ? split_at_commas(overlays_) : std::vector<std::string>())
      view.*choice<bool ViewOptions::*>(name, "--overlays",
                                        {{"vertex-velocity", &ViewOptions::vertex_vectors},
                                         {"acceleration", &ViewOptions::acceleration},
                                         {"face-traces", &ViewOptions::face_traces},
                                         {"vertex-traces", &ViewOptions::vertex_traces},
                                         {"fluid-mesh", &ViewOptions::fluid_mesh},
                                         {"skeleton", &ViewOptions::skeleton},
                                         {"sources", &ViewOptions::sources}}) = true;
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
      throw Error("--view: it is parallel to up; choose another, or another --up");
    return view;
  }

  int play_in_window() {
    for (const char* name : {"--frames", "--rate", "--speed", "--png", "--video", "--meshes", "--samples"})
      if (given(name)) throw Error(fmt::format("{}: it goes with --headless", name));
    PlayOptions options;
    if (given("--size")) std::tie(options.width, options.height) = picture_size();
    options.record = record_;
    options.fresh = fresh_;
    options.paused = paused_;
    options.panels = !no_panels_;
    if (given("--measure")) options.measure = number(measure_, "--measure", 0.5, 86400);
    if (std::filesystem::path(subject_).extension() == ".h5") return play_results(options);
    if (given("--run")) throw Error("--run: it goes with RESULTS.h5");
    const PlannedRun planned = plan_to_play(catalog_, experiment());
    if (!planned.refusal.empty()) throw Error(planned.refusal);
    ViewOptions view = view_options(planned.configuration.mesh);
    if (!given("--overlays"))
      view.skeleton = view.sources = true;  // Angst 2007, table C.1; of surfaces that have one
    with_place(planned.places, [&] { play(catalog_, planned.configuration, view, options); });
    return stop_signal() != 0 ? signal_base + stop_signal() : 0;
  }

  int play_results(const PlayOptions& options) {
    if (!parameters_.empty() ||
        std::any_of(values_.begin(), values_.end(), [](const auto& one) { return !one.second.empty(); }))
      throw Error("the runs of results have their own settings: no options of runs go with RESULTS.h5");
    if (given("--record"))
      throw Error("--record: a session is recorded of a run that goes on, not of results");
    if (!given("--look")) look_ = "science";
    play(catalog_, Recording{subject_, run_id(run_)}, view_options(mesh_of_results(subject_)), options);
    return stop_signal() != 0 ? signal_base + stop_signal() : 0;
  }

  int make() {
    if (std::filesystem::path(subject_).extension() == ".h5")
      throw Error(
          fmt::format("'{}': results are played in the window, without --headless; scripts/plots/stills.py "
                      "and pictures.py draw them into files",
                      subject_));
    if (given("--record")) throw Error("--record: a session is recorded in the window, without --headless");
    const ClipOptions clip = clip_options();
    Experiment asked = experiment();
    if (clip.frames > 1 && !given("--end"))  // the whole clip is the run, where a step is chosen for it
      asked.settings.push_back(
          {"end",
           false,
           {fmt::format("{}", static_cast<double>(clip.frames - 1) * clip.speed / clip.rate)},
           "--frames"});
    const PlannedRun planned = expand(catalog_, asked).front();
    if (!planned.refusal.empty()) throw Error(planned.refusal);
    const ViewOptions view = view_options(planned.configuration.mesh);
    const ClipEnd end = with_place(planned.places, [&] {
      const Surface surface = load_surface(catalog_, planned.configuration);
      return make_clip(catalog_, planned.configuration, surface, view, clip);
    });
    if (!quiet_) print(summary(clip, end));
    if (end.signal != 0) return signal_base + end.signal;
    if (end.outcome.outcome == "finished") return 0;
    if (quiet_)
      say(fmt::format("shoal-app: {} at t = {:.6g} s: {}\n", end.outcome.outcome, end.outcome.t_reached,
                      end.outcome.reason));
    return not_finished;
  }

  static std::string summary(const ClipOptions& clip, const ClipEnd& end) {
    std::vector<std::string> places;
    for (const std::filesystem::path* path : {&clip.png, &clip.video, &clip.meshes})
      if (!path->empty()) places.push_back(path->string());
    return fmt::format("{}: {} frames\n", join(places), end.frames);
  }

  Catalog catalog_;
  int argc_;
  const char* const* argv_;
  CLI::App app_{
      "Shallow water on surfaces, as it looks: pictures, videos and meshes of a scene or on a model."};
  std::string subject_ = "sphere-bump", run_, measure_, record_, frames_, rate_ = "60", speed_ = "1", png_,
              video_, meshes_, format_ = "ply", size_ = "1280x720", samples_ = "2", look_ = "water",
              field_ = "elevation", range_, dry_depth_, overlays_, trace_time_, mesh_opacity_ = "0",
              exaggeration_ = "1", clarity_, iso_level_ = "0.01", thickness_ = "0.001", view_, up_,
              zoom_ = "1";
  bool headless_ = false, paused_ = false, no_panels_ = false, fresh_ = false, quiet_ = false,
       vectors_ = false, lines_ = false, no_ground_ = false;
  std::map<std::string, std::string> values_;
  std::vector<std::string> parameters_, plugins_;
};

}  // namespace

int run_application(Catalog catalog, int argc, const char* const* argv) {
  return exit_code_of("shoal-app", [&] { return Application(std::move(catalog), argc, argv).execute(); });
}

}  // namespace shoal
