#include "experiments/harness/sweep/prediction.hpp"

#include "experiments/harness/sweep/forecast.hpp"
#include "experiments/harness/system/processes.hpp"
#include "experiments/harness/system/stop_signals.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace shoal {
namespace {

constexpr double short_cost = 1e7;  // cells × substeps × steps of an experiment that takes a second or two
constexpr double max_seconds = 0.2;

/// The time per cost at two numbers of cells, and in between with a power of their number.
struct Rates {
  const Work *coarse = nullptr, *fine = nullptr;
  double of_coarse = 0, of_fine = 0;
  double at(double cells) const {
    if (!(of_coarse > 0 && of_fine > 0)) return std::max(of_coarse, of_fine);
    if (coarse->cells == fine->cells) return of_fine;
    return of_coarse * std::pow(cells / coarse->cells,
                                std::log(of_fine / of_coarse) / std::log(fine->cells / coarse->cells));
  }
};

}  // namespace

std::string kind_of(const RunConfiguration& c) {
  return fmt::format("{} {} {} {} {}", c.discretization, c.integrator, c.linear_solver, c.advection,
                     c.motion);
}

std::vector<double> predicted_seconds(const Catalog& catalog, const std::vector<Work>& works,
                                      Surfaces& surfaces, int jobs, double max_share) {
  std::vector<double> seconds(works.size(), 0);
  double total = 0;
  std::map<std::string, Rates> kinds;
  for (const Work& work : works) {
    if (!work.is_missing()) continue;
    total += work.cost();
    if (work.steps * max_share < 2) continue;
    Rates& rates = kinds[kind_of(work.configuration)];
    if (!rates.coarse || work.cells < rates.coarse->cells) rates.coarse = &work;
    if (!rates.fine || work.cells > rates.fine->cells) rates.fine = &work;
  }
  if (total < short_cost) return seconds;
  struct Trial {
    const Work* work;
    double* rate;
  };
  std::vector<Trial> trials;
  for (auto& [kind, rates] : kinds) {
    trials.push_back({rates.fine, &rates.of_fine});
    if (rates.coarse->cells < rates.fine->cells) trials.push_back({rates.coarse, &rates.of_coarse});
  }
  Tasks tasks;
  tasks.count = trials.size();
  tasks.jobs = jobs;
  tasks.work = [&](std::size_t i, std::size_t) {
    const RunConfiguration& configuration = trials[i].work->configuration;
    ObservedRun observed = set_up_run(catalog, configuration, surfaces.get(configuration));
    observed.run->meet(plan_snapshots(configuration, *observed.run).times);
    const auto max_steps = static_cast<std::int64_t>(max_share * trials[i].work->steps);
    return packed_row(std::vector{time_steps(observed, configuration, max_steps, max_seconds).each});
  };
  tasks.ended = [&](std::size_t i, std::size_t, const TaskResult& ending) {
    if (ending.kind != TaskResult::Kind::returned) return;
    const Work& work = *trials[i].work;
    *trials[i].rate = unpacked_row<double>(ending.text).at(0) / (work.substeps * work.cells);
  };
  tasks.watch = [] { return stop_signal() == 0 ? PoolCommand::proceed : PoolCommand::kill; };
  run_in_processes(tasks);

  double measured = 0, cost = 0;
  for (std::size_t i = 0; i < works.size(); ++i) {
    const auto kind = kinds.find(kind_of(works[i].configuration));
    if (!works[i].is_missing() || kind == kinds.end()) continue;
    seconds[i] = works[i].cost() * kind->second.at(works[i].cells);
    if (seconds[i] > 0) measured += seconds[i], cost += works[i].cost();
  }
  for (std::size_t i = 0; i < works.size() && cost > 0; ++i)  // as the others on average
    if (works[i].is_missing() && seconds[i] == 0) seconds[i] = works[i].cost() * measured / cost;
  return seconds;
}

}  // namespace shoal
