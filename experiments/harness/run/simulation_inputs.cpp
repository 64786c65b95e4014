// The effects and times of inputs.
#include "experiments/harness/run/simulation.hpp"
#include "experiments/motions/clip_mixer.hpp"
#include "solvers/coupling/solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace shoal {

void Simulation::act(Input input) {
  input.time = time();
  input =
      parse_inputs(to_text(input)).front();  // within the limits of its kind, as the recording will be read
  do_now(input, world_->time());
}

void Simulation::do_now(const Input& input, double now) {
  std::visit([&](const auto& action) { take(action, now); }, input.action);
  done_.all.push_back(input);
}

namespace {

/// The name of a body that enters by an input, after so many others.
std::string name_of_thrown(Index others) {
  return fmt::format("thrown-{}", others + 1);
}

}  // namespace

void Simulation::throw_body(const ThrowInput& input, double begin) {
  BodyEntrance entrance{.body = {.name = name_of_thrown(world_->entrances().size()),
                                 .density = input.density,
                                 .velocity = input.velocity,
                                 .angular_velocity = input.spin},
                        .begin = begin};
  entrance.body.pose.position = input.at;
  if ((input.shape == BodyShape::mesh) == input.file.empty())
    throw Error("body=mesh requires file=FILE, a closed mesh, and other bodies have no file");
  if (input.shape == BodyShape::ball) {
    entrance.body.solid = std::make_shared<Ball>(0.5 * input.size);
  } else if (input.shape == BodyShape::box) {
    entrance.body.solid = std::make_shared<Box>(Vector3::Constant(input.size));
  } else {
    auto& solid = thrown_meshes_[{input.file, input.size}];
    if (!solid) solid = read_solid(input.file, input.size);
    entrance.body.solid = solid;
    entrance.body.pose.rotation = solid->rest().rotation;
  }
  world_->add(entrance);
}

namespace {

Source source_of(const SourceInput& input, double begin) {
  const SourceInput none;
  if (input.divergence != 0 && (input.radius != none.radius || input.discharge != none.discharge))
    throw Error("a source has either a divergence, or a radius and a discharge");
  return {.point = input.at,
          .radius = input.radius,
          .discharge = input.discharge,
          .divergence = input.divergence,
          .interval = {begin, begin + input.lasting}};
}

Push push_of(const PushInput& input, double begin) {
  return {.point = input.at,
          .acceleration = input.acceleration,
          .width = input.width,
          .interval = {begin, begin + input.lasting}};
}

void require_one_removed(const RemoveInput& input) {
  const int given = (input.source > 0) + (input.push > 0) + !input.body.empty();
  if (given != 1) throw Error("give either source=NUMBER, push=NUMBER or body=NAME");
}

}  // namespace

void Simulation::take(const SourceInput& input, double now) {
  const Source source = source_of(input, now);
  if (!restoring_) require_reach(source, discretization());
  world_->add(0, source);
}

void Simulation::take(const PushInput& input, double now) {
  world_->add(0, push_of(input, now));
}

void Simulation::take(const RemoveInput& input, double now) {
  require_one_removed(input);
  if (restoring_ && !input.body.empty()) return;  // the bodies are saved
  if (input.source > 0)
    world_->end_source(0, static_cast<std::size_t>(input.source - 1), now);
  else if (!input.body.empty())
    world_->remove_body(input.body);
  else
    world_->end_push(0, static_cast<std::size_t>(input.push - 1), now);
}

void Simulation::require_movable() const {
  if (surface().mesh.periodic()) throw Refusal("the mesh is periodic and cannot move");
}

void Simulation::take(const DragInput& input, double /*now*/) {
  require_movable();
  const bool first = !scene_.motion;
  drag_->go_to(input.to, time());
  if (first) {
    scene_.motion = [path = drag_, rest = surface().x](double now, Points& x) {
      x = rest.colwise() + path->at(now);
    };
    water_->follow(scene_.motion, dt());
  }
  water_->motion_bends(time());
}

ClipMixer& Simulation::mixer() const {
  if (!clips_.mixer) throw Error("the surface has no clips; use motion = skin");
  return *clips_.mixer;
}

namespace {

ClipCommand command_of(const ClipInput& input, const ClipMixer& mixer) {
  return {.kind = ClipCommand::cycle,
          .clip = mixer.find(input.name),
          .weight = input.weight,
          .delay = input.delay};
}

ClipCommand command_of(const ActionInput& input, const ClipMixer& mixer) {
  return {.kind = ClipCommand::action,
          .clip = mixer.find(input.name),
          .weight = input.weight,
          .delay = input.delay,
          .delay_out = input.delay,
          .hold = input.hold};
}

ClipCommand command_of(const ClipSpeedInput& input, const ClipMixer& /*mixer*/) {
  return {.kind = ClipCommand::speed, .delay = input.delay, .value = input.speed};
}

/// The command of an input that is applied at that time. Commands of clips are in the order of their times, and those of the motion
/// are known from the start. So is the initial pose, from which an input would make the surface jump even at t = 0.
template <class ClipAction>
ClipCommand clip_command(const ClipAction& input, const ClipMixer& mixer, double time) {
  ClipCommand command = command_of(input, mixer);
  command.time = time;
  if (time < mixer.last_time())
    throw Error(fmt::format(
        "clips, actions and freeze set the clips until {0} s, and inputs may set them from {0} s on",
        mixer.last_time()));
  mixer.check(command);
  if (command.kind != ClipCommand::speed && command.delay == 0)
    throw Error(fmt::format(
        "without delay it would make the surface jump from its initial pose; give at least {} s, or "
        "start the clip by the parameters clips and blend_delay",
        ClipMixer::min_delay));
  return command;
}

}  // namespace

void Simulation::command_clips(const ClipCommand& command) {
  mixer().add(command);
  water_->motion_bends(command.time);
  water_->motion_bends(command.time + command.delay);
}

void Simulation::take(const ClipInput& input, double /*now*/) {
  command_clips(clip_command(input, mixer(), time()));
}

void Simulation::take(const ActionInput& input, double /*now*/) {
  command_clips(clip_command(input, mixer(), time()));
}

void Simulation::take(const ClipSpeedInput& input, double /*now*/) {
  command_clips(clip_command(input, mixer(), time()));
}

/// The reason why the integrator of the configuration does not support sources, or "".
std::string Simulation::reason_for_no_sources(const RunConfiguration& c) const {
  const IntegratorEntry& integrator = catalog_.integrators.find(c.integrator);
  const std::string drift = integrator.mass_drift(parameters_of(catalog_, c));
  return drift.empty() ? "" : integrator.name + " does not support sources: " + drift;
}

RunConfiguration Simulation::change_of(const RunConfiguration& configuration,
                                       const ChangeInput& input) const {
  RunConfiguration next = changed(catalog_, configuration, input);
  for (const auto& [name, value] : input.values)
    if (!can_change(catalog_, next, name))
      throw Error(
          fmt::format("'{}' belongs to the scene or the motion and cannot be changed during a run", name));
  if (input.names("depth") &&
      !all(discretization().mesh(), (bed_.array() == std::get<double>(*parameters_.value("depth"))).all()))
    throw Error(
        "'depth' can be changed during a run only where it is the uniform depth of the bed; here the bed is "
        "a field");
  return next;
}

/// If the input changes the scheme without giving substeps, their number is that of `auto` at this instant. In a run that chooses
/// its steps, a new integrator uses its default substeps, and the length of the next step is chosen anew.
void Simulation::take(const ChangeInput& input, double now) {
  const RunConfiguration next = change_of(present_, input);
  const Parameters parameters = parameters_of(catalog_, next);
  const std::string no_sources = reason_for_no_sources(next);
  for (const Source& source : world_->coupling(0)->sources())
    if (!no_sources.empty() && source.interval.begin <= now && now < source.interval.end)
      throw Refusal(no_sources);
  world_->configure(0, read_options<CouplingOptions>(parameters));
  ShallowWaterSetting setting = water_setting(next, parameters);
  setting.substeps = *next.substeps;
  setting.substeps_per_renewal = substeps_per_renewal(setting);
  std::optional<double> depth;
  if (input.names("depth")) depth = std::get<double>(*parameters.value("depth"));
  try {
    water_->change(setting, depth);
  } catch (...) {
    world_->configure(0, read_options<CouplingOptions>(parameters_));
    throw;
  }
  scene_.density = water_->density();
  if (depth) {
    scene_.bed_depth = [depth = *depth](const Vector3&) { return depth; };
    bed_.setConstant(*depth);
    world_->set_bed(0, bed_);
  }
  const ParameterInfos of_steps = step_parameters();
  std::map<std::string, Value> kept;
  for (const ParameterInfo& info : of_steps)
    if (const Value* value = parameters_.value(info.name)) kept[info.name] = *value;
  parameters_ = parameters;
  if (adaptive()) parameters_.merge(Parameters(of_steps, kept));
  const bool is_other = next.integrator != present_.integrator;
  present_ = next;
  ++changes_;
  if (input.names("discretization")) mode_.reset();  // it belongs to the previous scheme
  const IntegratorEntry& integrator = catalog_.integrators.find(next.integrator);
  const bool has_substeps = integrator.default_substeps > 0;
  if (adaptive()) {
    if (is_other && has_substeps && !input.names("substeps")) present_.substeps = integrator.default_substeps;
  } else if ((input.names("discretization") || input.names("integrator")) && !input.names("substeps") &&
             has_substeps) {
    const double substep = StepOptions().safety * water_->stable_dt();
    constexpr double max_substeps = 1e6;
    present_.substeps = static_cast<int>(std::clamp(std::ceil(dt() / substep), 1.0, max_substeps));
  }
  substeps_ = *present_.substeps;
  set_substeps();
  if (adaptive() && !restoring_) choose_steps_anew();
}

namespace {

bool removes_a_body(const Input& input) {
  const auto* removal = std::get_if<RemoveInput>(&input.action);
  return removal && !removal->body.empty();
}

/// Whether the input acts from its exact time, even within a step.
bool acts_within_steps(const Input& input) {
  return std::holds_alternative<SourceInput>(input.action) ||
         std::holds_alternative<PushInput>(input.action) ||
         (std::holds_alternative<RemoveInput>(input.action) && !removes_a_body(input));
}

/// The bodies of a run by name, as its inputs change them.
class ExpectedBodies {
 public:
  explicit ExpectedBodies(const BodiesSetting& scene) {
    for (const BodyEntrance& entrance : scene.entrances) begins_[entrance.body.name] = entrance.begin;
  }
  void add(double time) { begins_[name_of_thrown(static_cast<Index>(begins_.size()))] = time; }
  void remove(const std::string& name, double time) {
    const auto found = begins_.find(name);
    if (found == begins_.end()) {
      std::vector<std::string> names;
      for (const auto& [other, begin] : begins_) names.push_back(other);
      throw Error(names.empty() ? fmt::format("body '{}' does not exist", name)
                                : fmt::format("body '{}' does not exist; bodies so far: {}{}", name,
                                              join(names), did_you_mean(name, names)));
    }
    if (removed_.contains(name)) throw Error(fmt::format("body '{}' has been removed already", name));
    if (time < found->second) throw Error(fmt::format("body '{}' enters only at {} s", name, found->second));
    removed_.insert(name);
  }

 private:
  std::map<std::string, double> begins_;
  std::set<std::string> removed_;
};

}  // namespace

/// Refuses inputs that are certain to fail, before the run begins: an unknown source, clip or parameter, or a scheme that is
/// incompatible with the other parts, the surface or its forces. To check the latter, a separate ShallowWater undergoes all changes
/// at t = 0. On a moving surface, errors that depend on its later shape are found only during the run.
void Simulation::rehearse_inputs(const Points& start) const {
  RunConfiguration c = present_;
  Coupling coupling(*scene_.coupling, Vector());
  ExpectedBodies bodies(scene_.bodies);
  std::optional<TimedForces> forces;
  std::unique_ptr<ShallowWater> water;
  std::vector<const Input*> sources(coupling.sources().size());  // null: a source of the scene
  struct Period {
    double begin;
    const Input* change;       ///< the change that begins the period; null: the start of the run
    std::string no_sources{};  ///< the reason why its integrator supports none, or ""
  };
  std::vector<Period> periods;
  const auto begin_period = [&](double begin, const Input* change) {
    periods.push_back({begin, change, reason_for_no_sources(c)});
  };
  begin_period(0, nullptr);

  // Fixed steps apply them at the beginning of the nearest one.
  const auto check_clips = [&](const Input& input, const auto& action) {
    clip_command(action, mixer(), chooses_dt_ ? input.time : std::floor(input.time / dt() + 0.5) * dt());
  };

  const auto go_through = [&](const Input& input) {
    const double now = input.time;
    if (const auto* source = std::get_if<SourceInput>(&input.action)) {
      if (!moves()) require_reach(source_of(*source, now), discretization());
      coupling.add(source_of(*source, now));
      sources.push_back(&input);
    } else if (const auto* push = std::get_if<PushInput>(&input.action)) {
      coupling.add(push_of(*push, now));
    } else if (std::holds_alternative<ThrowInput>(input.action)) {
      bodies.add(now);
    } else if (const auto* removal = std::get_if<RemoveInput>(&input.action)) {
      require_one_removed(*removal);
      if (removal->source > 0)
        coupling.end_source(static_cast<std::size_t>(removal->source - 1), now);
      else if (!removal->body.empty())
        bodies.remove(removal->body, now);
      else
        coupling.end_push(static_cast<std::size_t>(removal->push - 1), now);
    } else if (std::holds_alternative<DragInput>(input.action)) {
      require_movable();
    } else if (const auto* clip = std::get_if<ClipInput>(&input.action)) {
      check_clips(input, *clip);
    } else if (const auto* action = std::get_if<ActionInput>(&input.action)) {
      check_clips(input, *action);
    } else if (const auto* speed = std::get_if<ClipSpeedInput>(&input.action)) {
      check_clips(input, *speed);
    } else if (const auto* change = std::get_if<ChangeInput>(&input.action)) {
      c = change_of(c, *change);
      begin_period(now, &input);
      if (moves()) return;
      if (!water) {
        water = make_water(start, [&](const Discretization& scheme, const Forces& acting) {
          return scene_.discrete_initial_state ? scene_.discrete_initial_state(scheme, acting).state
                                               : scheme.project(scene_.initial);
        });
        if (!scene_.forces.empty()) water->add_term(forces.emplace(scene_.forces));
        if (scene_.advecting_velocity) water->set_advecting_velocity(scene_.advecting_velocity);
      }
      water->change(water_setting(c, parameters_of(catalog_, c)));
    }
  };
  for (const Input& input : inputs_) with_input(input, [&] { go_through(input); });

  for (std::size_t i = 0; i < periods.size(); ++i) {
    const Period& period = periods[i];
    const double end =
        i + 1 < periods.size() ? periods[i + 1].begin : std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < sources.size() && !period.no_sources.empty(); ++k) {
      const Interval& on = coupling.sources()[k].interval;
      if (!(std::fmax(on.begin, period.begin) < std::fmin(on.end, end))) continue;
      const Input* later = sources[k] && on.begin > period.begin ? sources[k] : period.change;
      if (!later) later = sources[k];
      if (later) with_input(*later, [&] { throw Refusal(period.no_sources); });
    }
  }
}

/// Whether the input must be applied at the beginning of the next step: of the step within which it acts; if it removes a body, of the
/// first step that begins at its time or later, as bodies enter; for other inputs, of the nearest one. Chosen steps begin exactly at
/// the time of the input.
bool Simulation::is_due(const Input& input) const {
  if (adaptive()) return steps_.reached(input.time);
  if (removes_a_body(input)) return input.time * just_before <= world_->time();
  if (!acts_within_steps(input)) return input.time < time() + 0.5 * dt();
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  return input.time < (time() + dt()) * (1 - rounding);
}

/// The instant of the input in the world's time.
double Simulation::instant_of(const Input& input) const {
  const double now = world_->time();
  return acts_within_steps(input) ? now + (input.time - time()) : now;
}

/// Bodies to be thrown are known from the start.
void Simulation::do_planned(std::size_t number, double now) {
  Input input = inputs_[number];
  const bool is_throw = std::holds_alternative<ThrowInput>(input.action);
  if (!acts_within_steps(input) && !is_throw) input.time = time();
  if (is_throw)
    done_.all.push_back(input);
  else
    do_now(input, now);
  done_.is_done[number] = true;
  while (done_.next < inputs_.size() && done_.is_done[done_.next]) ++done_.next;
}

/// In the order of their times, except for inputs that wait for the nearest step.
void Simulation::do_due_inputs() {
  for (std::size_t i = done_.next; i < inputs_.size(); ++i) {
    if (done_.is_done[i] || !is_due(inputs_[i])) continue;
    try {
      const double now = instant_of(inputs_[i]);
      do_planned(i, now);
      done_.numbers.push_back(static_cast<double>(i));
      done_.steps.push_back(static_cast<double>(steps_done()));
      done_.starts.push_back(time());
      done_.times.push_back(now);
    } catch (const Error& error) {
      throw Error(invalid_input(inputs_[i], error));
    }
  }
}

}  // namespace shoal
