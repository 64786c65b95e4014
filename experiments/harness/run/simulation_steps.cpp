// How long the steps of a simulation are.
#include "experiments/harness/run/missing_water.hpp"
#include "experiments/harness/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace shoal {
namespace {

constexpr double step_after_corner =
    0.25;  // of what the water allows that has not yet felt it; then steps grow by dt_growth

}  // namespace

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

}  // namespace shoal
