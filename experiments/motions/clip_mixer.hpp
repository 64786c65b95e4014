// Clips of a skeleton mixed by weight: a pose as a function of time, given by a list of commands.
#pragma once

#include "discretizations/mesh/characters/character.hpp"

namespace shoal {

/// What becomes of the mixture from a time on.
struct ClipCommand {
  enum Kind {
    cycle,   ///< the clip is repeated with this weight ≥ 0, reached after `delay`; 0 ends it
    action,  ///< the clip runs once, its weight growing over `delay` and falling over `delay_out`
    speed,   ///< the clock of all clips runs at this speed ≥ 0 after `delay`
    freeze,  ///< the clock stands still after `delay`
    resume   ///< it runs again, after `delay`, at the last speed
  };
  Kind kind = cycle;
  double time = 0;  ///< s
  Index clip = 0;
  double weight = 1;
  double delay = 0.5, delay_out = 0.5;  ///< s
  double value = 1;                     ///< of `speed`
};

/// A number that goes from value to value, each way as 6s⁵ − 15s⁴ + 10s³, twice differentiable. One that is changed on its
/// way sets out from where it is, its slope then jumps.
class RampedValue {
 public:
  explicit RampedValue(double start) : start_(start) {}
  /// From `time`, not earlier than the last one, on; without a delay from t = 0: ever since.
  void go_to(double value, double time, double delay);
  double at(double time) const;
  double integral(double time) const;  ///< from 0

 private:
  struct Ramp {
    double begin, delay, from, to, integral;  // the last at its beginning
  };
  const Ramp* last_before(double time) const;

  double start_;
  std::vector<Ramp> ramps_;
};

/// The pose at a time is a function of that time and of the commands, however often and in whatever order it is asked for;
/// commands can be added while it is in use and change nothing before their own time.
///
/// A joint follows those clips that move it. Actions have their weights there, divided by their sum where that is above
/// 1; cycles divide what is left by the same rule; the rest goes to the joint's rest. So clips fade in from the rest and
/// out to it. Before the first command everything is at rest; one at t = 0
/// without a delay has always held. All cycles share one clock, which starts at 0 at t = 0. A
/// clip whose last pose is not its first goes back to it over `closing_time`; its velocity may jump there, as at its
/// keys.
class ClipMixer {
 public:
  static constexpr double closing_time = 0.5;  ///< s, of the clock

  ClipMixer(const Skeleton& skeleton, std::vector<Clip> clips);

  const std::vector<Clip>& clips() const { return clips_; }
  /// The number of a clip. Throws Error, naming those that there are, if there is none of that name.
  Index find(const std::string& name) const;
  double weight(Index clip, double time) const { return weights_[static_cast<std::size_t>(clip)].at(time); }
  /// Throws Error where a number is out of range or the time is before that of the last command.
  void add(const ClipCommand& command);
  /// Allocates nothing where `pose` has its size already. Not to be called from two threads at once.
  void evaluate(double time, SkeletonPose& pose);
  /// Whether a clip has a weight at that time, so that joints may stand elsewhere than at rest.
  bool acts(double time);

 private:
  struct Action {
    Index clip;
    double begin, weight, delay, delay_out;
  };
  struct Source {  // what is mixed at an instant
    Index clip;
    double time, weight;
    bool action;
  };
  void add_cycle(Index clip, double clock, double weight);
  void collect_sources(double time);
  double share(const Source& source, Index joint) const;

  std::vector<Clip> clips_;
  SkeletonPose rest_;
  std::vector<std::vector<char>> moved_;  // by clip and joint
  std::vector<double> durations_;
  std::vector<char> open_;  // whether the last pose is another than the first
  std::vector<RampedValue> weights_;
  std::vector<Action> actions_;
  RampedValue rate_{1};
  double speed_ = 1, last_time_;
  bool frozen_ = false;

  std::vector<Source> sources_;
  Vector action_sum_, cycle_sum_;  // by joint
  Array<TransformMean> means_;
  SkeletonPose sample_;
};

}  // namespace shoal
