// A progress bar on a terminal, plain lines elsewhere.
#include "experiments/harness/sweep/progress.hpp"

#include "experiments/harness/system/terminal.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

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
  const std::string advection = c.advection == "none" || c.advection == "built-in" ? "" : c.advection + " ";
  const std::string motion = c.motion == "none" ? "" : "motion=" + c.motion + " ";
  return one_line(fmt::format("{} {} {} {}{} {}dt={}", c.scene, c.discretization, c.integrator, advection,
                              c.mesh, motion, dt));
}

void RunStatus::reset() {
  steps_done = steps = 0;
  time = end = 0;
}

void RunStatus::set(const Run& run) {
  steps = run.steps();
  end = run.adaptive() ? run.end() : static_cast<double>(run.steps()) * run.dt();
  steps_done = run.steps_done();
  time = run.time();
}

double RunStatus::share() const {
  const std::int64_t all = steps;
  return all > 0 ? static_cast<double>(steps_done) / static_cast<double>(all) : 0;
}

Progress::Progress(bool quiet, std::size_t runs, int jobs)
    : quiet_(quiet), terminal_(isatty(STDERR_FILENO) == 1), runs_(runs), time_left_(jobs) {}

Progress::~Progress() {
  clear();
}

void Progress::kept(std::size_t finished) {
  kept_ = finished;
  if (finished > 0)
    line(fmt::format("{} of {} runs already computed; use --fresh to recompute", finished, runs_));
}

void Progress::begin(const std::string& id, const RunConfiguration& configuration, const RunStatus& status) {
  const auto now = Clock::now();
  running_[id] = {(runs_ > 1 ? id + " " : "") + label(configuration), &status, now};
  if (!weighed_) time_left_.plan(id, "", 1, false);
  time_left_.begin(id, seconds_until(now));
}

void Progress::weigh(const std::string& id, const std::string& kind, double cost, bool in_seconds) {
  weighed_ = true;
  time_left_.plan(id, kind, cost, in_seconds);
}

double Progress::seconds_until(Clock::time_point now) const {
  return std::chrono::duration<double>(now - begin_).count();
}

double Progress::share_done() const {
  TimeLeft now = time_left_;
  for (const auto& [id, run] : running_) now.advance(id, run.status->share(), seconds_until(Clock::now()));
  return now.share_done(weighed_ ? 0 : runs_ - kept_);
}

void Progress::draw() {
  const auto now = Clock::now();
  if (quiet_ || running_.empty()) return;
  const double elapsed = seconds_until(now);
  for (const auto& [id, run] : running_) time_left_.advance(id, run.status->share(), elapsed);
  if (now - last_ < (terminal_ ? redraw_interval : line_interval)) return;
  last_ = now;

  std::int64_t steps = steps_ended_;
  std::vector<std::string> runs;
  for (const auto& [id, run] : running_) {
    steps += run.status->steps_done;
    runs.push_back(
        fmt::format("{} t = {:.3g} of {:.3g} s", run.label, run.status->time.load(), run.status->end.load()));
  }
  const std::size_t unplanned = weighed_ ? 0 : runs_ - kept_;
  const double part = time_left_.share_done(unplanned);
  const std::optional<double> left = time_left_.left(elapsed, unplanned);
  const std::string count = runs_ > 1 ? fmt::format("{} of {} runs, ", kept_ + ended_, runs_) : "";
  const std::string numbers =
      fmt::format("{}{:.3g} steps/s, {} elapsed{}", count, static_cast<double>(steps) / elapsed,
                  clock_time(elapsed), left ? fmt::format(", {} left", clock_time(*left)) : "");
  if (!terminal_) {
    line(fmt::format("{:.0f} %, {}: {}", 100 * part, numbers, join(runs, "; ")));
    return;
  }
  const auto filled = static_cast<std::size_t>(part * bar_width);
  std::string text = fmt::format("[{:<{}}] {:3.0f} % {} | {}", std::string(filled, '#'), bar_width,
                                 100 * part, numbers, join(runs, "; "));
  text.resize(std::min(text.size(), terminal_width() - 1));
  say_raw("\r\033[K" + visible(text));
  drawn_ = true;
}

void Progress::end(const std::string& id, const RunConfiguration& configuration, const Outcome& outcome) {
  ++ended_;
  steps_ended_ += outcome.steps;
  const std::string name = (runs_ > 1 ? fmt::format("{}/{} ", id, runs_) : "") + label(configuration);
  const auto run = running_.find(id);
  if (!weighed_ && run == running_.end()) time_left_.plan(id, "", 1, false);
  time_left_.end(id, run == running_.end() ? 0 : run->second.status->share(), seconds_until(Clock::now()));
  if (run == running_.end()) {
    line(fmt::format("{}: {}, {}", name, outcome.outcome, outcome.reason));
    return;
  }
  const double elapsed = std::chrono::duration<double>(Clock::now() - run->second.begin).count();
  running_.erase(run);
  const std::string when = outcome.outcome == "finished" ? ""
                                                         : fmt::format(" at t = {:.6g} s", outcome.t_reached),
                    why = outcome.reason.empty() ? "" : fmt::format(" ({})", outcome.reason);
  line(fmt::format("{}: {}{}{}, {} step{} in {:.3g} s", name, outcome.outcome, when, why, outcome.steps,
                   outcome.steps == 1 ? "" : "s", elapsed));
}

void Progress::line(const std::string& text) {
  if (quiet_) return;
  clear();
  say(text + "\n");
}

void Progress::clear() {
  if (!drawn_) return;
  say_raw("\r\033[K");
  drawn_ = false;
}

}  // namespace shoal
