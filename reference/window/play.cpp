// Keys, mouse and panels of the window (Angst 2007, tables C.1 and C.2).
#include "reference/window/play.hpp"

#include "discretizations/common/thrown.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "experiments/harness/plan/inputs.hpp"
#include "experiments/harness/plan/thesis.hpp"
#include "experiments/harness/results/output.hpp"
#include "experiments/harness/storage/atomic_file.hpp"
#include "experiments/harness/system/stop_signals.hpp"
#include "experiments/harness/system/terminal.hpp"
#include "reference/renderer/renderer.hpp"
#include "reference/session/plan_to_play.hpp"
#include "reference/session/scheme_change.hpp"
#include "reference/window/film.hpp"
#include "reference/window/panels.hpp"
#include "reference/window/view_camera.hpp"
#include "reference/window/window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <deque>
#include <fstream>
#include <numbers>
#include <numeric>

namespace shoal {
namespace {

/// Limits of the distance from the eye to the centre of the orbit, in sizes of the surface.
constexpr double min_distance = 0.01, max_distance = 100;

/// Times of frames and steps.
class FrameTimes {
 public:
  static constexpr double excluded = 0.2;  // fraction of the time, at the beginning

  bool empty() const { return pictures_.empty(); }
  void add(double picture, const FrameSnapshot& moment) {
    pictures_.push_back(picture);
    if (moment.steps != last_step_) steps_.push_back(moment.step_seconds);
    last_step_ = moment.steps;
  }
  std::string text(int width, int height, const FrameSnapshot& moment) {
    const auto quantile = [](std::vector<double>& values, double part) {
      if (values.empty()) return 0.0;
      std::sort(values.begin(), values.end());
      return 1e3 * values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
    };
    const double mean =
        std::accumulate(pictures_.begin(), pictures_.end(), 0.0) / static_cast<double>(pictures_.size());
    return fmt::format(
        "{:.1f} frames per second in a window of {} x {} pixels (median {:.2f} ms, 95 % below {:.2f} ms); a "
        "time step of {:.4g} ms takes {:.2f} ms (95 % below {:.2f} ms); {:.3f} s simulated per second\n",
        1 / mean, width, height, quantile(pictures_, 0.5), quantile(pictures_, 0.95), 1e3 * moment.dt,
        quantile(steps_, 0.5), quantile(steps_, 0.95), moment.pace);
  }

 private:
  std::vector<double> pictures_, steps_;  // s
  std::int64_t last_step_ = 0;
};

/// What a button does while it is held.
enum class Drag { none, orbit, pan, look, push, surface };

struct Mouse {
  double x = 0, y = 0;                // pixels, in the last frame
  std::array<bool, 3> held{};         // by GLFW's numbers of the buttons, in the last frame
  std::array<Drag, 3> drags{};        // of each button, chosen when it was pressed
  double away = 0;                    // m, distance of the dragged point of the surface from the eye
  Vector3 dragged = Vector3::Zero();  // m, displacement of the surface
  std::optional<Vector3> poured;      // m, where the held key pours
};

class Player {
 public:
  Player(const Catalog& catalog, const std::variant<RunConfiguration, Recording>& subject,
         const ViewOptions& view, const PlayOptions& options)
      : catalog_(catalog),
        options_(options),
        window_("Shoal", options.width, options.height),
        camera_(Camera{}) {
    state_.view = view;
    state_.shown = state_.hints = options.panels;
    state_.flying = options.thesis;
    for (const std::string& file : options.bodies) state_.body_files.push_back(read_body_file(file));
    window_.on_key = [this](int key) { press(key); };
    window_.on_wheel = [this](double steps) { turn_wheel(steps); };
    window_.on_drop = [this](const std::vector<std::string>& files) { open_dropped(files); };
    window_.on_double_click = [this] { set_center(); };
    if (const auto* configuration = std::get_if<RunConfiguration>(&subject)) {
      state_.begin_with(*configuration, catalog);
      next_ = [this, c = *configuration] {
        auto session = live(c);
        if (!options_.experiment.empty()) list_runs(options_.experiment, options_.run);
        return session;
      };
    } else {
      next_ = [this, recording = std::get<Recording>(subject)] { return played(recording); };
    }
  }

  void play() {
    begin_next();
    const auto first = Clock::now();
    auto last = first;
    while (!window_.closing() && stop_signal() == 0) {
      const auto now = Clock::now();
      const double elapsed = std::chrono::duration<double>(now - last).count();
      last = now;
      if (options_.measure > 0 && measure(elapsed, std::chrono::duration<double>(now - first).count())) break;
      window_.begin_frame();
      if (frame_source_) look(elapsed);
      draw_all();
      perform();
      state_.pass(elapsed);
      window_.end_frame();
      begin_next();
    }
    end_video();
    window_.hide();
    if (!frame_source_) std::rethrow_exception(failure_);
    end_sessions();
  }

  /// Writes the last session to the requested file, after the current steps have ended.
  void end_sessions() {
    leave_session();
    constexpr std::chrono::milliseconds soon(500);
    const bool waits =
        std::any_of(ending_.begin(), ending_.end(), [&](const auto& one) { return !one->end(soon); });
    if (waits) say("shoal-app: waiting for the current step to complete the session; Ctrl-C aborts\n");
    write_recordings(true);
    ending_.clear();
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Of a run that is played, and its view.
  struct Place {
    double time, speed;  // s, s per s
    bool repeats, paused;
    Vector3 center;
    double size;  // m
  };

  // The picture beside the panels, in pixels.
  int picture_width() const {
    return std::max(16, static_cast<int>(layout_.picture.width * window_.pixels_per_unit()));
  }
  int picture_height() const { return std::max(16, window_.height()); }
  /// The part of the picture above the hints, which is framed.
  double framed_height() const {
    const double below = layout_.hints.empty() ? 0 : layout_.picture.bottom() - layout_.hints.top;
    return std::max(16.0, picture_height() - below * window_.pixels_per_unit());
  }
  double aspect() const { return picture_width() / framed_height(); }
  /// For the window as it is.
  ViewOptions view() const {
    ViewOptions view = state_.view;
    view.framed_part = framed_height() / picture_height();
    return view;
  }

  void frame() {
    moved_ = false;
    legend_framed_ = moment_->picture.field.has_value();
    camera_ = ViewCamera(moment_->picture.camera);
    const double size = moment_->picture.size, height = picture_height();
    camera_.aim_near(moment_->picture.center, min_distance * size);
    camera_.zoom(height / framed_height(), min_distance * size, max_distance * size);
    camera_.raise_center((height - framed_height()) / 2, picture_height());
  }

  /// Zooms to fit everything. If the aspect ratio has changed, another thread has to compute the framing first.
  void frame_all() {
    frame();
    wanted_aspect_.reset();
    if (moment_->aspect == aspect()) return;
    wanted_aspect_ = aspect();
    frame_source_->show(view(), *wanted_aspect_);
  }

  /// Unless the user has moved the camera, everything fits into the picture beside the legend, also when that appears and when the window or
  /// the panels have another size, which lasts.
  void refit(double elapsed) {
    constexpr double lasts = 0.2;  // s
    if (moved_ || wanted_aspect_) return;
    if (moment_->picture.field.has_value() != legend_framed_) frame();
    const double now = aspect();
    resized_for_ = now == last_aspect_ && now != moment_->aspect ? resized_for_ + elapsed : 0;
    last_aspect_ = now;
    if (resized_for_ > lasts) frame_all();
  }

  std::unique_ptr<FrameSource> live(const RunConfiguration& configuration) {
    std::unique_ptr<FrameSource> session;
    try {
      session = std::make_unique<Session>(catalog_, configuration, view(), aspect());
    } catch (const Error&) {
      ViewOptions other = view();
      other.look = Look::science;  // shows every mesh, unlike Look::water
      if (state_.view.look == other.look) throw;
      session = std::make_unique<Session>(catalog_, configuration, other, aspect());
      state_.view = other;
    }
    began_ = configuration;
    return session;
  }
  std::unique_ptr<FrameSource> played(const Recording& recording) {
    return std::make_unique<Playback>(catalog_, recording.file, recording.id, view(), aspect());
  }

  /// Offers the runs of an experiment file, of which `id` ("": the first) is shown.
  void list_runs(const std::string& file, const std::string& id) {
    std::vector<NamedRun> runs = named_runs(catalog_, file);
    if (runs.size() < 2) return;
    std::vector<std::string> labels = run_labels(runs);
    offered_ = {file, id.empty() ? runs.front().id : run_id(id), std::move(runs), std::move(labels)};
  }

  std::unique_ptr<FrameSource> run_of_list(const std::string& id) {
    const std::string file = state_.runs.file;
    if (!playback_) {
      auto session = live(run_of_experiment(catalog_, file, id).configuration);
      list_runs(file, id);
      return session;
    }
    try {
      return played({file, id});
    } catch (const Error&) {  // it may lack the quantity or the velocity that is shown
      const ViewOptions before = state_.view;
      state_.view.field = "elevation";
      state_.view.range.reset();
      state_.view.vectors = false;
      try {
        return played({file, id});
      } catch (...) {
        state_.view = before;
        throw;
      }
    }
  }

  /// Resets the view for another scene, mesh or file.
  void look_anew(const std::string& mesh) {
    state_.view.field = "elevation";
    state_.view.range.reset();
    state_.view.logarithmic = false;
    state_.colors_of.clear();
    state_.view.dry_depth.reset();
    state_.view.vectors = false;
    state_.view.up = stands_along_y(mesh) ? Vector3::UnitY() : Vector3::UnitZ();
    state_.view.view = default_view(state_.view.up);
  }

  /// Shows another file with the default view of its kind.
  std::unique_ptr<FrameSource> opened(const std::string& file) {
    const ViewOptions before = state_.view;
    try {
      const auto subject = subject_of_file(catalog_, file);
      if (const auto* recording = std::get_if<Recording>(&subject)) {
        look_anew(mesh_of_results(file));
        state_.view.look = Look::science;
        return played(*recording);
      }
      const auto& configuration = std::get<RunConfiguration>(subject);
      look_anew(configuration.mesh);
      auto session = live(configuration);
      if (std::filesystem::path(file).extension() == ".toml") list_runs(file, "");
      return session;
    } catch (...) {
      state_.view = before;
      throw;
    }
  }

  /// Files dropped on the interaction panel are objects to throw; elsewhere, the first one is shown.
  void open_dropped(const std::vector<std::string>& files) {
    if (session_ && layout_.panel.contains({window_.cursor_x() / window_.pixels_per_unit(),
                                            window_.cursor_y() / window_.pixels_per_unit(), 1, 1})) {
      for (const std::string& file : files) attempt([&] { add_body(file); });
    } else if (!files.empty()) {
      next_ = [this, file = files.front()] { return opened(file); };
    }
  }

  void add_body(const std::string& file) {
    state_.add(read_body_file(file));
    state_.inform(fmt::format("Throwing: {}", state_.bodies.back().name));
  }

  /// Loads the requested scene, mesh or file. The window shows "Loading …" and draws nothing else meanwhile, because loading may
  /// need the OpenGL context, the same files and all of the memory.
  void begin_next() {
    if (!next_) return;
    const std::string before = std::exchange(state_.message, "Loading …");
    for (int i = 0; i < 2; ++i) {  // the first frame determines the sizes of widgets
      window_.begin_frame();
      draw_all();
      window_.end_frame();
    }
    state_.message = before;
    const ViewCamera camera = camera_;
    const bool moved = moved_, keeps_camera = std::exchange(keeps_camera_, false);
    const auto place = std::exchange(place_, std::nullopt);
    begin(std::exchange(next_, {}));
    if (keeps_camera) {
      camera_ = camera;
      moved_ = moved;
    }
    if (place && playback_) go_on_at(*place, camera, moved);
  }

  /// Shows another run of a file from where and when the last one was seen.
  void go_on_at(const Place& place, const ViewCamera& camera, bool moved) {
    playback_->go_to(place.time);
    playback_->set_speed(place.speed);
    playback_->set_repeats(place.repeats);
    playback_->pause(place.paused);
    constexpr double alike = 0.1;  // of the extent
    const Picture& picture = moment_->picture;
    if ((picture.center - place.center).norm() < alike * place.size &&
        std::abs(picture.size - place.size) < alike * place.size) {
      camera_ = camera;
      moved_ = moved;
    } else if (state_.view.range) {
      state_.view.range.reset();
      state_.wants.view = true;
    }
  }

  /// Replaces the shown source; keeps it if that fails.
  void begin(const std::function<std::unique_ptr<FrameSource>()>& make) {
    offered_ = {};
    try {
      auto made = make();
      leave_session();
      frame_source_ = std::move(made);
      session_ = dynamic_cast<Session*>(frame_source_.get());
      playback_ = dynamic_cast<Playback*>(frame_source_.get());
    } catch (...) {
      state_.warn(thrown());
      state_.shown = true;
      failure_ = std::current_exception();
      return;
    }
    moment_ = frame_source_->latest();
    frame();
    state_.message.clear();
    if (playback_)
      offered_ = {playback_->file(), playback_->id(), playback_->runs(), run_labels(playback_->runs())};
    state_.runs = std::move(offered_);
    state_.begin_with(session_ ? began_ : moment_->configuration, catalog_);
    state_.size = moment_->picture.size;
    state_.scale_to_surface();
    if (options_.thesis) state_.choose_thesis();
    state_.forget();
    state_.opens_quantities = state_.view.look == Look::science;
    chosen_.reset();
    mouse_.dragged = Vector3::Zero();
    mouse_.poured.reset();
    frame_source_->pause(options_.paused);
  }

  /// Returns whether the time has elapsed.
  bool measure(double picture, double since_start) {
    if (!moment_) return since_start >= options_.measure;  // nothing was shown: prints nothing
    if (since_start > FrameTimes::excluded * options_.measure) times_.add(picture, *moment_);
    if (since_start < options_.measure || times_.empty()) return false;
    print(times_.text(window_.width(), window_.height(), *moment_));
    return true;
  }

  void begin_again() {
    if (!session_) {
      playback_->go_to(playback_->run().times().front());
      return;
    }
    next_ = [this, present = moment_->configuration] {
      try {
        return live(with_scheme_of(catalog_, began_, present));
      } catch (const Error&) {  // the scheme goes with a later state only
        return live(began_);
      }
    };
    keeps_camera_ = true;
  }

  /// Lets the session end by itself after the current step, and records it if --record was given.
  void leave_session() {
    if (!session_) return;
    if (!options_.record.empty())
      recordings_.push_back({options_.record, session_->recording(options_.record.stem()), false});
    session_->end(std::chrono::milliseconds(0));
    session_ = nullptr;
    ending_.emplace_back(static_cast<Session*>(frame_source_.release()));
  }

  /// Writes the recordings that are ready, or all of them, in the order of their requests.
  void write_recordings(bool all) {
    while (!recordings_.empty() &&
           (all || recordings_.front().text.wait_for(std::chrono::seconds(0)) == std::future_status::ready)) {
      Recorded one = std::move(recordings_.front());
      recordings_.pop_front();
      replace_file(one.path, one.text.get());
      if (one.announced)
        state_.inform(fmt::format("Saved {0}. `shoal run {0}` repeats the session.", one.path.string()));
    }
  }

  void forget_ended() {
    std::erase_if(ending_, [&](const auto& one) { return one->end(std::chrono::milliseconds(0)); });
  }

  void look(double elapsed) {
    moment_ = frame_source_->latest();
    if (wanted_aspect_ && moment_->aspect == *wanted_aspect_) {
      frame();
      wanted_aspect_.reset();
    }
    if (std::string message = frame_source_->message(); !message.empty()) {
      if (message.starts_with("Stopped at")) say(fmt::format("shoal-app: {}\n", session_->stop()));
      const bool refused = chosen_.has_value() && session_ && !session_->broken();
      chosen_.reset();
      if (refused) {
        refused_.push_back(fmt::format("{}: {}.", tried_.second, message));
        next_part(tried_.first);
      } else {
        state_.warn(message);
      }
    }
    if (chosen_ && chosen_->discretization == moment_->configuration.discretization &&
        chosen_->integrator == moment_->configuration.integrator) {
      chosen_.reset();
      refused_.clear();
    }
    refit(elapsed);
    state_.history.note(*moment_, elapsed);
    if (state_.flying) fly(elapsed);
    pick();
    use_mouse();
    pour();
  }

  /// Asks first if that would lose what was done to the water.
  void quit() {
    const bool asks =
        session_ && session_->unsaved() && options_.record.empty() && !std::exchange(asked_, true);
    if (!asks) return window_.close();
    state_.warn(
        "Esc again quits. Nothing saves what was done to the water but \"save as experiment…\" in the "
        "panel.");
  }

  void press(int key) {
    if (key != GLFW_KEY_ESCAPE) asked_ = false;
    if (key == GLFW_KEY_ESCAPE) quit();
    if (key == GLFW_KEY_F1) state_.hints = !state_.hints;
    if (key == GLFW_KEY_F3) state_.shown = !state_.shown;
    if (key == GLFW_KEY_F5) state_.shadows = !state_.shadows;
    if (!frame_source_) return;
    if (key == GLFW_KEY_P) frame_source_->pause(!frame_source_->paused());
    if (key == GLFW_KEY_O) {
      frame_source_->pause(true);
      frame_source_->step_once();
    }
    if (key == GLFW_KEY_C) frame_all();
    if (key == GLFW_KEY_F) state_.flying = !state_.flying;
    if (key == GLFW_KEY_F11) state_.wants.video = true;
    if (key == GLFW_KEY_F12) state_.wants.picture = true;
    if (key == GLFW_KEY_R) begin_again();
    if (!session_) return;
    if (key == GLFW_KEY_SPACE) throw_body();
    if (key == GLFW_KEY_M) insert_source(1);
    if (key == GLFW_KEY_N) insert_source(-1);
    if (key == GLFW_KEY_V && !hit_) state_.inform("Point at the water to pour there.");
    if (key == GLFW_KEY_F6 || key == GLFW_KEY_F7) {
      refused_.clear();
      tried_ = {};
      next_part(key == GLFW_KEY_F6 ? "discretization" : "integrator");
    }
  }

  /// Changes to the next entry of the list of `key` that is compatible and, if the run refuses it, to the one after that.
  void next_part(const std::string& key) {
    const RunConfiguration c = chosen_.value_or(moment_->configuration);
    std::string found;
    const auto change = next_change(catalog_, c, key, tried_.first == key ? tried_.second : "", found);
    tried_ = {key, found};
    std::string words = fmt::format("The run has no other {}.", key);
    if (change) {
      chosen_ = changed(catalog_, c, *change);
      session_->act({0, *change});
      words =
          fmt::format("{}: {}, advection: {}", key, found,
                      chosen_->advection == "built-in" ? "included in the flux" : chosen_->advection.c_str());
    }
    for (const std::string& refusal : refused_) words += "\nRefused: " + refusal;
    if (refused_.empty())
      state_.inform(words);
    else
      state_.warn(words);
  }

  /// Selects an object to throw in the fly mode, as in Angst 2007, table C.1, or with Ctrl; otherwise zooms.
  void turn_wheel(double steps) {
    if (!frame_source_) return;
    if (state_.flying || window_.control_held()) {
      choose_body(steps);
      return;
    }
    constexpr double per_step = 0.88;
    moved_ = true;
    camera_.zoom(std::pow(per_step, steps), min_distance * state_.size, max_distance * state_.size);
  }

  /// The point of the surface under the cursor becomes the centre of the orbit and of the picture.
  void set_center() {
    if (!frame_source_ || window_.control_held()) return;
    if (const auto hit = hit_at_cursor()) {
      moved_ = true;
      camera_.look_at(hit->point);
    }
  }

  void choose_body(double steps) {
    if (!session_) return;
    const int count = static_cast<int>(state_.bodies.size());
    state_.body = ((state_.body + (steps > 0 ? 1 : -1)) % count + count) % count;
    state_.inform(fmt::format("Throwing: {}", state_.bodies[static_cast<std::size_t>(state_.body)].name));
  }

  Ray cursor_ray() const {
    return camera_.ray(window_.cursor_x(), window_.cursor_y(), picture_width(), picture_height());
  }

  /// Throws a body from near the camera towards the cursor.
  void throw_body() {
    const ThrownBody& body = state_.bodies[static_cast<std::size_t>(state_.body)];
    const Ray ray = cursor_ray();
    ThrowInput input{
        .shape = body.shape, .size = body.size, .file = body.file, .density = state_.solid_density};
    const double away = hit_ ? hit_->distance : moment_->picture.size;
    input.at = ray.from + std::max(0.0, away - 1.2 * state_.size) * ray.along;
    input.velocity = state_.throw_speed * ray.along;
    session_->act({0, input});
  }

  /// A source at the cursor, or a sink if `sign` is −1.
  SourceInput source_here(double sign) const {
    SourceInput source{.at = hit_->point};
    if (state_.by_divergence) {
      source.divergence = sign * state_.divergence;
    } else {
      source.radius = state_.source_radius;
      source.discharge = sign * state_.discharge;
    }
    return source;
  }

  void insert_source(double sign) {
    if (hit_)
      session_->act({0, source_here(sign)});
    else
      state_.inform("Point at the water to add a source there.");
  }

  /// While the key is held, water flows in, or out with Shift, and follows the cursor in steps of half the source's radius.
  void pour() {
    if (!session_) return;
    if (!window_.held(GLFW_KEY_V) || !hit_) {
      if (mouse_.poured) session_->hold_pour({});
      mouse_.poured.reset();
    } else if (!mouse_.poured || (hit_->point - *mouse_.poured).norm() > 0.5 * state_.source_radius) {
      mouse_.poured = hit_->point;
      session_->hold_pour(source_here(window_.shift_held() ? -1 : 1));
    }
  }

  void fly(double elapsed) {
    const double way = 0.8 * state_.size * elapsed * (window_.shift_held() ? 4 : 1);
    const auto along = [&](int plus, int minus) {
      return way * (static_cast<int>(window_.held(plus)) - static_cast<int>(window_.held(minus)));
    };
    const double ahead = along(GLFW_KEY_W, GLFW_KEY_S), right = along(GLFW_KEY_D, GLFW_KEY_A),
                 up = along(GLFW_KEY_E, GLFW_KEY_Q);
    moved_ = moved_ || ahead != 0 || right != 0 || up != 0;
    camera_.fly(ahead, right, up);
  }

  std::optional<Hit> hit_at_cursor() const {
    return first_hit(cursor_ray(), moment_->surface, frame_source_->mesh().faces,
                     frame_source_->mesh().corner_shift);
  }

  void pick() {
    hit_.reset();
    if (!window_.over_widget()) hit_ = hit_at_cursor();
    state_.picked.reset();
    if (!hit_) return;
    Picked picked{.face = hit_->face, .point = hit_->point};
    const Faces& faces = frame_source_->mesh().faces;
    for (int c = 0; c < 3; ++c) {
      const Index vertex = faces(c, hit_->face);
      picked.depth += hit_->weights[c] * moment_->depth[vertex];
      picked.elevation += hit_->weights[c] * (moment_->depth[vertex] - moment_->bed[vertex]);
    }
    if (moment_->velocity.cols() == faces.cols()) picked.velocity = moment_->velocity.col(hit_->face);
    state_.picked = picked;
  }

  /// The mouse of Angst 2007, table C.1, in the fly mode; otherwise it turns and pans as is usual for viewers of meshes (Polyscope).
  /// With Ctrl, it acts on the water in both.
  Drag drag_of(int button) const {
    const bool control = window_.control_held();
    if (button == GLFW_MOUSE_BUTTON_MIDDLE || (button == GLFW_MOUSE_BUTTON_LEFT && control))
      return Drag::push;
    if (button == GLFW_MOUSE_BUTTON_RIGHT && (state_.flying || control))
      return hit_ ? Drag::surface : Drag::none;
    if (state_.flying) return Drag::look;
    return button == GLFW_MOUSE_BUTTON_RIGHT || window_.shift_held() ? Drag::pan : Drag::orbit;
  }

  void use_mouse() {
    const double dx = window_.cursor_x() - mouse_.x, dy = window_.cursor_y() - mouse_.y;
    mouse_.x = window_.cursor_x();
    mouse_.y = window_.cursor_y();
    bool pushes = false;
    for (const int button : {GLFW_MOUSE_BUTTON_LEFT, GLFW_MOUSE_BUTTON_RIGHT, GLFW_MOUSE_BUTTON_MIDDLE}) {
      const auto i = static_cast<std::size_t>(button);
      const bool held = window_.button_held(button);
      Drag& drag = mouse_.drags[i];
      if (!held) drag = Drag::none;
      if (held && !mouse_.held[i] && !window_.over_widget()) {
        drag = drag_of(button);
        if (drag == Drag::surface) mouse_.away = hit_->distance;
      }
      mouse_.held[i] = held;
      pushes = pushes || drag == Drag::push;
      if (dx != 0 || dy != 0) move(drag, dx, dy);
    }
    if (!session_) return;
    session_->hold_push(pushes && hit_
                            ? std::optional(PushInput{.at = hit_->point,
                                                      .acceleration = state_.push_mean * cursor_ray().along,
                                                      .width = state_.push_sigma})
                            : std::nullopt);
  }

  /// The cursor has moved by these numbers of pixels.
  void move(Drag drag, double dx, double dy) {
    const double half_turn = std::numbers::pi / picture_height();  // over the height of the picture
    constexpr double look = 0.004;                                 // rad per pixel
    moved_ = moved_ || drag == Drag::orbit || drag == Drag::pan || drag == Drag::look;
    if (drag == Drag::orbit) camera_.orbit(half_turn * dx, half_turn * dy);
    if (drag == Drag::pan) camera_.pan(dx, dy, picture_height());
    if (drag == Drag::look) camera_.look(look * dx, -look * dy);
    if (drag == Drag::surface && session_) {
      mouse_.dragged += camera_.shift(dx, dy, mouse_.away, picture_height());
      session_->hold_drag(mouse_.dragged);
    }
  }

  void draw_all() {
    layout_ = lay_out(state_, {session_, playback_});
    draw();
    draw_panels(state_, {session_, playback_}, moment_.get(), catalog_, layout_);
  }

  /// Numbers at the markers of sources, and the name of the body on whose line the cursor is, beside each other and beside the
  /// legend, the time, the message and the hints.
  void place_labels(const Camera& camera, std::vector<Rectangle> taken) {
    state_.labels.clear();
    const double unit = window_.pixels_per_unit();
    for (Rectangle& box : taken) box = {box.left / unit, box.top / unit, box.width / unit, box.height / unit};
    const Vector3 ahead = (camera.target - camera.eye).normalized();
    const auto place_label = [&](const std::string& name, const Vector3& point) {
      if (!((point - camera.eye).dot(ahead) > camera.near)) return;
      const Eigen::Vector2d at = camera.pixel(point, picture_width(), picture_height()) / unit;
      InputLabel label{.text = name, .pointed = state_.pointed == name};
      const Eigen::Vector2d size = size_of(label);
      const auto place = place_beside({at.x() - size.x() / 2, at.y() - size.y() / 2, size.x(), size.y()},
                                      layout_.free, taken);
      if (!place) return;
      taken.push_back(*place);
      label.x = place->left + size.x() / 2;
      label.y = place->top + size.y() / 2;
      state_.labels.push_back(label);
    };
    for (const MarkedBody& body : moment_->bodies)
      if (body.name == state_.pointed) place_label(body.name, body.at);
    if (!state_.view.sources) return;
    for (const SourceMarker& marker : moment_->sources) place_label(name_of(marker.source), marker.at);
  }

  /// Returns the places that it covers; none without a field.
  std::vector<Rectangle> draw_legend_over(Image& image, const Picture& picture, bool backing = true) {
    if (!picture.field) return {};
    if (!font_) font_.emplace();
    Legend legend = make_legend(moment_->scale, picture, moment_->time, image.height);
    legend.backing = backing;
    const double unit = window_.pixels_per_unit();
    const Rectangle& free = layout_.free;
    const LegendLayout places =
        legend_layout(*font_, legend, image.height,
                      {unit * free.left, unit * free.top, unit * free.width, unit * free.height});
    draw_legend(image, *font_, legend, places);
    return places.boxes();
  }

  void draw() {
    state_.labels.clear();
    const int width = picture_width(), height = picture_height();
    const RenderOptions wanted{.width = width,
                               .height = height,
                               .samples = 1,
                               .quality = state_.beautiful ? Quality::full : Quality::fast,
                               .shadows = state_.shadows};
    if (!renderer_ || wanted.width != made_.width || wanted.height != made_.height ||
        wanted.quality != made_.quality || wanted.shadows != made_.shadows) {
      renderer_.reset();
      renderer_.emplace(wanted);
      made_ = wanted;
    }
    Picture picture;
    if (!moment_) {
      renderer_->draw(picture);
      renderer_->show(width, height);
      return;
    }
    picture = moment_->picture;
    Camera camera = camera_.camera();
    camera.near = std::min(0.02 * state_.size, 0.1 * camera_.distance());
    camera.far = (picture.center - camera.eye).norm() + 60 * state_.size;
    picture.camera = camera;
    if (state_.skin_only) picture.water.reset();
    renderer_->draw(picture);
    std::vector<Rectangle> taken;
    if (picture.field) {
      Image image = renderer_->read();
      taken = draw_legend_over(image, picture);
      renderer_->replace(image);
    }
    shown_ = picture;
    place_labels(camera, taken);
    renderer_->show(width, height);
  }

  void perform() {
    if (std::exchange(state_.wants.picture, false))
      attempt([&] {
        const std::filesystem::path path = free_path("picture", "png");
        if (state_.transparent) {
          write_png(path.string(), renderer_->draw_without_background(shown_, [&](Image& image) {
            draw_legend_over(image, shown_, false);
          }));
          draw();
        } else {
          write_png(path.string(), renderer_->read());
          renderer_->show(made_.width, made_.height);  // restores the window's own buffer
        }
        state_.inform(fmt::format("Saved {}", path.string()));
      });
    if (std::exchange(state_.wants.video, false)) attempt([&] { toggle_video(); });
    if (film_.running()) attempt([&] { film(); });
    if (std::exchange(state_.wants.session, false))
      attempt([&] {
        const std::filesystem::path path = free_path("session", "toml");
        recordings_.push_back({path, session_->recording(path.stem()), true});
      });
    attempt([&] { write_recordings(false); });
    forget_ended();
    if (std::exchange(state_.wants.body, false)) attempt([&] { add_body(state_.body_file); });
    if (std::exchange(state_.wants.view, false)) frame_source_->show(view(), aspect());
    if (std::exchange(state_.wants.file, false)) {
      if (state_.beginning.file.empty())
        state_.inform("Type the path of a file, choose one of the list, or drop one onto the window.");
      else
        next_ = [this] { return opened(state_.beginning.file); };
    }
    if (std::string id = std::exchange(state_.wants.id, ""); !id.empty()) begin_other_run(id);
    if (std::exchange(state_.wants.run, false))
      next_ = [this] {
        const RunConfiguration c = wanted();
        look_anew(c.mesh);
        return live(c);
      };
  }

  void begin_other_run(const std::string& id) {
    next_ = [this, id] { return run_of_list(id); };
    if (!playback_) return;
    place_ = {moment_->time,       playback_->speed(),      playback_->repeats(),
              playback_->paused(), moment_->picture.center, moment_->picture.size};
  }

  /// The configuration entered in the panel "new run", checked like an experiment file.
  RunConfiguration wanted() const {
    const Beginning& b = state_.beginning;
    Experiment experiment;
    experiment.name = "window";
    const auto set = [&](const std::string& key, const std::string& value, bool is_parameter) {
      if (!value.empty()) experiment.settings.push_back({key, is_parameter, {Value(value)}, key});
    };
    set("scene", b.scene, false);
    set("mesh", b.mesh, false);
    set("discretization", b.discretization, false);
    set("integrator", b.integrator, false);
    if (b.auto_substeps && catalog_.integrators.find(b.integrator).default_substeps > 0)
      set("substeps", "auto", false);
    if (!b.dt.empty())
      experiment.settings.push_back(
          {"dt", false, {b.dt == "auto" ? Value(b.dt) : Value(parse_parameter(b.dt, "dt"))}, "dt"});
    for (const ParameterInfo& info : catalog_.scenes.find(b.scene).parameters)
      if (const auto given = b.parameters.find(info.name);
          given != b.parameters.end() && given->second != to_string(info.fallback))
        experiment.settings.push_back(
            {info.name,
             true,
             {std::holds_alternative<double>(info.fallback) ? Value(parse_parameter(given->second, info.name))
                                                            : Value(given->second)},
             info.name});
    if (options_.thesis) {
      experiment.settings.push_back({"inputs", false, {no_inputs}, "inputs"});
      add_thesis_settings(catalog_, experiment);
    }
    const PlannedRun planned = plan_to_play(catalog_, experiment);
    if (!planned.refusal.empty()) throw Refusal(planned.refusal);
    return planned.configuration;
  }

  /// An unused file name in the folder of screenshots.
  std::filesystem::path free_path(const std::string& name, const std::string& extension) const {
    std::filesystem::create_directories(options_.pictures);
    std::filesystem::path path;
    for (int i = 0; path.empty() || std::filesystem::exists(path); ++i)
      path = options_.pictures / fmt::format("{}-{:03}.{}", name, i, extension);
    return path;
  }

  void toggle_video() {
    if (film_.running()) {
      end_video();
      return;
    }
    require_ffmpeg();
    film_.begin(free_path("video", "mp4"), made_.width, made_.height);
    state_.recording_video = true;
  }

  /// Adds the picture, without panels, to the video.
  void film() {
    if (!film_.fits(made_.width, made_.height)) {
      end_video();
      state_.inform(state_.message + "; the recording ended because the window was resized");
      return;
    }
    film_.take([&] {
      Image image = renderer_->read();
      renderer_->show(made_.width, made_.height);  // restores the window's own buffer
      return image;
    });
  }

  void end_video() {
    if (!film_.running()) return;
    state_.recording_video = false;
    attempt([&] {
      film_.end();
      state_.inform(fmt::format("Saved {}", film_.path().string()));
    });
  }

  template <class Body>
  void attempt(Body&& body) {
    try {
      body();
    } catch (...) {
      state_.warn(thrown());
    }
  }

  const Catalog& catalog_;
  PlayOptions options_;
  Window window_;
  std::unique_ptr<FrameSource> frame_source_;
  Session* session_ = nullptr;  // one of the two is frame_source_
  Playback* playback_ = nullptr;
  RunConfiguration began_;                              // the configuration of the session at its start
  std::exception_ptr failure_;                          // the last failure
  std::function<std::unique_ptr<FrameSource>()> next_;  // creates the next source to show
  bool keeps_camera_ = false;
  std::optional<Place> place_;                    // to go on in another run
  RunsOfFile offered_;                            // by the source that is being created
  bool asked_ = false;                            // whether to quit
  std::vector<std::unique_ptr<Session>> ending_;  // sessions that end after their current steps
  struct Recorded {
    std::filesystem::path path;
    std::future<std::string> text;
    bool announced;
  };
  std::deque<Recorded> recordings_;  // requested and not yet written
  std::optional<double> wanted_aspect_;
  bool moved_ = false, legend_framed_ = false;  // since and when frame() was called
  double last_aspect_ = 0, resized_for_ = 0;    // s
  std::shared_ptr<const FrameSnapshot> moment_;
  ViewCamera camera_;
  PanelState state_;
  WindowLayout layout_;
  std::optional<RunConfiguration> chosen_;     // by keys, not yet part of a frame
  std::pair<std::string, std::string> tried_;  // the key and the name that were chosen last
  std::vector<std::string> refused_;           // since then, with reasons
  std::optional<Renderer> renderer_;
  std::optional<Font> font_;  // for the legend
  RenderOptions made_;
  Picture shown_;  // the last one drawn
  std::optional<Hit> hit_;
  Mouse mouse_;
  FrameTimes times_;
  Film film_;
};

/// Also true if there is no such file, or an empty one.
bool is_session(const std::filesystem::path& path) {
  if (!std::filesystem::is_regular_file(path)) return true;
  std::ifstream file(path);
  std::string line;
  return !std::getline(file, line) || line.starts_with(recording_mark);
}

}  // namespace

void play(const Catalog& catalog, const std::variant<RunConfiguration, Recording>& subject,
          const ViewOptions& view, const PlayOptions& options) {
  const StopSignals signals;
  if (!options.record.empty()) {
    const std::filesystem::path folder = options.record.parent_path();
    if (!folder.empty() && !std::filesystem::is_directory(folder))
      throw Error(fmt::format("--record: folder '{}' does not exist", folder.string()));
    if (std::filesystem::is_directory(options.record))
      throw Error(fmt::format("--record: '{}' is a folder", options.record.string()));
    require_writable(options.record);
    if (!options.fresh && !is_session(options.record))
      throw Error(
          fmt::format("--record: '{}' exists and is not a session of shoal-app; use --fresh to replace it",
                      options.record.string()));
  }
  Player player(catalog, subject, view, options);
  try {
    player.play();
  } catch (...) {  // saves the session first
    player.end_sessions();
    throw;
  }
}

}  // namespace shoal
