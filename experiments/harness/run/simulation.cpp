// Setting up a run, choosing its step, and counting its steps.
#include "experiments/harness/run/simulation.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/formats/reader.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "experiments/harness/fields/given_fields.hpp"
#include "experiments/harness/run/missing_water.hpp"
#include "experiments/harness/run/motion_files.hpp"
#include "experiments/motions/clip_mixer.hpp"
#include "experiments/scenes/given_fields.hpp"
#include "solvers/archive.hpp"
#include "solvers/coupling/solid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {

namespace {

constexpr double step_after_corner =
    0.25;  // of what the water allows that has not yet felt it; then steps grow by dt_growth
constexpr double times_apart = 1e-9;  // of the end: times that are nearer are not told apart

bool is_sphere(const Surface& surface) {
  const Vector radius = surface.x.colwise().norm();
  return surface.mesh.closed() && radius.maxCoeff() - radius.minCoeff() <= 1e-6 * radius.maxCoeff();
}

bool is_uniform(const ScalarField& bed_depth, const Surface& surface) {
  const double first = bed_depth(surface.x.col(0));
  for (Eigen::Index i = 1; i < surface.x.cols(); ++i)
    if (bed_depth(surface.x.col(i)) != first) return false;
  return true;
}

/// The references of a scene whose surface goes straight on: relative to it the water does what it does at rest.
void translate_references(SceneInstance& scene, const Surface& surface) {
  Points after;
  scene.motion(1, after);
  const Vector3 velocity = after.col(0) - surface.x.col(0);  // m in 1 s
  for (Reference& reference : scene.references) {
    reference.depth = [at_rest = reference.depth, velocity](const Points& points, double time,
                                                            Vector& depth) {
      at_rest(points.colwise() - time * velocity, time, depth);
    };
    if (!reference.velocity) continue;
    reference.velocity = [at_rest = reference.velocity, velocity](const Vector3& x, double time) {
      return at_rest(x - time * velocity, time);
    };
  }
}

/// The scene on its surface, which moves as it does itself or as the configuration says.
SceneInstance place_scene(const Catalog& catalog, const RunConfiguration& c, const Surface& surface,
                          const Geometry& geometry, const Parameters& parameters, ClipMotion& clips) {
  SceneInstance scene = shoal::make_scene(catalog.scenes.find(c.scene), surface, geometry, parameters);
  scene.choose_solution(c.advection != "none");
  if (!c.boundaries.empty()) {
    scene.forcing.boundaries = parse_boundaries(c.boundaries);
    scene.drop_references("it holds between the scene's own boundaries");
  }
  if (read_options<ShallowWaterOptions>(parameters).friction > 0 &&
      std::any_of(scene.references.begin(), scene.references.end(),
                  [](const Reference& one) { return !one.still && !one.friction; }))
    scene.drop_references("it holds without friction");
  if (surface.mesh.periodic() && (scene.motion || c.motion != "none"))
    throw Refusal("mesh '" + surface.name + "' is periodic and cannot move");
  if (c.motion == "none") return scene;
  if (scene.motion)
    throw Refusal(
        fmt::format("scene '{}' moves its surface itself, motion = {} cannot be added", c.scene, c.motion));
  const MotionEntry& motion = catalog.motions.find(c.motion);
  if (motion.make_of_clips) {
    clips = motion.make_of_clips(surface, parameters);
    scene.motion = clips.motion;
  } else {
    scene.motion = motion.make(surface, parameters, static_cast<std::uint64_t>(c.seed));
  }
  if (motion.uniform) {
    if (read_options<InertiaOptions>(parameters).continued)
      translate_references(scene, surface);
    else
      scene.drop_references("it holds on a surface that has always moved so, onset = continued");
    if (!scene.forcing.rotation.isZero(0))
      scene.drop_references("it holds where the surface does not move in a frame that rotates");
    return scene;
  }
  if (!motion.stays_on_sphere || !is_sphere(surface)) {
    scene.drop_references("it holds on the surface at rest");
    return scene;
  }
  scene.starts_absolute = true;  // in space all is as on a mesh at rest
  for (Reference& reference : scene.references) reference.absolute = true;
  if (!is_uniform(scene.bed_depth, surface)) scene.drop_references("the bed moves with the mesh");
  return scene;
}

/// With the fields that the user gives.
SceneInstance make_scene(const Catalog& catalog, const RunConfiguration& c, const Surface& surface,
                         const Geometry& geometry, const Parameters& parameters, ClipMotion& clips) {
  SceneInstance scene = place_scene(catalog, c, surface, geometry, parameters, clips);
  give_fields(parameters, surface, geometry, scene);
  return scene;
}

bool is_forced(const SceneInstance& scene) {
  return scene.coupling || scene.forcing.body_acceleration.size() ||
         std::any_of(scene.forces.begin(), scene.forces.end(),
                     [](const TimedForce& force) { return force.works; }) ||
         (scene.forcing.normal_acceleration.array() != -scene.gravity).any();
}

const LinearSolverEntry* linear_solver(const Catalog& catalog, const RunConfiguration& c) {
  return c.linear_solver.empty() ? nullptr : &catalog.linear_solvers.find(c.linear_solver);
}

/// A mistake in what this key says.
template <class Body>
void with_setting(const std::string& key, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    throw SettingError(key, key + ": " + error.what());
  }
}

/// Water and bodies can be acted upon, and the surface dragged along `path`.
void prepare_for_inputs(const RunConfiguration& c, const Parameters& parameters,
                        const std::shared_ptr<DragPath>& path, SceneInstance& scene) {
  scene.drop_references("it holds where nobody acts on the water");
  if (!scene.coupling) scene.coupling.emplace();
  scene.coupling->configure(read_options<CouplingOptions>(parameters));
  if (scene.bodies.entrances.empty())
    scene.bodies.gravity =
        -scene.gravity * (stands_along_y(c.mesh) ? Vector3::UnitY() : Vector3::UnitZ()).eval();
  if (!scene.motion) return;
  scene.motion = [base = std::move(scene.motion), path](double time, Points& x) {
    base(time, x);
    if (!path->empty()) x.colwise() += path->at(time);
  };
}

}  // namespace

Simulation::Simulation(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface)
    : Simulation(catalog, configuration, surface, make_geometry(surface.mesh, surface.x)) {}

Simulation::Simulation(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
                       const Geometry& geometry)
    : catalog_(catalog),
      surface_(surface),
      configuration_(configuration),
      present_(configuration),
      inputs_(parse_inputs(configuration.inputs)),
      input_done_(inputs_.size()),
      parameters_(parameters_of(catalog, configuration)),
      scene_(make_scene(catalog, configuration, surface, geometry, parameters_, clips_)) {
  if (!configuration.inputs.empty()) prepare_for_inputs(configuration, parameters_, drag_, scene_);
  const auto initial = [&](const Discretization& discretization, const Forces& forces) {
    if (!scene_.discrete_initial_state) return discretization.project(scene_.initial);
    DiscreteInitialState start = scene_.discrete_initial_state(discretization, forces);
    mode_ = std::move(start.mode);
    return std::move(start.state);
  };
  Points start = surface.x;
  if (clips_.mixer && clips_.mixer->acts(0)) scene_.motion(0, start);  // then it stands in a clip's pose
  water_ = make_water(start, initial);
  if (!scene_.forces.empty()) water_->add_term(forces_.emplace(scene_.forces));
  Vector bed(surface.mesh.vertex_count);
  for (Index i = 0; i < bed.size(); ++i) bed[i] = scene_.bed_depth(start.col(i));
  world_.emplace(scene_.bodies);
  world_->add(*water_, scene_.coupling, std::move(bed));
  if (scene_.coupling)
    for (const Source& source : scene_.coupling->sources)
      with_setting(source.parameter, [&] { require_reach(source, discretization().cells()); });
  // Known from the start, so that results have columns for them. Steps add up their times with round-off.
  constexpr double just_before = 1 - 1e-9;
  for (const Input& input : inputs_)
    if (const auto* body = std::get_if<ThrowInput>(&input.action))
      with_setting("inputs", [&] { throw_body(*body, input.time * just_before); });
  energy_scale_ = scene_.density * scene_.gravity * scene_.depth * scene_.depth *
                  discretization().geometry().total_area();
  end_ = configuration.end.value_or(scene_.end);
  choose_step(configuration);
  drop_expensive_references(configuration);
  water_->set_substeps(substeps_);
  for (RunConfiguration* one : {&configuration_, &present_}) {
    one->dt = dt_;
    one->substeps = substeps_;
    for (const char* choice : {"safety", "dt_growth", "dt_least"}) one->parameters.erase(choice);
  }
  if (scene_.advecting_velocity) {
    if (!added_advection(catalog, configuration))
      throw Refusal("scene '" + configuration.scene +
                    "' needs an advection that is a transport, and a scheme with a velocity vector per "
                    "triangle (list advections): nothing "
                    "else happens in it");
    water_->set_advecting_velocity(scene_.advecting_velocity);
  }
  if (scene_.motion) water_->follow(scene_.motion, dt_, motion_files(catalog, configuration).empty());
  set_thread_count(configuration.threads);
  if (!inputs_.empty()) rehearse_inputs(start);
}

ShallowWaterSetting Simulation::water_setting(const RunConfiguration& c, const Parameters& parameters) const {
  return {.discretization = catalog_.discretizations.find(c.discretization),
          .integrator = catalog_.integrators.find(c.integrator),
          .linear_solver = linear_solver(catalog_, c),
          .advection = added_advection(catalog_, c),
          .splitting = &catalog_.splittings.find(c.splitting),
          .parameters = parameters,
          .density = scene_.density,
          .forced = is_forced(scene_),
          .starts_absolute = scene_.starts_absolute};
}

std::unique_ptr<ShallowWater> Simulation::make_water(
    const Points& start, const std::function<State(const Discretization&, const Forces&)>& initial) const {
  return std::make_unique<ShallowWater>(surface_.mesh, start, scene_.bed_depth, scene_.forcing,
                                        water_setting(configuration_, parameters_), initial);
}

/// With the parameter `safety`; on a surface that moves the smallest of many instants of the run, volumes
/// carried along. Instants at which the surface or the scheme fails are skipped: the run will end there. Meanwhile dry
/// cells, whose step would be unlimited, are filled.
double Simulation::stable_substep() {
  Archive start;
  const Vector missing = missing_water(scene_, *water_).volume;
  if (missing.size()) {
    water_->save(start);
    water_->exchange(missing, Points(3, 0));
  }
  double stable = water_->stable_dt();
  if (scene_.motion) {
    constexpr int instants = 64;
    for (int i = 1; i <= instants; ++i) {
      // Multiples of the golden section are in resonance with no period.
      const double part = i * (std::numbers::phi - 1), within = part - std::floor(part);
      scene_.motion(end_ * within, positions_);
      try {
        stable = std::fmin(stable, water_->stable_dt_at(positions_));
      } catch (const Error&) {
        continue;
      }
    }
    positions_.resize(3, 0);
  }
  if (missing.size()) water_->restore(start);
  gains_water_ = missing.size() > 0;
  return read_options<StepOptions>(parameters_).safety * stable;
}

void Simulation::choose_step(const RunConfiguration& configuration) {
  const int default_substeps =
      std::max(1, catalog_.integrators.find(configuration.integrator).default_substeps);
  substeps_ = configuration.substeps.value_or(default_substeps);
  chooses_dt_ = !configuration.dt;
  if (!configuration.dt || !configuration.substeps) {
    const double substep = stable_substep();
    if (!std::isfinite(substep) || substep <= 0)
      throw Error(
          fmt::format("dt or substeps = auto: the scheme gives no time step ({} s); give numbers", substep));
    dt_ = configuration.dt.value_or(std::fmin(
        substep * substeps_, read_options<StepOptions>(parameters_).safety * world_->bodies_stable_dt()));
    if (!configuration.substeps && configuration.dt) {
      const double needed =
          std::max(1.0, std::ceil(dt_ / substep));  // which is 0 where dt/substep underflows
      if (needed > 1e6)
        throw SettingError("substeps",
                           fmt::format("substeps = auto: dt = {} s needs {} substeps", dt_, needed));
      substeps_ = static_cast<int>(needed);
    }
  } else {
    dt_ = *configuration.dt;
  }
  if (end_ / dt_ > 1e12)
    throw SettingError(
        "dt", fmt::format("{} s is too short a step for an end at {} s: at most 1e12 steps are allowed", dt_,
                          end_));
  steps_ = step_count(end_, dt_);
  longest_dt_ = shortest_dt_ = dt_;
}

void Simulation::follow_water(std::vector<double> times) {
  if (!chooses_dt_) return;
  follows_water_ = true;
  corners_ = boundary_corners();
  times.push_back(end_);
  std::vector<std::pair<double, bool>> all;
  for (const double time : times) all.emplace_back(time, true);
  for (const double time : times_of_acting()) all.emplace_back(time, false);
  std::sort(all.begin(), all.end());
  times_.clear();
  given_.clear();
  const double apart = times_apart * end_;
  for (const auto& [time, given] : all) {
    if (time <= apart || time > end_ || (time != end_ && time >= end_ - apart)) continue;
    const bool is_new = times_.empty() || time - times_.back() > apart;
    if (is_new) {
      times_.push_back(time);
      given_.push_back(given);
    } else if (given && !given_.back()) {  // recorded at the very time that was asked for
      times_.back() = time;
      given_.back() = true;
    }
  }
  first_dt_ = free_dt_ = dt_;
}

/// After a change: as at the start, for the water as it is now. Where that sets no limit the length stays.
void Simulation::choose_step_anew() {
  stable_dt_ = 0;  // was that of another setting
  const double substep = stable_substep();
  if (!(std::isfinite(substep) && substep > 0)) return;
  first_dt_ = free_dt_ = std::fmin(
      substep * substeps_, read_options<StepOptions>(parameters_).safety * world_->bodies_stable_dt());
}

namespace {

/// Where a series turns: its slope changes by more than a part of its largest one.
std::vector<double> corners_of(const TimeSeries& series) {
  constexpr double part = 0.25;
  const std::vector<double>&times = series.times(), &values = series.values();
  std::vector<double> slopes = {0};  // constant before and after
  for (std::size_t i = 0; i + 1 < times.size(); ++i)
    slopes.push_back((values[i + 1] - values[i]) / (times[i + 1] - times[i]));
  slopes.push_back(0);
  double steepest = 0;
  for (const double slope : slopes) steepest = std::max(steepest, std::abs(slope));
  std::vector<double> corners;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (std::abs(slopes[i + 1] - slopes[i]) > part * steepest) corners.push_back(times[i]);
  return corners;
}

}  // namespace

/// Those of the values at boundaries.
std::vector<double> Simulation::boundary_corners() const {
  std::vector<double> times;
  for (const BoundaryCondition& condition : water_->constant_forcing().boundaries)
    for (const TimeSeries* series : {&condition.value, &condition.speed, &condition.tangential})
      if (!series->constant())
        for (const double corner : corners_of(*series)) times.push_back(corner);
  return times;
}

/// Those of inputs, at which sources, pushes and forces begin and end, and at which boundary values turn: what jumps within a step
/// costs its order, and a step that is chosen before it may be too long for what follows.
std::vector<double> Simulation::times_of_acting() const {
  std::vector<double> times = corners_;
  const auto add = [&](double begin, double end) {
    times.push_back(begin);
    if (std::isfinite(end)) times.push_back(end);
  };
  const auto lasting = [](const Input& input) {
    if (const auto* source = std::get_if<SourceInput>(&input.action)) return source->lasting;
    if (const auto* push = std::get_if<PushInput>(&input.action)) return push->lasting;
    return 0.0;
  };
  for (const Input& input : inputs_) add(input.time, input.time + lasting(input));
  for (const TimedForce& force : scene_.forces) add(force.interval.begin, force.interval.end);
  if (!scene_.coupling) return times;
  for (const Source& source : scene_.coupling->sources) add(source.interval.begin, source.interval.end);
  for (const Push& push : scene_.coupling->pushes) add(push.interval.begin, push.interval.end);
  return times;
}

/// The length of the next step into dt_, in which the water may gain speed, or the surface shrink, as it did in the last one. "" or
/// why there is none.
std::string Simulation::choose_next_step() {
  const auto options = read_options<AutoStepOptions>(parameters_);
  const double safety = read_options<StepOptions>(parameters_).safety;
  next_stable_dt_ = stable_dt_;
  next_free_dt_ = free_dt_;
  const bool limited = catalog_.integrators.find(present_.integrator).explicit_terms.has(Term::gravity);
  if (limited) {
    next_stable_dt_ = water_->stable_dt();
    // ω = 1/stable_dt goes on to grow as in the last step: Δt (ω + ω_t Δt) = n for n substeps.
    const double n = safety * substeps_, frequency = 1 / next_stable_dt_;
    const bool has_one_before = stable_dt_ > 0;
    const double growth = has_one_before ? std::fmax(0, frequency - 1 / stable_dt_) / dt_ : 0;
    const double allowed = 2 * n / (frequency + std::hypot(frequency, 2 * std::sqrt(n * growth)));
    double of_bodies = world_->bodies_stable_dt();
    for (int i = 0; i < world_->model_count(); ++i)
      if (const Coupling* coupling = world_->coupling(i))
        of_bodies = std::fmin(of_bodies, coupling->collision().stable_dt());
    next_free_dt_ = std::fmin(allowed, safety * of_bodies);
    next_free_dt_ = std::fmin(next_free_dt_, has_one_before ? options.growth * free_dt_ : free_dt_);
    if (gains_water_) next_free_dt_ = std::fmin(next_free_dt_, first_dt_);
    if (at_corner()) next_free_dt_ *= step_after_corner;
    if (!(next_free_dt_ > 0 && next_free_dt_ >= options.least * first_dt_))
      return fmt::format(
          "cfl: the water allows a step of {:.3g} s, less than {:.3g} (dt_least) times the first of {:.3g} s",
          next_free_dt_, options.least, first_dt_);
  }
  const double rest = times_[next_time()] - time_;
  constexpr double rounding = 1e-9;
  const bool begins = steps_done_ == 0 || met_;  // after a change as well, whose time is met
  if (limited || begins) dt_ = rest / std::fmax(1, std::ceil(rest / next_free_dt_ - rounding));
  met_ = rest < 1.5 * dt_;  // implicit steps keep their length to the last bit, and their matrices
  return "";
}

/// Whether the boundaries begin to do something else now, which the water has yet to feel.
bool Simulation::at_corner() const {
  return std::any_of(corners_.begin(), corners_.end(),
                     [&](double corner) { return std::abs(corner - time_) <= times_apart * end_; });
}

/// Which of the times to be met.
std::size_t Simulation::next_time() const {
  return static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end() - 1, time_) - times_.begin());
}

std::int64_t Simulation::steps() const {
  return follows_water_ ? steps_done_ + static_cast<std::int64_t>(std::ceil((end_ - time_) / dt_ - 1e-9))
                        : steps_;
}

/// Those that a run would wait for: seconds from one row to the next, or minutes in all.
void Simulation::drop_expensive_references(const RunConfiguration& configuration) {
  constexpr double max_of_row = 5e7, max_of_all = 1e10;  // values, of which a second computes about 3e7
  const double last = static_cast<double>(steps_) * dt_;
  const double row = std::min(last, static_cast<double>(configuration.diagnostics_every) * dt_);
  std::vector<std::string> names;
  double rate = 0;
  std::erase_if(scene_.references, [&](const Reference& one) {
    if (one.work_rate == 0 || (one.work_rate * row <= max_of_row && one.work_rate * last <= max_of_all))
      return false;
    names.push_back(one.name.empty() ? "the first" : one.name);
    rate = std::fmax(rate, one.work_rate);
    return true;
  });
  if (names.empty()) return;
  scene_.no_reference = fmt::format(
      "of its references {}: computing them takes {:.3g} values a second of simulated time, at most {:.3g} "
      "from one row of diagnostics to the next and {:.3g} until the end are computed: with diagnostics more "
      "often, or "
      "an earlier end, it is there",
      join(names), rate, max_of_row, max_of_all);
}

std::optional<Amplification> Simulation::mode_amplification() const {
  const IntegratorEntry& integrator = catalog_.integrators.find(present_.integrator);
  if (!mode_ || !integrator.amplification) return {};
  return integrator.amplification({mode_->angular_frequency, dt_, substeps_, parameters_});
}

RunConfiguration Simulation::so_far() const {
  RunConfiguration c = configuration_;
  c.end = static_cast<double>(std::max<std::int64_t>(1, steps_done_ + (failed_ ? 1 : 0))) * dt_;
  std::vector<Input> done = inputs_done_;  // some were done in the step in which they act, before others
  std::stable_sort(done.begin(), done.end(),
                   [](const Input& one, const Input& other) { return one.time < other.time; });
  c.inputs = no_inputs;
  for (const Input& input : done) c.inputs += to_text(input) + "\n";
  return c;
}

Points Simulation::skeleton() const {
  if (!clips_.bones) return Points(3, 0);
  Points ends = clips_.bones(time());
  if (!drag_->empty()) ends.colwise() += drag_->at(time());
  return ends;
}

bool Simulation::moves() const {
  return scene_.motion || std::any_of(inputs_.begin(), inputs_.end(), [](const Input& input) {
           return std::holds_alternative<DragInput>(input.action);
         });
}

void Simulation::act(Input input) {
  input.time = time();
  input =
      parse_inputs(to_text(input)).front();  // within the limits of its kind, as the recording will be read
  do_now(input, world_->time());
}

void Simulation::do_now(const Input& input, double now) {
  std::visit([&](const auto& action) { take(action, now); }, input.action);
  inputs_done_.push_back(input);
}

void Simulation::throw_body(const ThrowInput& input, double begin) {
  BodyEntrance entrance{.body = {.name = fmt::format("thrown-{}", world_->entrances().size() + 1),
                                 .density = input.density,
                                 .velocity = input.velocity,
                                 .angular_velocity = input.spin},
                        .begin = begin};
  entrance.body.pose.position = input.at;
  if (input.shape == BodyShape::ball)
    entrance.body.solid = std::make_shared<Ball>(0.5 * input.size);
  else
    entrance.body.solid = std::make_shared<Box>(Vector3::Constant(input.size));
  world_->add(entrance);
}

namespace {

Source source_of(const SourceInput& input, double begin) {
  return {.point = input.at,
          .radius = input.radius,
          .discharge = input.discharge,
          .interval = {begin, begin + input.lasting}};
}

Push push_of(const PushInput& input, double begin) {
  return {.point = input.at,
          .acceleration = input.acceleration,
          .width = input.width,
          .interval = {begin, begin + input.lasting}};
}

void require_one_removed(const RemoveInput& input) {
  if ((input.source > 0) == (input.push > 0))
    throw Error("of a source and a push one is removed: source=NUMBER or push=NUMBER");
}

}  // namespace

void Simulation::take(const SourceInput& input, double now) {
  const Source source = source_of(input, now);
  if (!restoring_) require_reach(source, discretization().cells());
  world_->add(0, source);
}

void Simulation::take(const PushInput& input, double now) {
  world_->add(0, push_of(input, now));
}

void Simulation::take(const RemoveInput& input, double now) {
  require_one_removed(input);
  if (input.source > 0)
    world_->end_source(0, static_cast<std::size_t>(input.source - 1), now);
  else
    world_->end_push(0, static_cast<std::size_t>(input.push - 1), now);
}

void Simulation::require_movable() const {
  if (surface_.mesh.periodic()) throw Refusal("the mesh is periodic and cannot move");
}

void Simulation::take(const DragInput& input, double /*now*/) {
  require_movable();
  const bool first = !scene_.motion;
  drag_->go_to(input.to, time());
  if (!first) return;
  scene_.motion = [path = drag_, rest = surface_.x](double now, Points& x) {
    x = rest.colwise() + path->at(now);
  };
  water_->follow(scene_.motion, dt_);
}

ClipMixer& Simulation::mixer() const {
  if (!clips_.mixer) throw Error("the surface has no clips: motion = skin has");
  return *clips_.mixer;
}

void Simulation::take(const ClipInput& input, double /*now*/) {
  ClipCommand command{.kind = ClipCommand::cycle, .time = time(), .weight = input.weight};
  command.clip = mixer().find(input.name);
  command.delay = input.delay;
  mixer().add(command);
}

void Simulation::take(const ActionInput& input, double /*now*/) {
  ClipCommand command{.kind = ClipCommand::action, .time = time(), .weight = input.weight};
  command.clip = mixer().find(input.name);
  command.delay = command.delay_out = input.delay;
  mixer().add(command);
}

void Simulation::take(const ClipSpeedInput& input, double /*now*/) {
  ClipCommand command{.kind = ClipCommand::speed, .time = time(), .value = input.speed};
  command.delay = input.delay;
  mixer().add(command);
}

/// Why its integrator takes none, or "".
std::string Simulation::reason_for_no_sources(const RunConfiguration& c) const {
  const IntegratorEntry& integrator = catalog_.integrators.find(c.integrator);
  const std::string drift = integrator.mass_drift(parameters_of(catalog_, c));
  return drift.empty() ? "" : integrator.name + " takes no sources: " + drift;
}

RunConfiguration Simulation::change_of(const RunConfiguration& configuration,
                                       const ChangeInput& input) const {
  RunConfiguration next = changed(catalog_, configuration, input);
  for (const auto& [name, value] : input.values)
    if (!can_change(catalog_, next, name))
      throw Error(fmt::format("'{}' is of scene or motion, and cannot change while the run goes on", name));
  return next;
}

/// Where another scheme is chosen without substeps, they are those of `auto` at this instant; where steps follow the water,
/// whose length then is chosen anew, those that another integrator has by itself.
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
  try {
    water_->change(setting);
  } catch (...) {
    world_->configure(0, read_options<CouplingOptions>(parameters_));
    throw;
  }
  ParameterInfos of_steps = describe_options<StepOptions>();
  for (const ParameterInfo& info : describe_options<AutoStepOptions>()) of_steps.push_back(info);
  std::map<std::string, Value> kept;
  for (const ParameterInfo& info : of_steps)
    if (const Value* value = parameters_.value(info.name)) kept[info.name] = *value;
  parameters_ = parameters;
  if (follows_water_) parameters_.merge(Parameters(of_steps, kept));
  const bool is_other = next.integrator != present_.integrator;
  present_ = next;
  ++changes_;
  if (input.names("discretization")) mode_.reset();  // that of another scheme
  const IntegratorEntry& integrator = catalog_.integrators.find(next.integrator);
  const bool has_substeps = integrator.default_substeps > 0;
  if (follows_water_) {
    if (is_other && has_substeps && !input.names("substeps")) present_.substeps = integrator.default_substeps;
  } else if ((input.names("discretization") || input.names("integrator")) && !input.names("substeps") &&
             has_substeps) {
    const double substep = StepOptions().safety * water_->stable_dt();
    constexpr double most = 1e6;
    present_.substeps = static_cast<int>(std::clamp(std::ceil(dt_ / substep), 1.0, most));
  }
  substeps_ = *present_.substeps;
  water_->set_substeps(substeps_);
  if (follows_water_ && !restoring_) choose_step_anew();
}

namespace {

std::string cannot_be(const Input& input, const Error& error) {
  return fmt::format("the input '{}' cannot be: {}", to_text(input), error.what());
}

/// Whether it is known by its own time, to which a step need not come.
bool acts_within_steps(const Input& input) {
  return std::holds_alternative<SourceInput>(input.action) ||
         std::holds_alternative<PushInput>(input.action) || std::holds_alternative<RemoveInput>(input.action);
}

}  // namespace

/// Refuses what can be known to fail before the run begins: that there is no such source, clip or parameter, that schemes do not
/// go together, or with this surface and what acts on it. For the latter water of its own goes through all changes at t = 0.
/// Where a surface moves, what depends on its shape is seen on the way.
void Simulation::rehearse_inputs(const Points& start) const {
  RunConfiguration c = present_;
  Coupling coupling(*scene_.coupling, Vector());
  std::optional<TimedForces> forces;
  std::unique_ptr<ShallowWater> water;
  std::vector<const Input*> sources(coupling.sources().size());  // null: of the scene
  struct Period {
    double begin;
    const Input* change;       ///< with which it begins; null: the run does
    std::string no_sources{};  ///< why its integrator takes none, or ""
  };
  std::vector<Period> periods;
  const auto begin_period = [&](double begin, const Input* change) {
    periods.push_back({begin, change, reason_for_no_sources(c)});
  };
  begin_period(0, nullptr);

  const auto go_through = [&](const Input& input) {
    const double now = input.time;
    if (const auto* source = std::get_if<SourceInput>(&input.action)) {
      if (!moves()) require_reach(source_of(*source, now), discretization().cells());
      coupling.add(source_of(*source, now));
      sources.push_back(&input);
    } else if (const auto* push = std::get_if<PushInput>(&input.action)) {
      coupling.add(push_of(*push, now));
    } else if (const auto* removal = std::get_if<RemoveInput>(&input.action)) {
      require_one_removed(*removal);
      if (removal->source > 0)
        coupling.end_source(static_cast<std::size_t>(removal->source - 1), now);
      else
        coupling.end_push(static_cast<std::size_t>(removal->push - 1), now);
    } else if (std::holds_alternative<DragInput>(input.action)) {
      require_movable();
    } else if (const auto* clip = std::get_if<ClipInput>(&input.action)) {
      mixer().find(clip->name);
    } else if (const auto* action = std::get_if<ActionInput>(&input.action)) {
      mixer().find(action->name);
    } else if (std::holds_alternative<ClipSpeedInput>(input.action)) {
      mixer();
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
  const auto refuse_as = [](const Input& input, const auto& body) {
    try {
      body();
    } catch (const Refusal& refusal) {
      throw Refusal("inputs: " + cannot_be(input, refusal));
    } catch (const Error& error) {
      throw SettingError("inputs", "inputs: " + cannot_be(input, error));
    }
  };
  for (const Input& input : inputs_) refuse_as(input, [&] { go_through(input); });

  for (std::size_t i = 0; i < periods.size(); ++i) {
    const Period& period = periods[i];
    const double end =
        i + 1 < periods.size() ? periods[i + 1].begin : std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < sources.size() && !period.no_sources.empty(); ++k) {
      const Interval& on = coupling.sources()[k].interval;
      if (!(std::fmax(on.begin, period.begin) < std::fmin(on.end, end))) continue;
      const Input* later = sources[k] && on.begin > period.begin ? sources[k] : period.change;
      if (!later) later = sources[k];
      if (later) refuse_as(*later, [&] { throw Refusal(period.no_sources); });
    }
  }
}

/// At the beginning of a step: of the one within which it acts, or else of the nearest. Steps that follow the water begin at
/// its time.
bool Simulation::is_due(const Input& input) const {
  if (follows_water_) return input.time <= time_ + times_apart * end_;
  if (!acts_within_steps(input)) return input.time < time() + 0.5 * dt_;
  constexpr double rounding = 4 * std::numeric_limits<double>::epsilon();
  return input.time < (time() + dt_) * (1 - rounding);
}

/// By the world's time.
double Simulation::instant_of(const Input& input) const {
  const double now = world_->time();
  return acts_within_steps(input) ? now + (input.time - time()) : now;
}

/// Bodies that are to be thrown are known from the start.
void Simulation::do_planned(std::size_t number, double now) {
  Input input = inputs_[number];
  const bool is_throw = std::holds_alternative<ThrowInput>(input.action);
  if (!acts_within_steps(input) && !is_throw) input.time = time();
  if (is_throw)
    inputs_done_.push_back(input);
  else
    do_now(input, now);
  input_done_[number] = true;
  while (next_input_ < inputs_.size() && input_done_[next_input_]) ++next_input_;
}

/// In the order of their times but for those that wait for the nearest step.
void Simulation::do_due_inputs() {
  for (std::size_t i = next_input_; i < inputs_.size(); ++i) {
    if (input_done_[i] || !is_due(inputs_[i])) continue;
    try {
      const double now = instant_of(inputs_[i]);
      do_planned(i, now);
      input_numbers_.push_back(static_cast<double>(i));
      input_steps_.push_back(static_cast<double>(steps_done_));
      input_starts_.push_back(time());
      input_times_.push_back(now);
    } catch (const Error& error) {
      throw Error(cannot_be(inputs_[i], error));
    }
  }
}

StepReport Simulation::step(StageClock& clock) {
  try {
    do_due_inputs();
  } catch (const Error& error) {
    refused_input_ = error.what();
    return {false, refused_input_};
  }
  if (follows_water_) {
    if (std::string violation = choose_next_step(); !violation.empty()) return {false, violation, true};
  }
  failed_ = true;  // unless it comes to an end
  try {
    if (StepReport report = world_->step(dt_, clock); !report.ok) return report;
  } catch (const Error& error) {
    return {false, error.what()};
  }
  failed_ = false;
  if (follows_water_) {
    const std::size_t next = next_time();
    met_given_ = met_ && given_[next];
    time_ = met_ ? times_[next] : time_ + dt_;
    free_dt_ = next_free_dt_;
    stable_dt_ = next_stable_dt_;
    longest_dt_ = steps_done_ > 0 ? std::fmax(longest_dt_, dt_) : dt_;
    shortest_dt_ = steps_done_ > 0 ? std::fmin(shortest_dt_, dt_) : dt_;
  }
  ++steps_done_;
  return {};
}

namespace {

Eigen::Map<const Vector> as_vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

std::vector<double> as_list(const Vector& values) {
  return {values.begin(), values.end()};
}

}  // namespace

void Simulation::save(Archive& archive) const {
  Archive world;
  world_->save(world);
  archive.put("world.", world);
  archive.put("steps", static_cast<double>(steps_done_));
  archive.put("substeps", substeps_);
  archive.put("input_numbers", as_vector(input_numbers_));
  archive.put("input_steps", as_vector(input_steps_));
  archive.put("input_starts", as_vector(input_starts_));
  archive.put("input_times", as_vector(input_times_));
  if (!follows_water_) return;
  Vector pace(10);
  pace << time_, dt_, free_dt_, stable_dt_, longest_dt_, shortest_dt_, met_, met_given_, first_dt_,
      gains_water_;
  archive.put("pace", pace);
}

/// What inputs have changed for good (sources, pushes, the way of the surface, clips, the scheme) comes of doing them again;
/// all numbers then are those that were saved.
void Simulation::restore(const Archive& archive) {
  input_numbers_ = as_list(archive.vector("input_numbers"));
  input_steps_ = as_list(archive.vector("input_steps"));
  input_starts_ = as_list(archive.vector("input_starts"));
  input_times_ = as_list(archive.vector("input_times"));
  const std::size_t count = input_numbers_.size();
  if (count > inputs_.size() || input_steps_.size() != count || input_starts_.size() != count ||
      input_times_.size() != count)
    throw Error("the saved state is that of a run with other inputs");
  restoring_ = true;
  for (std::size_t k = 0; k < count; ++k) {
    steps_done_ = static_cast<std::int64_t>(input_steps_[k]);
    time_ = input_starts_[k];
    do_planned(static_cast<std::size_t>(input_numbers_[k]), input_times_[k]);
  }
  restoring_ = false;
  steps_done_ = static_cast<std::int64_t>(archive.number("steps"));
  if (follows_water_) {
    const Vector& pace = archive.vector("pace");
    time_ = pace[0];
    dt_ = pace[1];
    free_dt_ = pace[2];
    stable_dt_ = pace[3];
    longest_dt_ = pace[4];
    shortest_dt_ = pace[5];
    met_ = pace[6] != 0;
    met_given_ = pace[7] != 0;
    first_dt_ = pace[8];
    gains_water_ = pace[9] != 0;
  }
  substeps_ = static_cast<int>(archive.number("substeps"));
  if (changes_ > 0) present_.substeps = substeps_;
  water_->set_substeps(substeps_);
  world_->restore(archive.part("world."));
}

bool can_change(const Catalog& catalog, const RunConfiguration& c, const std::string& parameter) {
  const auto declared_by = [&](const ParameterInfos& infos) {
    return std::any_of(infos.begin(), infos.end(),
                       [&](const ParameterInfo& info) { return info.name == parameter; });
  };
  if (is_coupling_option(parameter)) return true;
  if (declared_by(describe_options<InertiaOptions>())) return parameter != "onset";
  for (const ParameterInfos& of_start :
       {describe_options<MeshOptions>(), describe_options<MeshFileOptions>(),
        describe_options<MovingSurfaceOptions>(), given_field_parameters(c.parameters)})
    if (declared_by(of_start)) return false;
  return !declared_by(catalog.scenes.find(c.scene).parameters) &&
         !declared_by(catalog.motions.find(c.motion).parameters);
}

Surface load_surface(const Catalog& catalog, const RunConfiguration& configuration) {
  const Parameters parameters = parameters_of(catalog, configuration);
  return load_surface(configuration.mesh, read_options<MeshOptions>(parameters).radius,
                      read_options<MeshFileOptions>(parameters).weld);
}

std::int64_t step_count(double end, double dt) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(end / dt - 1e-9)));
}

std::vector<std::int64_t> snapshot_steps(const std::vector<double>& times, double dt, std::int64_t steps) {
  std::vector<std::int64_t> result = {0, steps};
  for (const double time : times)
    result.push_back(
        static_cast<std::int64_t>(std::min(std::floor(time / dt + 0.5 + 1e-9), static_cast<double>(steps))));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace shoal
