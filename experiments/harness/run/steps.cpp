#include "experiments/harness/run/steps.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace shoal {

std::int64_t Steps::count(double end, double dt) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(end / dt - 1e-9)));
}

std::int64_t Steps::all() const {
  if (!follows_) return all_;
  return done_ + static_cast<std::int64_t>(std::ceil((end_ - time_) / dt_ * relative_pace() - 1e-9));
}

/// The mean of the paces that are left over the present one.
double Steps::relative_pace() const {
  const auto next = std::upper_bound(paces_.begin(), paces_.end(), time_,
                                     [](double time, const Pace& pace) { return time < pace.time; });
  if (next == paces_.end()) return 1;
  double sum = 0;
  for (auto pace = next; pace != paces_.end(); ++pace) sum += pace->frequency;
  const double now = next == paces_.begin() ? next->frequency : std::prev(next)->frequency;
  return sum / static_cast<double>(paces_.end() - next) / now;
}

/// Times that differ by less than this, s, count as equal.
double Steps::apart() const {
  return 1e-9 * end_;
}

void Steps::follow(const std::vector<double>& given_times, const std::vector<double>& others) {
  follows_ = true;
  std::vector<std::pair<double, bool>> all;
  for (const double time : given_times) all.emplace_back(time, true);
  all.emplace_back(end_, true);
  for (const double time : others) all.emplace_back(time, false);
  std::sort(all.begin(), all.end());
  times_.clear();
  given_.clear();
  for (const auto& [time, given] : all) {
    if (time <= apart() || time > end_ || (time != end_ && time >= end_ - apart())) continue;
    const bool is_new = times_.empty() || time - times_.back() > apart();
    if (is_new) {
      times_.push_back(time);
      given_.push_back(given);
    } else if (given && !given_.back()) {  // recorded exactly at the requested time
      times_.back() = time;
      given_.back() = true;
    }
  }
  begin_anew(dt_);
}

std::size_t Steps::next_time() const {
  return static_cast<std::size_t>(std::upper_bound(times_.begin(), times_.end() - 1, time_) - times_.begin());
}

void Steps::choose(double free, bool limited) {
  next_free_ = free;
  const double rest = this->rest();
  constexpr double rounding = 1e-9;
  const bool begins = done_ == 0 || met_;  // also after a change, whose time is met exactly
  if (limited || begins) dt_ = rest / std::fmax(1, std::ceil(rest / next_free_ - rounding));
  met_ = rest < 1.5 * dt_;
}

void Steps::advance() {
  if (follows_) {
    const std::size_t next = next_time();
    met_given_ = met_ && given_[next];
    time_ = met_ ? times_[next] : time_ + dt_;
    free_ = next_free_;
    longest_ = done_ > 0 ? std::fmax(longest_, dt_) : dt_;
    shortest_ = done_ > 0 ? std::fmin(shortest_, dt_) : dt_;
  }
  ++done_;
}

void Steps::go_back_to(std::int64_t done, double time) {
  done_ = done;
  time_ = time;
}

void Steps::save(Archive& archive) const {
  archive.put("steps", static_cast<double>(done_));
  if (!follows_) return;
  Vector pace(8);
  pace << time_, dt_, free_, first_, longest_, shortest_, met_, met_given_;
  archive.put("pace", pace);
}

void Steps::restore(const Archive& archive) {
  done_ = static_cast<std::int64_t>(archive.number("steps"));
  if (!follows_) return;
  const Vector& pace = archive.vector("pace");
  time_ = pace[0];
  dt_ = pace[1];
  free_ = pace[2];
  first_ = pace[3];
  longest_ = pace[4];
  shortest_ = pace[5];
  met_ = pace[6] != 0;
  met_given_ = pace[7] != 0;
}

std::vector<std::int64_t> snapshot_steps(const std::vector<double>& times, double dt, std::int64_t steps) {
  std::vector<std::int64_t> result = {0, steps};
  for (const double time : times)
    result.push_back(
        static_cast<std::int64_t>(std::min(std::floor(time / dt + 0.5 + 1e-9), static_cast<double>(steps))));
  std::sort(result.begin(), result.end());
  result.erase(std::unique(result.begin(), result.end()), result.end());
  return result;
}

}  // namespace shoal
