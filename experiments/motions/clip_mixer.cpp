#include "experiments/motions/clip_mixer.hpp"

#include "discretizations/common/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace shoal {
namespace {

/// Two poses of a clip are equal if translations differ by less than this fraction of their length, and rotations by less than this.
constexpr double same_pose = 1e-3;

double smooth_step(double s) {
  return s <= 0 ? 0 : s >= 1 ? 1 : s * s * s * (10 + s * (-15 + 6 * s));
}
/// The rule of Gauss and Legendre with 16 nodes ±x on [−1, 1], exact for polynomials of degree 31.
constexpr std::array gauss_nodes = {0.09501250983763745, 0.2816035507792589, 0.45801677765722737,
                                    0.6178762444026438,  0.755404408355003,  0.8656312023878318,
                                    0.9445750230732326,  0.9894009349916499};
constexpr std::array gauss_weights = {0.18945061045506834, 0.18260341504492367, 0.16915651939500262,
                                      0.1495959888165767,  0.1246289712555339,  0.09515851168249277,
                                      0.06225352393864808, 0.02715245941175411};
/// The part of the mixture that weights of sum s leave to the rest: 1 − s for s ≤ 1 − a, 0 for s ≥ 1, and between them
/// a u⁴ (20 − 45u + 36u² − 10u³) with u = (1 − s)/a, which is three times differentiable. With max(0, 1 − s), the velocity of the
/// surface would jump when weights that fade together pass the sum 1.
double remainder(double sum) {
  constexpr double a = ClipMixer::rounded_part;
  const double u = (1 - sum) / a;
  return u >= 1 ? 1 - sum : u <= 0 ? 0 : a * u * u * u * u * (20 + u * (-45 + u * (36 - 10 * u)));
}
/// The ratio of shares to weights of sum s > 0.
double share_per_weight(double sum) {
  return sum <= 1 - ClipMixer::rounded_part ? 1 : (1 - remainder(sum)) / sum;
}
/// Progress, from 0 to 1, of a ramp of duration `delay` after `time`.
double progress(double time, double delay) {
  return delay > 0 ? smooth_step(time / delay) : time >= 0;
}

bool same(const Transform& a, const Transform& b) {
  return (a.translation - b.translation).norm() <= same_pose * (1e-12 + a.translation.norm()) &&
         (a.scale - b.scale).norm() <= same_pose && a.rotation.angularDistance(b.rotation) <= same_pose;
}

}  // namespace

double RampedValue::Ramp::progress(double time) const {
  return time >= end() ? 1 : smooth_step((time - begin) / delay);
}

std::size_t RampedValue::count_before(double time) const {
  const auto next = std::upper_bound(ramps_.begin(), ramps_.end(), time,
                                     [](double t, const Ramp& ramp) { return t < ramp.begin; });
  return static_cast<std::size_t>(next - ramps_.begin());
}

int RampedValue::overlapping(double time) const {
  int count = 0;
  for (std::size_t k = count_before(time); k-- > 0 && time < ramps_[k].end();) ++count;
  return count;
}

void RampedValue::go_to(double value, double time, double delay) {
  // What has not taken effect yet is replaced.
  while (!ramps_.empty() && ramps_.back().begin == time && (ramps_.back().delay > 0 || delay == 0))
    ramps_.pop_back();
  if (time == 0 && delay == 0 && ramps_.empty()) {
    start_ = value;
    nodes_.clear();
    return;
  }
  const double until_now = integral(time);
  std::erase_if(nodes_, [&](const Node& node) { return node.time >= time; });
  ramps_.push_back({time, delay, value});
  std::vector<double> ends;
  for (const Ramp& ramp : ramps_)
    if (ramp.end() > time && ramp.end() <= ramps_.back().end()) ends.push_back(ramp.end());
  std::sort(ends.begin(), ends.end());
  nodes_.push_back({time, until_now});
  for (const double end : ends) {
    const Node last = nodes_.back();
    if (end > last.time) nodes_.push_back({end, last.integral + integral_between(last.time, end)});
  }
}

double RampedValue::at(double time) const {
  double value = 0, rest = 1;
  for (std::size_t k = count_before(time); k-- > 0;) {
    const double progress = ramps_[k].progress(time);
    value += rest * progress * ramps_[k].to;
    rest *= 1 - progress;
    if (rest == 0) return value;
  }
  return value + rest * start_;
}

/// Between neighbouring nodes. The rule is exact for the degree of `max_ramps` ramps; the parts into which it divides the interval
/// of more are so short that its error is far below round-off.
double RampedValue::integral_between(double begin, double end) const {
  constexpr int max_ramps = (4 * gauss_nodes.size() - 1) / 5;
  const int ramps = overlapping(begin);
  if (ramps == 0) return at(begin) * (end - begin);
  const int parts = 1 + (ramps - 1) / max_ramps;
  const double half = (end - begin) / (2 * parts);
  double sum = 0;
  for (int part = 0; part < parts; ++part) {
    const double middle = begin + (2 * part + 1) * half;
    for (std::size_t i = 0; i < gauss_nodes.size(); ++i)
      sum += gauss_weights[i] * (at(middle - half * gauss_nodes[i]) + at(middle + half * gauss_nodes[i]));
  }
  return half * sum;
}

double RampedValue::integral(double time) const {
  const auto next = std::upper_bound(nodes_.begin(), nodes_.end(), time,
                                     [](double t, const Node& node) { return t < node.time; });
  if (next == nodes_.begin()) return start_ * time;
  const Node& last = *(next - 1);
  return last.integral + integral_between(last.time, time);
}

ClipMixer::ClipMixer(const Skeleton& skeleton, std::vector<Clip> clips)
    : clips_(std::move(clips)),
      rest_(skeleton.rest_pose()),
      last_time_(-std::numeric_limits<double>::infinity()),
      action_sum_(skeleton.size()),
      cycle_sum_(skeleton.size()),
      means_(skeleton.size()),
      sample_(rest_) {
  for (const Clip& clip : clips_) {
    moved_.push_back(clip.moved_joints());
    durations_.push_back(clip.duration());
    SkeletonPose first = rest_, last = rest_;
    clip.sample(0, first);
    clip.sample(durations_.back(), last);
    open_.push_back(!std::equal(first.begin(), first.end(), last.begin(), same));
    weights_.emplace_back(0);
  }
  sources_.reserve(2 * clips_.size());
}

Index ClipMixer::find(const std::string& name) const {
  std::vector<std::string> names;
  for (const Clip& clip : clips_) names.push_back(clip.name);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    throw Error(
        fmt::format("there is no clip '{}'; clips: {}{}", name, join(names), did_you_mean(name, names)));
  return static_cast<Index>(found - names.begin());
}

void ClipMixer::check(const ClipCommand& command) const {
  const auto require = [](bool fulfilled, const char* what, double value) {
    if (!fulfilled) throw Error(fmt::format("the {} of a clip is {}, but must be a number ≥ 0", what, value));
  };
  for (const auto& [value, what] : {std::pair(command.weight, "weight"),
                                    {command.delay, "delay"},
                                    {command.delay_out, "fade-out"},
                                    {command.value, "speed"}})
    require(value >= 0 && std::isfinite(value), what, value);
  if (!std::isfinite(command.time) || command.time < last_time_)
    throw Error(fmt::format("a clip command at {} s follows one at {} s", command.time, last_time_));
  const bool of_clip = command.kind == ClipCommand::cycle || command.kind == ClipCommand::action;
  if (of_clip && (command.clip < 0 || command.clip >= static_cast<Index>(clips_.size())))
    throw Error(fmt::format("there is no clip {}; there are {} clips", command.clip, clips_.size()));
  if (!of_clip) return;
  const std::string& name = clips_[static_cast<std::size_t>(command.clip)].name;
  const auto require_delay = [&](double delay, const std::string& what) {
    if (!(delay < min_delay)) return;
    throw Error(fmt::format("{} at {} s with a delay of {} s would make the surface jump; give at least {} s",
                            what, command.time, delay, min_delay));
  };
  const bool always = command.time == 0 && command.delay == 0;
  if (!always) require_delay(command.delay, fmt::format("a new weight of clip '{}'", name));
  if (command.kind == ClipCommand::action)
    require_delay(command.delay_out, fmt::format("the end of action '{}'", name));
}

void ClipMixer::add(const ClipCommand& command) {
  check(command);
  last_time_ = command.time;
  switch (command.kind) {
    case ClipCommand::cycle:
      weights_[static_cast<std::size_t>(command.clip)].go_to(command.weight, command.time, command.delay);
      return;
    case ClipCommand::action:
      for (Action& other : actions_) {
        if (other.clip != command.clip || !other.hold || std::isfinite(other.end)) continue;
        other.end = command.time;
        other.delay_out = command.delay;
      }
      actions_.push_back(
          {command.clip, command.time, command.weight, command.delay, command.delay_out, command.hold});
      sources_.reserve(2 * clips_.size() + actions_.size());
      return;
    case ClipCommand::speed:
      speed_ = command.value;
      if (!frozen_) rate_.go_to(speed_, command.time, command.delay);
      return;
    case ClipCommand::freeze:
    case ClipCommand::resume:
      frozen_ = command.kind == ClipCommand::freeze;
      rate_.go_to(frozen_ ? 0 : speed_, command.time, command.delay);
      return;
  }
}

void ClipMixer::add_cycle(Index clip, double clock, double weight) {
  const auto k = static_cast<std::size_t>(clip);
  const double duration = durations_[k], period = duration + (open_[k] ? closing_time : 0);
  if (!(period > 0)) {
    sources_.push_back({clip, 0, weight, false});
    return;
  }
  const double within = clock - period * std::floor(clock / period);
  const double back = within > duration ? progress(within - duration, closing_time) : 0;
  sources_.push_back({clip, std::min(within, duration), (1 - back) * weight, false});
  if (back > 0) sources_.push_back({clip, 0, back * weight, false});
}

void ClipMixer::collect_sources(double time) {
  sources_.clear();
  const double clock = rate_.integral(time);
  for (std::size_t k = 0; k < clips_.size(); ++k)
    if (const double weight = weights_[k].at(time); weight > 0)
      add_cycle(static_cast<Index>(k), clock, weight);
  for (const Action& action : actions_) {
    const bool ever_since = action.begin == 0 && action.delay == 0;
    if (time < action.begin && !ever_since) break;
    const double since = std::max(0.0, clock - rate_.integral(action.begin));
    const double duration = durations_[static_cast<std::size_t>(action.clip)], left = duration - since;
    if (left < 0 && !action.hold) continue;
    const double remains = !action.hold ? progress(left, action.delay_out)
                           : time < action.end
                               ? 1
                               : 1 - progress(clock - rate_.integral(action.end), action.delay_out);
    const double weight = action.weight * progress(since, action.delay) * remains;
    if (weight > 0) sources_.push_back({action.clip, std::min(since, duration), weight, true});
  }
}

double ClipMixer::share(const Source& source, Index joint) const {
  const double actions = action_sum_[joint];
  if (source.action) return source.weight * share_per_weight(actions);
  return source.weight * share_per_weight(cycle_sum_[joint]) * remainder(actions);
}

bool ClipMixer::holds(Index clip) const {
  return std::any_of(actions_.begin(), actions_.end(), [&](const Action& action) {
    return action.clip == clip && action.hold && action.weight > 0 && !std::isfinite(action.end);
  });
}

bool ClipMixer::acts(double time) {
  collect_sources(time);
  return !sources_.empty();
}

void ClipMixer::evaluate(double time, SkeletonPose& pose) {
  collect_sources(time);
  action_sum_.setZero();
  cycle_sum_.setZero();
  for (const Source& source : sources_) {
    const std::vector<char>& moved = moved_[static_cast<std::size_t>(source.clip)];
    for (Index j = 0; j < rest_.size(); ++j)
      if (moved[static_cast<std::size_t>(j)]) (source.action ? action_sum_ : cycle_sum_)[j] += source.weight;
  }
  pose.resize(rest_.size());
  for (Index j = 0; j < rest_.size(); ++j) {
    means_[j] = {};
    means_[j].add(rest_[j], remainder(action_sum_[j]) * remainder(cycle_sum_[j]), rest_[j]);
  }
  for (const Source& source : sources_) {
    const auto k = static_cast<std::size_t>(source.clip);
    clips_[k].sample(source.time, sample_);
    for (Index j = 0; j < rest_.size(); ++j)
      if (moved_[k][static_cast<std::size_t>(j)]) means_[j].add(sample_[j], share(source, j), rest_[j]);
  }
  for (Index j = 0; j < rest_.size(); ++j) pose[j] = means_[j].value(rest_[j]);
}

}  // namespace shoal
