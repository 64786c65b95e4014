// The lengths of the steps of a simulation.
#include "experiments/harness/run/missing_water.hpp"
#include "experiments/harness/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

constexpr double step_after_corner =
    0.25;  // of the step for water not yet affected; then steps grow by dt_growth

/// ceil(dt/substep), at least 1, even if dt/substep underflows to 0.
int needed_substeps(double dt, double substep) {
  constexpr double most = 1e6;
  const double needed = std::max(1.0, std::ceil(dt / substep));
  if (needed > most)
    throw SettingError("substeps",
                       fmt::format("substeps = auto: dt = {} s requires {} substeps", dt, needed));
  return static_cast<int>(needed);
}

}  // namespace

/// The stable substep, including the parameter `safety`. On a moving surface, it is the smallest over many instants of the run,
/// with the volumes carried along; instants at which the surface or the scheme fails are skipped, because the run will end there.
/// Dry cells, which have no limit, are filled meanwhile.
double Simulation::stable_substep(double end) {
  Archive start;
  const Vector missing = missing_water(scene_, *water_).volume;
  if (missing.size()) {
    water_->save(start);
    water_->exchange(missing, Points(3, 0));
  }
  double stable = water_->stable_dt();
  if (scene_.motion) {
    constexpr int instants = 64;
    paces_.clear();
    for (int i = 1; i <= instants; ++i) {
      // Multiples of the golden section do not resonate with any period.
      const double part = i * (std::numbers::phi - 1), within = part - std::floor(part);
      scene_.motion(end * within, positions_);
      try {
        const double now = water_->stable_dt_at(positions_);
        stable = std::fmin(stable, now);
        paces_.push_back({end * within, 1 / now});
      } catch (const Error&) {
        continue;
      }
    }
    std::ranges::sort(paces_, {}, &Steps::Pace::time);
    positions_.resize(3, 0);
  }
  if (missing.size()) water_->restore(start);
  gains_water_ = missing.size() > 0;
  return read_options<StepOptions>(parameters_).safety * stable;
}

/// The longest step, at most dt, that resolves the motion of the surface and of bodies.
double Simulation::resolving_motions(double dt) {
  const auto options = read_options<AutoStepOptions>(parameters_);
  double of_bodies = world_->bodies_stable_dt();
  for (int i = 0; i < world_->model_count(); ++i)
    if (const Coupling* coupling = world_->coupling(i))
      of_bodies = std::fmin(of_bodies, coupling->collision().stable_dt());
  dt = std::fmin(dt, options.part_of_period * scene_.motion.shortest_period);
  dt = std::fmin(dt, read_options<StepOptions>(parameters_).safety * of_bodies);
  return world_->dt_of_paths(options.body_path, dt);
}

/// The longest step, at most dt, that resolves forces, rain and boundary values. A step is the same part of the period of a sine as of
/// the period of a motion. A jump is met by 1/1024 of the `stable` step.
double Simulation::resolving_given_values(double dt, double stable) {
  constexpr double min_part = 1.0 / 1024;
  const double phase = 2 * std::numbers::pi * read_options<AutoStepOptions>(parameters_).part_of_period;
  const double within = std::fmin(dt, steps_.rest()), tolerance = phase * phase / 8;
  const double resolved =
      given_values_.resolved(time(), within, tolerance, min_part * std::fmin(stable, end()));
  unresolved_steps_ += !given_values_.are_resolved(time(), resolved, tolerance);
  return resolved < within ? resolved : dt;
}

void Simulation::choose_steps(const RunConfiguration& configuration, double end) {
  const int default_substeps =
      std::max(1, catalog_.integrators.find(configuration.integrator).default_substeps);
  substeps_ = configuration.substeps.value_or(default_substeps);
  chooses_dt_ = !configuration.dt;
  double dt = configuration.dt.value_or(0);
  if (!configuration.dt || !configuration.substeps) {
    const double substep = stable_substep(end);
    if (!std::isfinite(substep) || substep <= 0)
      throw Error(fmt::format(
          "dt or substeps = auto: the scheme provides no stable time step ({} s); give numbers", substep));
    // Velocities of the surface at the start are differences over a part of the step.
    if (!configuration.dt) dt = resolving_motions(substep * substeps_);
    if (!configuration.substeps && configuration.dt) substeps_ = needed_substeps(dt, substep);
  }
  if (end / dt > 1e12)
    throw SettingError(
        "dt", fmt::format("a step of {} s is too short for an end at {} s; at most 1e12 steps are allowed",
                          dt, end));
  steps_ = Steps(dt, end);
  expect_paces(configuration);
}

/// Chosen steps follow the limit of the moving surface.
void Simulation::expect_paces(const RunConfiguration& configuration) {
  const bool limited = catalog_.integrators.find(configuration.integrator).explicit_terms.has(Term::gravity);
  steps_.expect(chooses_dt_ && limited ? paces_ : std::vector<Steps::Pace>());
}

/// Shortens the first step, or increases the number of substeps, where choose_steps() had to assume a surface at rest: its velocity at
/// the start is a difference over a part of the step.
void Simulation::allow_for_moving_surface(const RunConfiguration& configuration) {
  const double substep = read_options<StepOptions>(parameters_).safety * water_->stable_dt();
  const bool limited = catalog_.integrators.find(configuration.integrator).explicit_terms.has(Term::gravity);
  if (!limited || !(std::isfinite(substep) && substep > 0)) return;
  if (chooses_dt_)
    steps_ = Steps(std::fmin(dt(), substeps_ * substep), end()), expect_paces(configuration);
  else if (!configuration.substeps)
    substeps_ = std::max(substeps_, needed_substeps(dt(), substep));
}

void Simulation::meet(const std::vector<double>& times) {
  if (!chooses_dt_) return;
  corners_ = boundary_corners();
  constexpr double negligible = 1e-12;
  for (const TimedForce& force : scene_.forces)
    if (force.sample) given_values_.add(force.sample, end(), force.negligible);
  for (const BoundaryCondition& condition : water_->constant_forcing().boundaries)
    for (const TimeSeries& series : {condition.value, condition.speed, condition.tangential})
      if (!series.constant())
        given_values_.add([series](double now) { return Vector::Constant(1, series.at(now)); }, end(),
                          negligible * scene_.depth);
  steps_.follow(times, times_of_acting());
}

/// Chooses the step after a change as at the start, for the present water. Without a limit, the length stays the same.
void Simulation::choose_steps_anew() {
  stable_dt_ = 0;  // belonged to another setting
  const double substep = stable_substep(end());
  if (!(std::isfinite(substep) && substep > 0)) return;
  steps_.begin_anew(resolving_motions(substep * substeps_));
}

namespace {

/// The kinks of a series, where its slope changes by more than a fraction of the largest slope.
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

/// The kinks of boundary values.
std::vector<double> Simulation::boundary_corners() const {
  std::vector<double> times;
  for (const BoundaryCondition& condition : water_->constant_forcing().boundaries)
    for (const TimeSeries* series : {&condition.value, &condition.speed, &condition.tangential})
      if (!series->constant())
        for (const double corner : corners_of(*series)) times.push_back(corner);
  return times;
}

/// The times of inputs, the beginnings and ends of sources, pushes and forces, and the kinks of motions and boundary values. A jump within a
/// step reduces the order, and a step chosen before the jump may be too long after it.
std::vector<double> Simulation::times_of_acting() const {
  std::vector<double> times = corners_;
  const auto add = [&](double begin, double end) {
    times.push_back(begin);
    if (std::isfinite(end)) times.push_back(end);
  };
  const auto lasting = [](const Input& input) {
    if (const auto* source = std::get_if<SourceInput>(&input.action)) return source->lasting;
    if (const auto* push = std::get_if<PushInput>(&input.action)) return push->lasting;
    if (const auto* clip = std::get_if<ClipInput>(&input.action)) return clip->delay;
    if (const auto* action = std::get_if<ActionInput>(&input.action)) return action->delay;
    if (const auto* speed = std::get_if<ClipSpeedInput>(&input.action)) return speed->delay;
    return 0.0;
  };
  for (const Input& input : inputs_) add(input.time, input.time + lasting(input));
  for (const double corner : scene_.motion.corners) times.push_back(corner);
  for (const TimedForce& force : scene_.forces) add(force.interval.begin, force.interval.end);
  if (!scene_.coupling) return times;
  for (const Source& source : scene_.coupling->sources) add(source.interval.begin, source.interval.end);
  for (const Push& push : scene_.coupling->pushes) add(push.interval.begin, push.interval.end);
  return times;
}

/// The longest step, at most dt, that is at most `substeps` stable steps of the water when the surface has the velocity that it
/// gains within the step. A shorter step sees less of it.
double Simulation::shortened_for_surface(double dt, double substeps) {
  if (!scene_.motion) return dt;
  constexpr int tries = 8;
  constexpr double near = 0.9;  // of the longest step
  double fits = 0, exceeds = std::fmin(dt, end() - time()), next = exceeds;
  try {
    for (int i = 0; i < tries; ++i) {
      const double allowed = substeps * water_->stable_dt_within(next);
      if (!(allowed < next)) {
        if (i == 0) return dt;
        fits = next;
      } else {
        exceeds = next;
      }
      if (fits > near * exceeds) break;
      next = fits > 0 ? std::sqrt(fits * exceeds) : allowed;
    }
  } catch (const Error&) {  // the run ends at the step that meets it
    return dt;
  }
  return fits > 0 ? fits : next;
}

/// The step allows for water that accelerates, or a surface that shrinks, at the rate of the last step. Implicit steps are the first
/// one, divided by powers of two, so that they mostly keep their length and thus their matrices.
std::string Simulation::choose_step() {
  const auto options = read_options<AutoStepOptions>(parameters_);
  const double safety = read_options<StepOptions>(parameters_).safety;
  next_stable_dt_ = stable_dt_;
  double free = steps_.free();
  const bool limited = catalog_.integrators.find(present_.integrator).explicit_terms.has(Term::gravity);
  if (limited) {
    next_stable_dt_ = water_->stable_dt();
    // Assume that ω = 1/stable_dt continues to grow as in the last step: Δt (ω + ω_t Δt) = n for n substeps.
    const double n = safety * substeps_, frequency = 1 / next_stable_dt_;
    const bool has_one_before = stable_dt_ > 0;
    const double growth = has_one_before ? std::fmax(0, frequency - 1 / stable_dt_) / dt() : 0;
    const double allowed = 2 * n / (frequency + std::hypot(frequency, 2 * std::sqrt(n * growth)));
    const double longest = has_one_before ? options.growth * free : free;
    free = shortened_for_surface(std::fmin(allowed, longest), n);
    if (!(free > 0 && (free >= options.min_ratio * steps_.first() || free >= longest)))
      return fmt::format(
          "cfl: the stable step of {:.3g} s is less than {:.3g} (dt_least) times the first of {:.3g} s", free,
          options.min_ratio, steps_.first());
    if (gains_water_) free = std::fmin(free, steps_.first());
    // The boundary values have a kink now, which has not yet affected the water.
    if (std::any_of(corners_.begin(), corners_.end(), [&](double corner) { return steps_.is_now(corner); }))
      free *= step_after_corner;
    free = resolving_given_values(resolving_motions(free), allowed);
  } else if (const double first = steps_.first(); first > 0) {
    free = first *
           std::exp2(std::floor(std::log2(resolving_given_values(resolving_motions(first), first) / first)));
  }
  steps_.choose(free, limited || free != steps_.free());
  return "";
}

}  // namespace shoal
