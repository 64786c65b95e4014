// The steps of a run: their lengths, their number and the present time.
#pragma once

#include "solvers/archive.hpp"

#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace shoal {

/// All steps have the same length, or, after follow(), each length is chosen before the step and divides the interval to the next
/// given time evenly.
class Steps {
 public:
  Steps() = default;
  Steps(double dt, double end) : dt_(dt), longest_(dt), shortest_(dt), end_(end), all_(count(end, dt)) {}
  /// ceil(end/dt − 1e-9), at least 1.
  static std::int64_t count(double end, double dt);

  double dt() const { return dt_; }            ///< of the last step, or of the first before it is taken
  double longest() const { return longest_; }  ///< among the steps so far
  double shortest() const { return shortest_; }
  double end() const { return end_; }
  double time() const { return follows_ ? time_ : static_cast<double>(done_) * dt_; }
  double rest() const {
    return times_[next_time()] - time_;
  }  ///< until the next time to meet; after follow()
  std::int64_t done() const { return done_; }
  /// The number of steps of the whole run; if the lengths are chosen, an estimate from the present length and the expected pace.
  std::int64_t all() const;
  /// How often steps are expected at these times, ascending, relative to each other; for all(). Without it the pace stays as it is.
  struct Pace {
    double time, frequency;
  };
  void expect(std::vector<Pace> paces) { paces_ = std::move(paces); }
  bool finished() const { return follows_ ? time_ >= end_ : done_ >= all_; }

  /// Must be called at the start. Steps then meet the end and all these times. Times that nearly coincide are merged; given times
  /// take precedence.
  void follow(const std::vector<double>& given, const std::vector<double>& others);
  bool follows() const { return follows_; }
  /// Whether the last step ended at a given time or at the end.
  bool met_time() const { return met_given_; }
  bool reached(double time) const { return time <= time_ + apart(); }
  bool is_now(double time) const { return std::abs(time - time_) <= apart(); }

  /// Sets the next step to at most `free`, so that the next time is met. Without `limited`, steps keep exactly the same length
  /// between two times.
  void choose(double free, bool limited);
  double first() const { return first_; }  ///< the chosen length at the start or after begin_anew()
  double free() const { return free_; }    ///< the chosen length of the last step, before it was cut
  void begin_anew(double dt) { first_ = free_ = dt; }

  /// Counts the step.
  void advance();
  /// Sets the number of steps and the time.
  void go_back_to(std::int64_t done, double time);

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  double apart() const;
  std::size_t next_time() const;
  double relative_pace() const;

  std::vector<Pace> paces_;
  double dt_ = 0, longest_ = 0, shortest_ = 0, end_ = 0;
  std::int64_t all_ = 0, done_ = 0;
  bool follows_ = false;
  bool met_ = false, met_given_ = false;  // whether the last step met a time, a given one
  std::vector<double> times_;             // ascending; the last is the end
  std::vector<bool> given_;               // whether each of times_ was given
  double time_ = 0;
  double first_ = 0, free_ = 0, next_free_ = 0;
};

/// The steps nearest to `times` (the later one of two equally near), and the first and the last step; ascending, without
/// duplicates.
std::vector<std::int64_t> snapshot_steps(const std::vector<double>& times, double dt, std::int64_t steps);

}  // namespace shoal
