#include "experiments/harness/sweep/time_left.hpp"

#include <algorithm>
#include <vector>

namespace shoal {
namespace {

/// An observed factor counts as much as the one assumed before once this share of the cost is done.
constexpr double trusted_share = 0.05;
/// s; runs that took less time show what they took beside their steps rather than how fast their steps are.
constexpr double min_spent = 1;

}  // namespace

void TimeLeft::plan(const std::string& id, const std::string& kind, double cost, bool in_seconds) {
  in_seconds_ = in_seconds;
  Run& run = runs_[id];
  run.kind = kind;
  run.cost = cost;
}

void TimeLeft::begin(const std::string& id, double now) {
  Run& run = runs_.at(id);
  run.state = State::running;
  run.begin = now;
}

/// The setup, which takes no share, and what an earlier start computed do not count.
void TimeLeft::advance(const std::string& id, double share, double now) {
  Run& run = runs_.at(id);
  if (run.first_share < 0 && share > 0) run.first_share = share, run.first_seen = now;
  run.share = std::min(share, 1.0);
  if (run.first_share < 0) return;
  run.spent = now - run.first_seen;
  run.done = run.cost * (run.share - run.first_share);
}

void TimeLeft::end(const std::string& id, double share, double now) {
  Run& run = runs_.at(id);
  if (run.first_share >= 0) {
    advance(id, share, now);
  } else if (run.state == State::running && !in_seconds_) {  // too short to have been seen
    run.spent = now - run.begin;
    run.done = run.cost * share;
  }
  if (run.state == State::running) run.whole = now - run.begin, run.ended_share = share;
  run.state = State::ended;
  run.share = 1;
}

double TimeLeft::share_done(std::size_t runs) const {
  double done = 0, all = static_cast<double>(runs - std::min(runs, runs_.size()));
  for (const auto& [id, run] : runs_) {
    done += run.cost * run.share;
    all += run.cost;
  }
  return all > 0 ? std::min(done / all, 1.0) : 1;
}

/// Seconds per cost of done work; the less of the cost is done, the more the factor `otherwise` counts.
double TimeLeft::factor(const Sum& sum, double otherwise) {
  const double doubt = trusted_share * sum.cost, weight = sum.done + doubt;
  return weight > 0 ? (sum.spent + doubt * otherwise) / weight : otherwise;
}

std::optional<double> TimeLeft::left(double now, std::size_t runs) const {
  Sum all;
  std::map<std::string, Sum> kinds;
  for (const auto& [id, run] : runs_) {
    const bool counts = !in_seconds_ || run.spent >= min_spent;
    for (Sum* sum : {&all, &kinds[run.kind]}) {
      sum->spent += counts ? run.spent : 0;
      sum->done += counts ? run.done : 0;
      sum->cost += run.cost;
    }
  }
  if (!(all.done > 0) && !in_seconds_) return {};
  const double general = in_seconds_ ? factor(all, 1) : all.spent / all.done;
  const auto usual = [&](const Run& run) { return factor(kinds.at(run.kind), general); };
  double beside = 0, ended = 0;  // what whole runs took beside their steps
  for (const auto& [id, run] : runs_)
    if (run.whole > 0) {
      const double own =
          run.spent < min_spent ? usual(run) : factor({run.spent, run.done, run.cost}, usual(run));
      beside += std::max(run.whole - run.ended_share * run.cost * own, 0.0);
      ++ended;
    }
  const double overhead = ended > 0 ? std::max(beside / ended, 0.0) : 0;
  std::vector<double> free(static_cast<std::size_t>(jobs_), 0);  // when each job will be free
  std::vector<double> waiting;
  std::size_t slot = 0;
  for (const auto& [id, run] : runs_) {
    if (run.state == State::ended) continue;
    if (run.state == State::waiting) {
      waiting.push_back(run.cost > 0 ? run.cost * usual(run) + overhead : 0);
      continue;
    }
    double rest = run.cost * (1 - run.share) * factor({run.spent, run.done, run.cost}, usual(run));
    if (run.first_share < 0) rest = std::max(rest - (now - run.begin), 0.0);  // its steps do not show yet
    free[slot++ % free.size()] += rest;
  }
  waiting.resize(waiting.size() + (runs - std::min(runs, runs_.size())), general);
  for (const double rest : waiting) *std::ranges::min_element(free) += rest;
  return *std::ranges::max_element(free);
}

}  // namespace shoal
