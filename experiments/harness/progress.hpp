// Tells how far a set of runs is: one line that is rewritten on a terminal, few plain lines elsewhere, all on
// stderr.
#pragma once

#include "experiments/harness/recorder.hpp"

namespace shoal {

class Progress {
 public:
  Progress(bool quiet, std::size_t runs);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void begin(std::size_t run, const RunConfiguration& configuration);
  void update(const Simulation& simulation);
  void end(const Outcome& outcome);
  void kept(std::size_t finished);  ///< runs that the file already holds
  void line(const std::string& text);

 private:
  using Clock = std::chrono::steady_clock;
  void clear();

  bool quiet_, terminal_;
  std::size_t runs_;
  std::string label_;
  Clock::time_point begin_, last_;
  bool drawn_ = false;
};

/// "fefv newmark icosphere:4 dt=0.025", for progress and messages.
std::string label(const RunConfiguration& configuration);

/// "1:23:45", "0:07"
std::string clock_time(double seconds);

}  // namespace shoal
