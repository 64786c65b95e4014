// Keys, mouse and panels of the window (Angst 2007, tables C.1 and C.2).
#include "reference/window/play.hpp"

#include "experiments/harness/system/files.hpp"
#include "reference/renderer/renderer.hpp"
#include "reference/window/fly_camera.hpp"
#include "reference/window/panels.hpp"
#include "reference/window/window.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace shoal {
namespace {

class Player {
 public:
  Player(const Catalog& catalog, const RunConfiguration& configuration, const ViewOptions& view,
         const PlayOptions& options)
      : options_(options),
        window_("Shoal", options.width, options.height),
        session_(catalog, configuration, view, static_cast<double>(options.width) / options.height),
        moment_(session_.latest()),
        camera_(moment_->picture.camera),
        up_(view.up.normalized()) {
    state_.view = view;
    state_.shown = options.panels;
    state_.size = moment_->picture.size;
    state_.sensible_sizes();
    window_.on_key = [this](int key) { press(key); };
    window_.on_wheel = [this](double steps) { choose_body(steps); };
    session_.pause(options.paused);
  }

  void play() {
    auto last = Clock::now();
    while (!window_.closing()) {
      const auto now = Clock::now();
      const double elapsed = std::chrono::duration<double>(now - last).count();
      last = now;
      window_.begin_frame();
      moment_ = session_.latest();
      if (std::string message = session_.message(); !message.empty()) {
        state_.message = std::move(message);
        chosen_.reset();
      }
      if (chosen_ && chosen_->discretization == moment_->configuration.discretization &&
          chosen_->integrator == moment_->configuration.integrator)
        chosen_.reset();
      state_.note(*moment_, elapsed);
      fly(elapsed);
      pick();
      use_mouse();
      draw();
      draw_panels(state_, session_, *moment_, catalog());
      perform();
      window_.end_frame();
    }
    if (!options_.record.empty()) save(options_.record);
  }

 private:
  using Clock = std::chrono::steady_clock;

  const Catalog& catalog() const { return session_.catalog(); }

  void press(int key) {
    if (key == GLFW_KEY_ESCAPE) window_.close();
    if (key == GLFW_KEY_SPACE) throw_body();
    if (key == GLFW_KEY_M) insert_source(state_.discharge);
    if (key == GLFW_KEY_N) insert_source(-state_.discharge);
    if (key == GLFW_KEY_P) session_.pause(!session_.paused());
    if (key == GLFW_KEY_O) {
      session_.pause(true);
      session_.step_once();
    }
    if (key == GLFW_KEY_C) camera_ = FlyCamera(moment_->picture.camera);
    if (key == GLFW_KEY_F1) state_.hints = !state_.hints;
    if (key == GLFW_KEY_F3) state_.shown = !state_.shown;
    if (key == GLFW_KEY_F5) state_.shadows = !state_.shadows;
    if (key == GLFW_KEY_F6) next_part("discretization", catalog().discretizations);
    if (key == GLFW_KEY_F7) next_part("integrator", catalog().integrators);
    if (key == GLFW_KEY_F12) state_.wants_picture = true;
  }

  /// The next of a list that can go on from here; what stands in the way of those between is shown.
  template <class List>
  void next_part(const std::string& key, const List& list) {
    const RunConfiguration c = chosen_.value_or(moment_->configuration);
    const std::string& now = key == "integrator" ? c.integrator : c.discretization;
    std::vector<std::string> names;
    for (const auto& entry : list) names.push_back(entry.name);
    std::rotate(names.begin(), std::find(names.begin(), names.end(), now), names.end());
    for (std::size_t i = 1; i < names.size(); ++i) {
      const ChangeInput change{{{key, names[i]}}};
      try {
        chosen_ = changed(catalog(), c, change);
      } catch (const Error&) {
        continue;
      }
      session_.act({0, change});
      state_.message = fmt::format("{}: {}", key, names[i]);
      return;
    }
  }

  void choose_body(double steps) {
    const int count = static_cast<int>(state_.bodies.size());
    state_.body = ((state_.body + (steps > 0 ? 1 : -1)) % count + count) % count;
    state_.message = fmt::format("to throw: {}", state_.bodies[static_cast<std::size_t>(state_.body)].name);
  }

  Ray cursor_ray() const {
    return camera_.ray(window_.cursor_x(), window_.cursor_y(), window_.width(), window_.height());
  }

  /// From beside the camera to where the cursor points.
  void throw_body() {
    const ThrownBody& body = state_.bodies[static_cast<std::size_t>(state_.body)];
    const Ray ray = cursor_ray();
    ThrowInput input{.shape = body.shape, .size = body.size, .density = state_.solid_density};
    const double away = hit_ ? hit_->distance : moment_->picture.size;
    input.at = ray.from + std::max(0.0, away - 1.2 * state_.size) * ray.along;
    input.velocity = state_.throw_speed * ray.along;
    session_.act({0, input});
  }

  void insert_source(double discharge) {
    if (!hit_) {
      state_.message = "a source goes where the cursor points: put it on the water";
      return;
    }
    session_.act(
        {0, SourceInput{.at = at_bed(*hit_), .radius = state_.source_radius, .discharge = discharge}});
  }

  /// Sources and pushes are in the mesh's own places.
  static Vector3 at_bed(const Hit& hit) { return hit.point; }

  void fly(double elapsed) {
    const double way = 0.8 * state_.size * elapsed * (window_.held(GLFW_KEY_LEFT_SHIFT) ? 4 : 1);
    const auto along = [&](int plus, int minus) {
      return way * (static_cast<int>(window_.held(plus)) - static_cast<int>(window_.held(minus)));
    };
    camera_.fly(along(GLFW_KEY_W, GLFW_KEY_S), along(GLFW_KEY_D, GLFW_KEY_A), along(GLFW_KEY_E, GLFW_KEY_Q));
  }

  void pick() {
    hit_.reset();
    if (!window_.over_widget())
      hit_ = first_hit(cursor_ray(), moment_->surface, session_.surface().mesh.faces);
    state_.picked.reset();
    if (!hit_) return;
    Picked picked{.face = hit_->face, .point = hit_->point};
    const Faces& faces = session_.surface().mesh.faces;
    for (int c = 0; c < 3; ++c) {
      const Index vertex = faces(c, hit_->face);
      picked.depth += hit_->weights[c] * moment_->depth[vertex];
      picked.elevation += hit_->weights[c] * (moment_->depth[vertex] - moment_->bed[vertex]);
    }
    if (moment_->velocity.cols() == faces.cols()) picked.velocity = moment_->velocity.col(hit_->face);
    state_.picked = picked;
  }

  void use_mouse() {
    const double dx = window_.cursor_x() - last_x_, dy = window_.cursor_y() - last_y_;
    last_x_ = window_.cursor_x();
    last_y_ = window_.cursor_y();
    const bool free = !window_.over_widget();
    const auto pressed = [&](int button, bool& before) {
      const bool now = window_.button_held(button);
      const bool began = now && !before && free;
      before = now;
      return began;
    };
    if (pressed(GLFW_MOUSE_BUTTON_LEFT, left_)) looking_ = true;
    if (!left_) looking_ = false;
    constexpr double turn = 0.004;  // rad per pixel
    if (looking_) camera_.look(turn * dx, -turn * dy);

    pressed(GLFW_MOUSE_BUTTON_MIDDLE, middle_);
    if (middle_ && hit_)
      session_.hold_push(PushInput{.at = at_bed(*hit_),
                                   .acceleration = state_.push_mean * cursor_ray().along,
                                   .width = state_.push_sigma});
    else
      session_.hold_push({});

    if (pressed(GLFW_MOUSE_BUTTON_RIGHT, right_) && hit_) dragging_ = hit_->distance;
    if (!right_) dragging_.reset();
    if (dragging_ && (dx != 0 || dy != 0)) {
      drag_ += camera_.shift(dx, dy, *dragging_, window_.height());
      session_.hold_drag(drag_);
    }
  }

  void draw() {
    const int width = std::max(16, window_.width()), height = std::max(16, window_.height());
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
    Picture picture = moment_->picture;
    Camera camera = camera_.camera();
    camera.near = 0.02 * state_.size;
    camera.far = (picture.center - camera.eye).norm() + 60 * state_.size;
    picture.camera = camera;
    if (state_.skin_only) picture.water.reset();
    renderer_->draw(picture);
    renderer_->show(width, height);
  }

  void perform() {
    if (std::exchange(state_.wants_picture, false))
      attempt([&] {
        std::filesystem::create_directories(options_.pictures);
        std::filesystem::path path;
        do path = options_.pictures / fmt::format("picture-{:03}.png", pictures_++);
        while (std::filesystem::exists(path));
        write_png(path.string(), renderer_->read());
        state_.message = fmt::format("{} is written", path.string());
      });
    if (std::exchange(state_.wants_session, false))
      attempt([&] {
        std::filesystem::create_directories(options_.pictures);
        std::filesystem::path path;
        for (int i = 0; path.empty() || std::filesystem::exists(path); ++i)
          path = options_.pictures / fmt::format("session-{:03}.toml", i);
        save(path);
        state_.message = fmt::format("{0} is written: `shoal run {0}` repeats it", path.string());
      });
    if (std::exchange(state_.view_changed, false)) session_.show(state_.view);
  }

  template <class Body>
  void attempt(Body&& body) {
    try {
      body();
    } catch (const std::exception& error) {
      state_.message = error.what();
    }
  }

  void save(const std::filesystem::path& path) { replace_file(path, session_.recording(path.stem())); }

  PlayOptions options_;
  Window window_;
  Session session_;
  std::shared_ptr<const Moment> moment_;
  FlyCamera camera_;
  Vector3 up_;
  PanelState state_;
  std::optional<RunConfiguration> chosen_;  // by keys, and not yet seen in a moment
  std::optional<Renderer> renderer_;
  RenderOptions made_;
  std::optional<Hit> hit_;
  double last_x_ = 0, last_y_ = 0;
  bool left_ = false, middle_ = false, right_ = false, looking_ = false;
  std::optional<double> dragging_;  // m, from the eye
  Vector3 drag_ = Vector3::Zero();  // m, from where the surface was
  int pictures_ = 0;
};

}  // namespace

void play(const Catalog& catalog, const RunConfiguration& configuration, const ViewOptions& view,
          const PlayOptions& options) {
  Player(catalog, configuration, view, options).play();
}

}  // namespace shoal
