// The time that a set of runs will still take.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace shoal {

/// Each run has a planned cost, in seconds or in any unit. The time that done work took, by kind of run, corrects the plan; runs
/// that are under way correct it for themselves. The rest is distributed over the jobs in the order of the ids, as a sweep does,
/// because at the end some jobs have nothing to do. What whole runs took beside their steps is added to each run that waits. All
/// times are in s on any clock.
class TimeLeft {
 public:
  explicit TimeLeft(int jobs) : jobs_(jobs) {}

  /// Runs of one kind take times in proportion to their costs.
  void plan(const std::string& id, const std::string& kind, double cost, bool in_seconds);
  void begin(const std::string& id, double now);
  void advance(const std::string& id, double share, double now);  ///< `share` of its work is done
  /// It ended, perhaps early, with this share done.
  void end(const std::string& id, double share, double now);

  /// The share of all costs that is done. `runs`: their number if more are to be expected than are planned, which cost 1 each.
  double share_done(std::size_t runs = 0) const;
  /// Nothing if no work is done and no cost is in seconds.
  std::optional<double> left(double now, std::size_t runs = 0) const;

 private:
  enum class State { waiting, running, ended };
  struct Run {
    std::string kind;
    double cost = 0;
    State state = State::waiting;
    double begin = 0, first_seen = 0,
           first_share = -1;                // when it was first seen advancing, and how far it was
    double share = 0, spent = 0, done = 0;  // done: cost × share in the time `spent`
    double whole = 0, ended_share = 0;      // of a run that has ended: its duration
  };
  /// Time and cost of done work.
  struct Sum {
    double spent = 0, done = 0, cost = 0;
  };
  static double factor(const Sum& sum, double otherwise);

  int jobs_;
  bool in_seconds_ = false;
  std::map<std::string, Run> runs_;
};

}  // namespace shoal
