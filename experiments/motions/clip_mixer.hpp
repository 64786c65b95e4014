// Mixes clips of a skeleton by weight: the pose is a function of time, determined by a list of commands.
#pragma once

#include "discretizations/mesh/characters/character.hpp"

#include <limits>

namespace shoal {

/// A change of the mixture at a given time.
struct ClipCommand {
  enum Kind {
    cycle,  ///< repeats the clip with this weight ≥ 0, reached after `delay`; 0 ends it
    action,  ///< plays the clip once; its weight grows over `delay` and falls over `delay_out`, or it holds its last pose
    speed,   ///< sets the speed ≥ 0 of the clock of all clips, reached after `delay`
    freeze,  ///< stops the clock within `delay`
    resume   ///< restarts the clock within `delay` at the last speed
  };
  Kind kind = cycle;
  double time = 0;  ///< s
  Index clip = 0;
  double weight = 1;
  double delay = 0.5, delay_out = 0.5;  ///< s
  double value = 1;                     ///< of `speed`
  /// Of an action: its last pose stays until another action of the same clip, perhaps of weight 0, ends it within its `delay`.
  bool hold = false;
};

/// A number that changes from value to value by ramps S = 6s⁵ − 15s⁴ + 10s³. A change during a ramp mixes the previous trajectory,
/// which continues, with the new value: v = v_previous (1 − S) + value S. It is thus twice differentiable unless a delay is 0, and
/// remains between the values.
class RampedValue {
 public:
  explicit RampedValue(double start) : start_(start) {}
  /// Changes to `value` from `time`, not before the last change; a change at the same time is replaced. At t = 0 without delay, the
  /// value applies to all earlier times too.
  void go_to(double value, double time, double delay);
  double at(double time) const;
  double integral(double time) const;  ///< from 0 to `time`, exact to round-off

 private:
  struct Ramp {
    double begin, delay, to;
    double end() const { return begin + delay; }
    double progress(double time) const;
  };
  /// A beginning or an end of a ramp, between which the value is a polynomial in time, and the integral up to there.
  struct Node {
    double time, integral;
  };
  std::size_t count_before(double time) const;  ///< of ramps that have begun
  int overlapping(double time) const;           ///< number of ramps on which the value depends
  double integral_between(double begin, double end) const;

  double start_;
  std::vector<Ramp> ramps_;
  std::vector<Node> nodes_;
};

/// The pose depends only on the time and the commands, not on the order of evaluation. Commands may be added during use and do not
/// affect earlier times.
///
/// A joint follows the clips that move it. The shares of actions are their weights, divided by the sum of weights if that exceeds 1;
/// cycles share the remainder by the same rule; what is left goes to the rest pose. Clips thus fade in from the rest pose and out to
/// it. For sums between 1 − `rounded_part` and 1 the remainder is somewhat smaller, so that it is three times differentiable.
/// Before the first command everything is at rest; a command at t = 0 without delay applies to all earlier times too. All cycles
/// share one clock, which starts at 0 at t = 0. A clip whose last pose differs from its first returns to it within `closing_time`;
/// its velocity may jump there, as at its keys; so it may at the end of an action that holds.
class ClipMixer {
 public:
  static constexpr double closing_time = 0.5;  ///< s, of the clock
  static constexpr double rounded_part = 0.2;
  static constexpr double min_delay = 1e-3;  ///< s: in a shorter one, surfaces of metres would move at km/s

  ClipMixer(const Skeleton& skeleton, std::vector<Clip> clips);

  const std::vector<Clip>& clips() const { return clips_; }
  /// The index of a clip. Throws Error with the valid names if there is no such clip.
  Index find(const std::string& name) const;
  double weight(Index clip, double time) const { return weights_[static_cast<std::size_t>(clip)].at(time); }
  void add(const ClipCommand& command);  ///< after check()
  /// Throws Error if a number is out of range, the time precedes that of the last command, or the pose would jump: a weight changes
  /// within less than `min_delay` (except at t = 0 without delay), or an action ends so. The clock may change its speed at once.
  void check(const ClipCommand& command) const;
  double last_time() const { return last_time_; }  ///< s, of the last command; −∞ without one
  /// Does not allocate if `pose` has the right size. Not thread-safe.
  void evaluate(double time, SkeletonPose& pose);
  /// Whether any clip has a weight at that time, so that joints may leave their rest pose.
  bool acts(double time);
  /// Whether an action of the clip will hold its last pose, or does.
  bool holds(Index clip) const;

 private:
  struct Action {
    Index clip;
    double begin, weight, delay, delay_out;
    bool hold;
    double end = std::numeric_limits<double>::infinity();  // s, when a held action begins to fade
  };
  struct Source {  // one part of the mixture at an instant
    Index clip;
    double time, weight;
    bool action;
  };
  void add_cycle(Index clip, double clock, double weight);
  void collect_sources(double time);
  double share(const Source& source, Index joint) const;

  std::vector<Clip> clips_;
  SkeletonPose rest_;
  std::vector<std::vector<char>> moved_;  // [clip][joint]
  std::vector<double> durations_;
  std::vector<char> open_;  // whether the last pose differs from the first
  std::vector<RampedValue> weights_;
  std::vector<Action> actions_;
  RampedValue rate_{1};
  double speed_ = 1, last_time_;
  bool frozen_ = false;

  std::vector<Source> sources_;
  Vector action_sum_, cycle_sum_;  // per joint
  Array<TransformMean> means_;
  SkeletonPose sample_;
};

}  // namespace shoal
