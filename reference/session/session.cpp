#include "reference/session/session.hpp"

#include "discretizations/common/thrown.hpp"
#include "discretizations/mesh/generators/generators.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/run/checksum.hpp"
#include "experiments/motions/clip_mixer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace shoal {
namespace {

RunConfiguration open_to_inputs(RunConfiguration configuration) {
  if (configuration.inputs.empty()) configuration.inputs = no_inputs;
  return configuration;
}

/// The absolute path if `name` is a file, or one with ":PART" behind it, so that a recording can be repeated in any folder.
std::string in_any_folder(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  for (const auto end : {name.size(), name.rfind(':')}) {
    if (end == std::string::npos) continue;
    const std::string file = name.substr(0, end);
    if (file.find_first_of("./") != std::string::npos && fs::exists(file, ignored))
      return fs::absolute(file).lexically_normal().string() + name.substr(end);
  }
  return name;
}

RunConfiguration in_any_folder(RunConfiguration c) {
  if (!is_generated(c.mesh)) c.mesh = in_any_folder(c.mesh);
  for (auto& [name, value] : c.parameters)
    if (auto* text = std::get_if<std::string>(&value)) *text = in_any_folder(*text);
  std::string inputs = no_inputs;
  for (Input input : parse_inputs(c.inputs)) {
    if (auto* body = std::get_if<ThrowInput>(&input.action)) body->file = in_any_folder(body->file);
    inputs += to_text(input) + "\n";
  }
  c.inputs = inputs;
  return c;
}

}  // namespace

Session::Session(const Catalog& catalog, const RunConfiguration& configuration, const ViewOptions& view,
                 double aspect)
    : catalog_(catalog),
      surface_(load_surface(catalog, configuration)),
      aspect_(aspect),
      simulation_(catalog, open_to_inputs(configuration), surface_),
      diagnostics_(simulation_),
      shown_(simulation_),
      view_options_(view),
      view_(std::make_unique<RunView>(shown_, view, aspect)) {
  view_->survey(shown_);
  publish();
  thread_ = std::thread([this] { live(); });
}

Session::~Session() {
  end(std::chrono::milliseconds(0));
  thread_.join();
}

bool Session::end(std::chrono::milliseconds timeout) {
  std::unique_lock lock(mutex_);
  ending_ = true;
  wake_.notify_all();
  return wake_.wait_for(lock, timeout, [&] { return ended_; });
}

void Session::pause(bool paused) {
  const std::lock_guard lock(mutex_);
  paused_ = paused;
  wake_.notify_all();
}

bool Session::paused() const {
  const std::lock_guard lock(mutex_);
  return paused_;
}

bool Session::broken() const {
  const std::lock_guard lock(mutex_);
  return broken_;
}

bool Session::unsaved() const {
  const std::lock_guard lock(mutex_);
  return unsaved_;
}

std::string Session::stop() const {
  const std::lock_guard lock(mutex_);
  return stop_;
}

void Session::step_once() {
  const std::lock_guard lock(mutex_);
  ++pending_.single_steps;
  wake_.notify_all();
}

void Session::act(const Input& input) {
  const std::lock_guard lock(mutex_);
  pending_.inputs.push_back(input);
  wake_.notify_all();
}

void Session::hold_push(const std::optional<PushInput>& push) {
  const std::lock_guard lock(mutex_);
  pending_.push = push;
}

void Session::hold_drag(const std::optional<Vector3>& target) {
  const std::lock_guard lock(mutex_);
  pending_.drag = target;
}

void Session::hold_pour(const std::optional<SourceInput>& source) {
  const std::lock_guard lock(mutex_);
  pending_.pour = source;
  wake_.notify_all();
}

void Session::show(const ViewOptions& view, double aspect) {
  const std::lock_guard lock(mutex_);
  pending_.view = view;
  pending_.aspect = aspect;
  wake_.notify_all();
}

std::shared_ptr<const FrameSnapshot> Session::latest() {
  const std::lock_guard lock(mutex_);
  taken_ = true;
  return latest_;
}

std::string Session::message() {
  const std::lock_guard lock(mutex_);
  return std::exchange(message_, "");
}

void Session::post_message(const std::string& message) {
  const std::lock_guard lock(mutex_);
  message_ = message;
}

std::future<std::string> Session::recording(const std::string& name) {
  RecordingRequest request{name, {}};
  std::future<std::string> text = request.text.get_future();
  const std::lock_guard lock(mutex_);
  if (!ended_) recordings_.push_back(std::move(request));  // otherwise the promise is broken
  wake_.notify_all();
  return text;
}

void Session::record(std::vector<RecordingRequest> requests) {
  for (RecordingRequest& request : requests) try {
      const std::string text = text_of_recording(request.name);
      {
        const std::lock_guard lock(mutex_);
        unsaved_ = false;
      }
      request.text.set_value(text);
    } catch (...) {
      request.text.set_exception(std::current_exception());
    }
}

std::string Session::text_of_recording(const std::string& name) {
  const std::vector<Input>& done = simulation_.inputs_done();
  const bool acted_upon = !done.empty() && done.back().time > simulation_.time() - 0.5 * simulation_.dt();
  if (!broken() && (simulation_.steps_done() == 0 || acted_upon)) take_step();
  Experiment experiment;
  experiment.name = name;
  experiment.title = fmt::format("A session of {:.4g} s", simulation_.time());
  experiment.settings = settings_of(catalog_, in_any_folder(simulation_.so_far()), "session");
  const std::string end = broken() ? "the session " + stop()
                                   : fmt::format(
                                         "the same program on the same kind of processor ends with the "
                                         "state_checksum {}",
                                         checksum(simulation_));
  return fmt::format("{}. `shoal run` of this file repeats the session; {}.\n{}", recording_mark, end,
                     to_toml(experiment));
}

void Session::live() {
  run_loop();
  const std::lock_guard lock(mutex_);
  ended_ = true;
  recordings_.clear();
  wake_.notify_all();
}

/// Steps in real time, or as fast as possible if that is slower. The run does not catch up on lost time.
void Session::run_loop() {
  Clock::time_point next = Clock::now(), measured = next;
  double measured_time = 0;
  bool unseen = false;
  std::unique_lock lock(mutex_);
  while (true) {
    const auto runs = [&] { return (!paused_ || pending_.single_steps > 0) && !broken_; };
    const auto has_work = [&] {
      return ending_ || pending_.view || pending_.pour || !pending_.inputs.empty() || !recordings_.empty() ||
             runs();
    };
    if (!has_work() && unseen) {  // shows the last step before a pause
      lock.unlock();
      show_now();
      lock.lock();
      unseen = false;
      continue;
    }
    if (!has_work()) {
      wake_.wait(lock, has_work);
      next = measured = Clock::now();
      measured_time = simulation_.time();
      pace_ = 0;
    }
    const bool single = paused_ && pending_.single_steps > 0;
    if (runs() && !single && Clock::now() < next) wake_.wait_until(lock, next, [&] { return ending_; });
    std::vector<RecordingRequest> recordings = std::exchange(recordings_, {});
    const bool ending = ending_, steps = runs() && !ending;
    PendingCommands commands = pending_;
    pending_.inputs.clear();
    pending_.view.reset();
    pending_.pour.reset();
    if (single) --pending_.single_steps;
    if (!paused_) pending_.single_steps = 0;
    lock.unlock();

    do_now(commands, steps);
    record(std::move(recordings));
    if (ending) return;
    if (steps) {
      const auto dt =
          std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(simulation_.dt()));
      next = std::max(next + dt, Clock::now() - dt);
      const std::chrono::duration<double> since = Clock::now() - measured;
      if (since.count() > 0.5) {
        pace_ = (simulation_.time() - measured_time) / since.count();
        measured = Clock::now();
        measured_time = simulation_.time();
      }
    }
    lock.lock();
    if (broken_) unseen = false;
    if (broken_) continue;  // the state may be impossible to draw
    unseen = !taken_ && runs();
    if (unseen) continue;
    lock.unlock();
    show_now();
    lock.lock();
  }
}

void Session::do_now(const PendingCommands& commands, bool steps) {
  for (const Input& input : commands.inputs) attempt(input);
  if (commands.pour) pour(*commands.pour);
  if (commands.view) look(*commands.view, commands.aspect);
  if (!steps) return;
  if (commands.push) {
    PushInput push = *commands.push;
    push.lasting = simulation_.dt();
    attempt({0, push});
  }
  if (commands.drag && commands.drag != dragged_to_) {
    dragged_to_ = commands.drag;
    attempt({0, DragInput{*commands.drag}});
  }
  take_step();
}

void Session::look(const ViewOptions& view, double aspect) {
  try {
    auto made = std::make_unique<RunView>(shown_, view, aspect);
    made->survey(shown_, false);
    made->go_on_from(*view_);
    view_ = std::move(made);
    view_options_ = view;
    aspect_ = aspect;
  } catch (...) {
    post_message(thrown());
  }
}

/// Returns whether it was possible.
bool Session::attempt(const Input& input) {
  if (broken()) {
    post_message("The run has stopped. Press R to restart.");
    return false;
  }
  try {
    simulation_.act(input);
    shown_.find_sources();
    const std::lock_guard lock(mutex_);
    unsaved_ = true;
    return true;
  } catch (...) {
    post_message(thrown());
    return false;
  }
}

/// The source may have been removed from the list meanwhile.
void Session::pour(const std::optional<SourceInput>& source) {
  for (const ShownSource& shown : shown_.sources())
    if (!shown.is_push && shown.number == poured_) attempt({0, RemoveInput{.source = poured_}});
  poured_ = 0;
  if (source && attempt({0, *source}))
    poured_ = static_cast<int>(simulation_.world().coupling(0)->sources().size());
}

void Session::take_step() {
  StageClock clock;
  const auto begin = Clock::now();
  std::string trouble;
  try {
    if (const StepReport report = simulation_.step(clock); !report.ok) trouble = report.reason;
  } catch (...) {
    trouble = thrown();
  }
  step_seconds_ = std::chrono::duration<double>(Clock::now() - begin).count();
  for (int stage = 0; stage < stage_count; ++stage)
    stages_[static_cast<std::size_t>(stage)] = clock.seconds(static_cast<Stage>(stage));
  if (trouble.empty()) trouble = diagnostics_.instability(diagnostics_.energy_between_rows());
  if (trouble.empty()) try {
      view_->follow(shown_);
    } catch (...) {
      trouble = thrown();
    }
  if (!trouble.empty()) break_off(trouble);
}

void Session::break_off(const std::string& reason) {
  const std::lock_guard lock(mutex_);
  stop_ = fmt::format("stopped at t = {:.4g} s: {}", simulation_.time(), reason);
  message_ = fmt::format("Stopped at t = {:.4g} s: {}. Press R to restart.", simulation_.time(), reason);
  broken_ = true;
}

/// If drawing fails the session ends, but not the program, so that the session can still be recorded.
void Session::show_now() {
  try {
    publish();
  } catch (...) {
    break_off(thrown());
  }
}

void Session::publish() {
  auto moment = std::make_shared<FrameSnapshot>();
  if (changes_seen_ != simulation_.changes()) {  // the new scheme may lack the displayed field
    changes_seen_ = simulation_.changes();
    ViewOptions view = view_options_;
    if (!simulation_.water().has_velocity()) view.vectors = false;
    const std::vector<ShownField> fields = fields_of(shown_);
    if (std::none_of(fields.begin(), fields.end(),
                     [&](const ShownField& field) { return field.name == view.field; }))
      view.field = "elevation";
    look(view, aspect_);
  }
  moment->aspect = aspect_;
  shown_.find_sources();
  look_at(shown_, *view_, *moment);
  const ShallowWater& water = simulation_.water();
  moment->time = simulation_.time();
  moment->dt = simulation_.dt();
  moment->steps = simulation_.steps_done();
  moment->mass = water.density() * water.total_volume();
  moment->energy = water.energy().total();
  moment->limited_accelerations = water.limited_accelerations();
  moment->stages = stages_;
  moment->step_seconds = step_seconds_;
  moment->pace = pace_;
  moment->configuration = simulation_.present_configuration();
  if (const ClipMixer* clips = simulation_.clips())
    for (Index i = 0; i < static_cast<Index>(clips->clips().size()); ++i)
      moment->clips.push_back({clips->clips()[static_cast<std::size_t>(i)].name,
                               clips->weight(i, moment->time), clips->holds(i)});
  const std::lock_guard lock(mutex_);
  latest_ = std::move(moment);
  taken_ = false;
}

}  // namespace shoal
