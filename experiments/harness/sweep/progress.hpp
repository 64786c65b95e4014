// Progress of a set of runs on stderr: one line that is rewritten on a terminal, a few plain lines elsewhere.
#pragma once

#include "experiments/harness/run/recorder.hpp"
#include "experiments/harness/sweep/time_left.hpp"

#include <atomic>

namespace shoal {

/// The progress of one run, in memory shared with its process.
struct RunStatus {
  std::atomic<std::int64_t> steps_done{0}, steps{0};
  std::atomic<double> time{0}, end{0};  ///< s
  double share() const;                 ///< of its steps that are done
  void reset();
  void set(const Run& run);
};

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  Progress(bool quiet, std::size_t runs, int jobs = 1);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void kept(std::size_t finished);  ///< runs already in the file
  /// See TimeLeft::plan(); all runs to be computed or none.
  void weigh(const std::string& id, const std::string& kind, double cost, bool in_seconds);
  double share_done() const;  ///< of the cost of all runs to be computed
  /// `status` must live until end().
  void begin(const std::string& id, const RunConfiguration& configuration, const RunStatus& status);
  void draw();  ///< if the line is due
  void end(const std::string& id, const RunConfiguration& configuration, const Outcome& outcome);
  void line(const std::string& text);

 private:
  struct Run {
    std::string label;
    const RunStatus* status;
    Clock::time_point begin;
  };
  void clear();
  double seconds_until(Clock::time_point now) const;  ///< since the start

  bool quiet_, terminal_;
  std::size_t runs_, kept_ = 0, ended_ = 0;
  bool weighed_ = false;
  TimeLeft time_left_;
  std::map<std::string, Run> running_;
  std::int64_t steps_ended_ = 0;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
  bool drawn_ = false;
};

/// "SCHEME INTEGRATOR icosphere:4 dt=0.025", for progress and messages.
std::string label(const RunConfiguration& configuration);

/// "1:23:45", "0:07"
std::string clock_time(double seconds);

}  // namespace shoal
