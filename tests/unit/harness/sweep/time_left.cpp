// The estimate of the time left, on a synthetic clock: runs advance at given rates on their jobs. Requirement: from a tenth of
// the time on, the estimate differs from the truth by at most a quarter.
#include "experiments/harness/sweep/time_left.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace shoal {
namespace {

constexpr double allowed_error = 0.25;  // of the true time left; the requirement
constexpr double from = 0.1,
                 until = 0.95;  // of the whole time; at the end the error is relative to almost nothing

struct SyntheticRun {
  std::string kind;
  double planned;    ///< cost
  double seconds;    ///< the time that it takes
  double share = 1;  ///< at which it ends, < 1 if it becomes unstable
  double setup = 0;  ///< s, before its steps
};

/// Runs the sweep in steps of the clock and returns the largest relative error of the estimate.
double largest_error(const std::vector<SyntheticRun>& runs, std::size_t jobs, bool in_seconds) {
  TimeLeft time_left(static_cast<int>(jobs));
  const auto id = [](std::size_t i) { return fmt::format("{:04}", i + 1); };
  for (std::size_t i = 0; i < runs.size(); ++i)
    time_left.plan(id(i), runs[i].kind, runs[i].planned, in_seconds);
  double whole = 0;
  for (const SyntheticRun& run : runs) whole += run.setup + run.seconds * run.share;
  const double tick = whole / 1e4;
  struct Slot {
    std::size_t run;
    double begin;
  };
  std::vector<Slot> running;
  std::vector<std::pair<double, std::optional<double>>> estimates;
  std::size_t next = 0;
  double now = 0;
  for (; next < runs.size() || !running.empty(); now += tick) {
    for (std::size_t k = running.size(); k-- > 0;) {
      const SyntheticRun& run = runs[running[k].run];
      const double share = std::max(0.0, now - running[k].begin - run.setup) / run.seconds;
      if (share >= run.share) {
        time_left.end(id(running[k].run), run.share, now);
        running.erase(running.begin() + static_cast<std::ptrdiff_t>(k));
      } else {
        time_left.advance(id(running[k].run), share, now);
      }
    }
    for (; running.size() < jobs && next < runs.size(); ++next) {
      time_left.begin(id(next), now);
      running.push_back({next, now});
    }
    estimates.emplace_back(now, time_left.left(now));
  }
  double largest = 0;
  for (const auto& [time, left] : estimates)
    if (time > from * now && time < until * now)
      largest = std::max(largest, left ? std::abs(*left / (now - time) - 1) : INFINITY);
  return largest;
}

TEST(TimeLeft, is_exact_for_runs_whose_times_are_in_proportion_to_their_costs) {
  std::vector<SyntheticRun> runs;
  for (const double cost : {1.0, 4.0, 16.0, 64.0}) runs.push_back({"a", cost, 0.3 * cost});
  constexpr double rounding = 0.01;  // of the clock, of which a tick is 1e-4 of all
  EXPECT_LT(largest_error(runs, 1, false), rounding);
}

/// Costs of cells × steps on meshes of four levels, for schemes whose times per cell and step differ.
std::vector<SyntheticRun> mixed(const std::vector<double>& rates, double exponent, bool schemes_first) {
  std::vector<SyntheticRun> runs;
  const auto add = [&](std::size_t scheme, int level) {
    const double cells = std::pow(4, level), cost = cells * std::pow(2, level);
    runs.push_back(
        {fmt::format("scheme {}", scheme), cost, rates[scheme] * cost * std::pow(cells, exponent)});
  };
  if (schemes_first)
    for (std::size_t scheme = 0; scheme < rates.size(); ++scheme)
      for (int level = 2; level <= 5; ++level) add(scheme, level);
  else
    for (int level = 2; level <= 5; ++level)
      for (std::size_t scheme = 0; scheme < rates.size(); ++scheme) add(scheme, level);
  return runs;
}

TEST(TimeLeft, is_within_a_quarter_for_schemes_whose_steps_were_timed) {
  for (const std::size_t jobs : {1, 2, 3})
    for (const bool schemes_first : {true, false}) {
      std::vector<SyntheticRun> runs = mixed({1e-3, 8e-3, 2e-3}, 0.1, schemes_first);
      int number = 0;
      for (SyntheticRun& run : runs)
        run.planned = run.seconds * (number++ % 2 == 0 ? 1.1 : 0.9);  // predicted so well
      EXPECT_LT(largest_error(runs, jobs, true), allowed_error) << jobs << ' ' << schemes_first;
    }
}

/// The first of a series of meshes are so small that their runs take as long as their processes.
TEST(TimeLeft, is_not_misled_by_runs_that_consist_of_their_setup) {
  for (const std::size_t jobs : {1, 2}) {
    std::vector<SyntheticRun> runs = mixed({1e-3, 8e-3, 2e-3}, 0, false);
    for (SyntheticRun& run : runs) run.planned = run.seconds, run.setup = 2;
    EXPECT_LT(largest_error(runs, jobs, true), allowed_error) << jobs;
  }
}

TEST(TimeLeft, is_corrected_by_the_first_runs_if_the_machine_is_slower_than_when_steps_were_timed) {
  std::vector<SyntheticRun> runs = mixed({1e-3, 8e-3, 2e-3}, 0, false);
  for (SyntheticRun& run : runs) run.planned = run.seconds / 1.7;
  EXPECT_LT(largest_error(runs, 1, true), allowed_error);
  EXPECT_LT(largest_error(runs, 2, true), allowed_error);
}

TEST(TimeLeft, counts_idle_jobs_at_the_end) {
  // Two short runs and a long one on two jobs: at last the long one is alone.
  EXPECT_LT(largest_error({{"a", 1, 1}, {"a", 1, 1}, {"a", 10, 10}}, 2, true), 0.01);
}

TEST(TimeLeft, does_not_take_a_run_that_breaks_early_for_a_fast_one) {
  std::vector<SyntheticRun> runs(20, {"a", 10, 10});
  runs[0].share = runs[1].share = 0.01;
  EXPECT_LT(largest_error(runs, 1, false), 0.02);
}

TEST(TimeLeft, does_not_count_what_an_earlier_start_computed) {
  TimeLeft left(1);
  left.plan("0001", "a", 100, false);
  left.begin("0001", 0);
  left.advance("0001", 0.6, 1);  // the setup took 1 s, the checkpoint holds 60 %
  left.advance("0001", 0.7, 2);
  EXPECT_DOUBLE_EQ(left.left(2).value(), 3);
  EXPECT_DOUBLE_EQ(left.share_done(), 0.7);
}

TEST(TimeLeft, is_unknown_until_work_is_done_and_from_the_start_if_steps_were_timed) {
  TimeLeft left(1);
  left.plan("0001", "a", 5, false);
  left.begin("0001", 0);
  EXPECT_FALSE(left.left(1).has_value());
  left.plan("0001", "a", 5, true);
  EXPECT_DOUBLE_EQ(left.left(1).value(), 4);
}

}  // namespace
}  // namespace shoal
