// A progress bar on a terminal, plain lines elsewhere.
#include "experiments/harness/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace shoal {
namespace {

constexpr std::chrono::milliseconds redraw_interval{100};
constexpr std::chrono::seconds line_interval{30};
constexpr int bar_width = 20;

std::size_t terminal_width() {
  winsize size{};
  const bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

std::string clock_time(double seconds) {
  const auto total = static_cast<std::int64_t>(seconds + 0.5);
  const auto hours = total / 3600, minutes = total / 60 % 60, rest = total % 60;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, minutes, rest)
                   : fmt::format("{}:{:02}", minutes, rest);
}

std::string label(const RunConfiguration& c) {
  const std::string dt = c.dt ? fmt::format("{:.6g}", *c.dt) : "auto";
  return fmt::format("{} {} {} {} dt={}", c.scene, c.discretization, c.integrator, c.mesh, dt);
}

Progress::Progress(bool quiet, std::size_t runs)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), runs_(runs) {}

Progress::~Progress() {
  clear();
}

void Progress::begin(std::size_t run, const RunConfiguration& configuration) {
  label_ = (runs_ > 1 ? fmt::format("{}/{} ", run, runs_) : "") + label(configuration);
  begin_ = last_ = Clock::now();
}

void Progress::update(const Simulation& simulation) {
  if (quiet_) return;
  const auto now = Clock::now();
  if (terminal_ ? now - last_ < redraw_interval : now - last_ < line_interval) return;
  last_ = now;
  const double elapsed = std::chrono::duration<double>(now - begin_).count();
  const double part = static_cast<double>(simulation.steps_done()) / static_cast<double>(simulation.steps());
  const double remaining = elapsed * (1 - part) / part;
  const std::string numbers = fmt::format(
      "t = {:.3g} of {:.3g} s, {:.3g} steps/s, {} elapsed, {} left", simulation.time(),
      static_cast<double>(simulation.steps()) * simulation.dt(),
      static_cast<double>(simulation.steps_done()) / elapsed, clock_time(elapsed), clock_time(remaining));
  if (!terminal_) {
    line(fmt::format("{}: {}", label_, numbers));
    return;
  }
  const auto filled = static_cast<std::size_t>(part * bar_width);
  std::string text = fmt::format("[{:<{}}] {:3.0f} % {} | {}", std::string(filled, '#'), bar_width,
                                 100 * part, numbers, label_);
  text.resize(std::min(text.size(), terminal_width() - 1));
  fmt::print(stderr, "\r\033[K{}", text);
  std::fflush(stderr);
  drawn_ = true;
}

void Progress::end(const Outcome& outcome) {
  const double elapsed = std::chrono::duration<double>(Clock::now() - begin_).count();
  if (outcome.outcome == "refused")
    line(fmt::format("{}: refused, {}", label_, outcome.reason));
  else
    line(fmt::format("{}: {}{}, {} steps in {:.3g} s", label_, outcome.outcome,
                     outcome.outcome == "finished"
                         ? ""
                         : fmt::format(" at t = {:.6g} s ({})", outcome.t_reached, outcome.reason),
                     outcome.steps, elapsed));
}

void Progress::kept(std::size_t finished) {
  if (finished > 0)
    line(fmt::format("{} of {} runs are in the file and are kept; --fresh computes all anew", finished,
                     runs_));
}

void Progress::line(const std::string& text) {
  if (quiet_) return;
  clear();
  fmt::print(stderr, "{}\n", text);
}

void Progress::clear() {
  if (!drawn_) return;
  fmt::print(stderr, "\r\033[K");
  drawn_ = false;
}

}  // namespace shoal
