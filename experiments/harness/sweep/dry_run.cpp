#include "experiments/harness/sweep/dry_run.hpp"

#include "experiments/harness/results/text_table.hpp"
#include "experiments/harness/sweep/prediction.hpp"
#include "experiments/harness/sweep/progress.hpp"
#include "experiments/harness/system/processes.hpp"

#include <fmt/format.h>

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace shoal {
namespace {

namespace fs = std::filesystem;

/// Runs of the same group are measured once.
std::string group_of(const Work& work, bool all) {
  if (all) return work.id;
  const RunConfiguration& c = work.configuration;
  return fmt::format("{} {} {} {} {}", c.scene, kind_of(c), c.mesh, c.dt.has_value(), c.substeps.has_value());
}

/// The forecast of a run by that of a run of the same group.
RunForecast transferred(const RunForecast& other, const Work& work, const Catalog& catalog,
                        const Surface& surface) {
  RunForecast result = other;
  const double substeps = other.substeps > 0 ? work.substeps / other.substeps : 1;
  result.steps = std::round(work.steps * other.steps / other.steps_at_start);
  result.rows = 1 + std::ceil(result.steps / static_cast<double>(work.configuration.diagnostics_every));
  result.step *= substeps;
  result.first_step *= substeps;
  const Simulation simulation(catalog, work.configuration, surface);
  result.snapshots = count_snapshots(plan_snapshots(work.configuration, simulation), simulation.end());
  return result;
}

double resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

std::string duration(double seconds) {
  return seconds < 60 ? fmt::format("{:.2g} s", seconds) : clock_time(seconds);
}

std::string size(double bytes) {
  const char* unit = "kB";
  double value = bytes / 1e3;
  for (const char* larger : {"MB", "GB", "TB"})
    if (value >= 1e3) value /= 1e3, unit = larger;
  return fmt::format("{:.3g} {}", value, unit);
}

std::string count(double number, bool estimated) {
  return fmt::format("{}{:.0f}", estimated ? "≈" : "", number);
}

}  // namespace

DryRun dry_run(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options,
               const DryRunLimits& limits) {
  ExecutionOptions alone = options;  // forecasts are those of one process
  alone.ranks_of_run = 1;
  Preparation prepared(catalog, experiment, alone);
  DryRun plan;
  plan.output = options.output;
  plan.jobs = options.single ? 1 : options.jobs;
  std::map<std::string, std::vector<std::size_t>> groups;
  const auto missing = static_cast<std::size_t>(std::ranges::count_if(prepared.works, &Work::is_missing));
  for (const Work& work : prepared.works) {
    std::error_code unknown;
    if (work.is_missing()) groups[group_of(work, missing <= limits.runs)].push_back(plan.runs.size());
    plan.runs.push_back({.work = work,
                         .resumes = work.is_missing() && !options.fresh &&
                                    fs::exists(save_path(options.output, work.id), unknown)});
  }

  std::vector<const std::vector<std::size_t>*> measured;
  for (const auto& [name, members] : groups) measured.push_back(&members);
  std::ranges::sort(measured, {}, [](const auto* members) { return members->front(); });
  const double seconds_each =
      std::min(limits.seconds_of_run,
               limits.seconds * plan.jobs / static_cast<double>(std::max<std::size_t>(measured.size(), 1)));
  Tasks tasks;
  tasks.count = measured.size();
  tasks.jobs = plan.jobs;
  tasks.work = [&](std::size_t i, std::size_t) {
    std::vector<RunForecast> forecasts;
    for (const std::size_t member : *measured[i]) {
      const Work& work = plan.runs[member].work;
      const Surface& surface = prepared.surfaces.get(work.configuration);
      forecasts.push_back(forecasts.empty() ? forecast_run(catalog, experiment, work.configuration, surface,
                                                           limits.steps, seconds_each)
                                            : transferred(forecasts.front(), work, catalog, surface));
    }
    return packed_row(forecasts);
  };
  tasks.ended = [&](std::size_t i, std::size_t, const TaskResult& ending) {
    const std::vector<std::size_t>& members = *measured[i];
    if (ending.kind != TaskResult::Kind::returned) {
      for (const std::size_t member : members)
        plan.runs[member].failure =
            ending.kind == TaskResult::Kind::died ? describe_death(ending) : ending.text;
      return;
    }
    const auto forecasts = unpacked_row<RunForecast>(ending.text);
    for (std::size_t k = 0; k < members.size(); ++k) {
      plan.runs[members[k]].forecast = forecasts.at(k);
      plan.runs[members[k]].measured = k == 0;
    }
  };
  tasks.watch = [] { return PoolCommand::proceed; };
  run_in_processes(tasks);

  std::vector<double> free(static_cast<std::size_t>(plan.jobs), 0), memory;
  std::set<const Surface*> meshes;
  std::error_code unknown;
  if (prepared.previous) plan.existing = static_cast<double>(fs::file_size(options.output, unknown));
  for (const DryRun::Run& run : plan.runs) {
    if (!run.forecast) continue;
    *std::ranges::min_element(free) += run.forecast->seconds();  // in order, as a sweep begins them
    memory.push_back(run.forecast->memory);
    if (plan.existing == 0 && meshes.empty()) plan.disk += run.forecast->disk.file;
    if (meshes.insert(&prepared.surfaces.get(run.work.configuration)).second)
      plan.disk += run.forecast->disk.mesh;
    plan.disk += run.forecast->bytes();
  }
  plan.seconds = *std::ranges::max_element(free);
  std::ranges::sort(memory, std::greater());
  memory.resize(std::min(memory.size(), free.size()));
  plan.memory = plan.base_memory = resident_bytes();
  for (const double one : memory) plan.memory += one;
  return plan;
}

std::string to_text(const DryRun& plan) {
  TextTable table;
  table.headings = {{"run"}, {"", false}, {"cells"}, {"steps"}, {"time"}, {"memory"}, {"disk"}};
  std::string remarks;
  std::size_t complete = 0, refused = 0, failed = 0, shared = 0, computed = 0;
  for (const DryRun::Run& run : plan.runs) {
    const Work& work = run.work;
    std::vector<Cell> row = {work.id, label(work.configuration)};
    const auto remark = [&](const std::string& text) { remarks += fmt::format("{} {}\n", work.id, text); };
    if (work.previous.complete) {
      row.insert(row.end(), {"", "", "computed", "", ""});
      ++complete;
    } else if (work.outcome) {
      row.insert(row.end(), {"", "", work.outcome->outcome, "", ""});
      remark(fmt::format("{}: {}", work.outcome->outcome, work.outcome->reason));
      ++refused;
    } else if (!run.forecast) {
      row.insert(row.end(), {"", "", "failed", "", ""});
      remark("failed: " + run.failure);
      ++failed;
    } else {
      const RunForecast& forecast = *run.forecast;
      row.insert(row.end(), {count(forecast.cells, false), count(forecast.steps, forecast.chooses_steps > 0),
                             duration(forecast.seconds()), size(plan.base_memory + forecast.memory),
                             size(forecast.bytes())});
      if (run.resumes) remark("resumes from its checkpoint; its time is that of the whole run");
      ++computed;
      shared += run.measured ? 0 : 1;
    }
    if (!work.note.empty()) remark(work.note);
    table.rows.push_back(std::move(row));
  }
  std::string text = format_table(table, TableFormat::text) + "\n" + remarks;
  text += fmt::format("{} of {} runs to compute", computed, plan.runs.size());
  if (complete > 0) text += fmt::format(", {} already computed", complete);
  if (refused > 0) text += fmt::format(", {} not computed", refused);
  if (failed > 0) text += fmt::format(", {} without an estimate", failed);
  text += fmt::format(": {}{}, {} of memory, {} in {}\n", duration(plan.seconds),
                      plan.jobs > 1 ? fmt::format(" with {} jobs", plan.jobs) : "", size(plan.memory),
                      size(plan.disk), one_line(plan.output.string()));
  if (plan.existing > 0) text += fmt::format("the present results, {}, are kept\n", size(plan.existing));
  text += "Time: from a few steps of each run";
  if (shared > 0)
    text += fmt::format(", or, for {} of them, of another one with the same parts and mesh", shared);
  text +=
      ". Memory: the resident set of its process. Disk: uncompressed, without the mesh; the results take "
      "twice "
      "their size while they are written. ≈: dt = auto.\n";
  return text;
}

}  // namespace shoal
