// The steps of a run: how long they are and how many, and where it is in time.
#pragma once

#include "solvers/archive.hpp"

#include <cmath>
#include <cstdint>
#include <vector>

namespace shoal {

/// All of one length or, from follow() on, each chosen before it is made, and cut so that given times are met exactly by parts
/// of equal length.
class Steps {
 public:
  Steps() = default;
  Steps(double dt, double end) : dt_(dt), longest_(dt), shortest_(dt), end_(end), all_(count(end, dt)) {}
  /// ceil(end/dt − 1e-9), at least 1.
  static std::int64_t count(double end, double dt);

  double dt() const {
    return dt_;
  }  ///< of the last step; before the first, and where all are alike, of the next
  double longest() const { return longest_; }  ///< of the steps so far
  double shortest() const { return shortest_; }
  double end() const { return end_; }
  double time() const { return follows_ ? time_ : static_cast<double>(done_) * dt_; }
  std::int64_t done() const { return done_; }
  /// Of the whole run; where each is chosen as many as there would be from now on.
  std::int64_t all() const;
  bool finished() const { return follows_ ? time_ >= end_ : done_ >= all_; }

  /// At the start: the end and these times are met, of which `given` are asked for and where two are as good as one decide.
  void follow(const std::vector<double>& given, const std::vector<double>& others);
  bool follows() const { return follows_; }
  /// Whether the last step came to one of the given times, or to the end.
  bool met_time() const { return met_given_; }
  bool reached(double time) const { return time <= time_ + apart(); }
  bool is_now(double time) const { return std::abs(time - time_) <= apart(); }

  /// The next step is as long as this, or as it takes to meet a time. Those that are not `limited` keep their length from one of the
  /// times to the next to the last bit.
  void choose(double free, bool limited);
  double first() const { return first_; }  ///< as chosen for the start, or after begin_anew()
  double free() const { return free_; }    ///< as chosen for the last step, before it was cut
  void begin_anew(double dt) { first_ = free_ = dt; }

  /// The step has been made.
  void advance();
  /// As after this many steps, at this time.
  void go_back_to(std::int64_t done, double time);

  void save(Archive& archive) const;
  void restore(const Archive& archive);

 private:
  double apart() const;
  std::size_t next_time() const;

  double dt_ = 0, longest_ = 0, shortest_ = 0, end_ = 0;
  std::int64_t all_ = 0, done_ = 0;
  bool follows_ = false;
  bool met_ = false, met_given_ = false;  // by the last step: one of the times, one of those that were given
  std::vector<double> times_;             // to be met, ascending; the last is the end
  std::vector<bool> given_;               // of times_
  double time_ = 0;
  double first_ = 0, free_ = 0, next_free_ = 0;
};

/// The steps nearest to `times` (the later of two equally near), and the first and the last; ascending, each
/// once.
std::vector<std::int64_t> snapshot_steps(const std::vector<double>& times, double dt, std::int64_t steps);

}  // namespace shoal
