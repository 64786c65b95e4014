// Bisection of the time step, each combination in a separate process, recorded as soon as it is found.
#include "experiments/harness/spectrum/frontier.hpp"

#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/results/previous_results.hpp"
#include "experiments/harness/run/surfaces.hpp"
#include "experiments/harness/sweep/progress.hpp"
#include "experiments/harness/system/processes.hpp"
#include "solvers/wave_modes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

namespace shoal {
namespace {

constexpr double first_growth = 2, further_growth = 8;
constexpr double min_factor = 1.0 / 1024;  // of the start
constexpr std::int64_t usual_probes = 10;  // for the progress bar

/// The result of one combination; sent as text by the process that computed it.
struct Found {
  double theory = 0;             ///< substeps · stable_dt, s
  double highest_frequency = 0;  ///< 1/s; NaN without wave operators
  double edge_length = 0;        ///< m, mean
  Bracket bracket;
};

std::string to_text(const Found& found) {
  const std::vector<double> numbers = {found.theory, found.highest_frequency, found.edge_length,
                                       found.bracket.stable, found.bracket.unstable};
  return packed({packed_row(numbers), packed_row(found.bracket.probes)});
}

Found from_text(const std::string& text) {
  const std::vector<std::string> fields = unpacked(text);
  const std::vector<double> numbers = unpacked_row<double>(fields.at(0));
  return {numbers.at(0),
          numbers.at(1),
          numbers.at(2),
          {numbers.at(3), numbers.at(4), unpacked_row<Probe>(fields.at(1))}};
}

double energy_ratio_at(const Bracket& bracket, double dt) {
  for (const Probe& probe : bracket.probes)
    if (probe.dt == dt) return probe.max_energy_ratio;
  return std::numeric_limits<double>::quiet_NaN();
}

RunConfiguration with_step(RunConfiguration configuration, double dt, std::int64_t steps) {
  configuration.dt = dt;
  configuration.end = dt * static_cast<double>(steps);
  return configuration;
}

Probe try_step(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
               std::int64_t steps, RunStatus& status) {
  Simulation simulation(catalog, configuration, surface);
  Diagnostics diagnostics(simulation);
  StageClock clock;
  bool stable = true;
  double ratio = diagnostics.energy_ratio(diagnostics.energy());
  const std::int64_t steps_before = status.steps_done;
  status.end = simulation.end();
  while (stable && simulation.steps_done() < steps) {
    try {
      stable = simulation.step(clock).ok;
    } catch (const MachineError&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (...) {  // a run that cannot continue is not stable
      stable = false;
      break;
    }
    const Energy energy = diagnostics.energy();
    stable = stable && diagnostics.instability(energy).empty();
    ratio = std::max(ratio, diagnostics.energy_ratio(energy));
    status.steps_done = steps_before + simulation.steps_done();
    status.time = simulation.time();
  }
  return {simulation.dt(), stable, simulation.time(), simulation.steps_done(), ratio};
}

double highest_frequency(const Simulation& simulation) {
  if (!offered<Wave>(simulation.discretization())) return std::numeric_limits<double>::quiet_NaN();
  const Cells& cells = simulation.discretization().cells();
  return WaveSpectrum(simulation.discretization(), simulation.water().forces(),
                      cells.area.cwiseProduct(cells.bed))
      .highest_angular_frequency();
}

Found find(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
           const FrontierRule& rule, RunStatus& status) {
  Found found;
  {
    const Simulation simulation(catalog, with_step(configuration, 1, rule.steps), surface);
    found.theory = simulation.substeps() * simulation.water().stable_dt();
    found.highest_frequency = highest_frequency(simulation);
    found.edge_length = simulation.discretization().geometry().edge_length.mean();
  }
  status.steps = usual_probes * rule.steps;
  found.bracket = find_frontier(found.theory, rule, [&](double dt) {
    return try_step(catalog, with_step(configuration, dt, rule.steps), surface, rule.steps, status);
  });
  return found;
}

/// Throws Error if a key fixes the quantity sought.
void check_keys(const Experiment& experiment, const std::vector<PlannedRun>& plan) {
  const auto check = [](const std::vector<Setting>& settings) {
    for (const Setting& setting : settings)
      for (const char* key : {"dt", "end", "snapshots", "diagnostics"})
        if (!setting.is_parameter && setting.key == key)
          throw Error(fmt::format("{}: cannot be given, the frontier determines time steps and their number",
                                  setting.where));
  };
  check(experiment.settings);
  for (const Case& one : experiment.cases) check(one.settings);
  for (const PlannedRun& run : plan)
    if (!run.configuration.substeps)
      throw Error("substeps: the frontier requires a whole number instead of 'auto'");
}

void require_same_rule(const hdf5::Group& root, const FrontierOptions& options) {
  if (!root.is_group("frontier")) return;
  const hdf5::Group all = root.open_group("frontier");
  if (!all.has_attribute("steps")) return;
  const FrontierRule rule{all.integer("steps"), all.number("bracket"), all.number("most")};
  if (!(rule == options.rule))
    throw Error(
        fmt::format("output '{}': the file contains a frontier with steps {}, bracket {}, most {}; use "
                    "--fresh to replace it, or --output for another file",
                    options.output.string(), rule.steps, rule.bracket, rule.max_factor));
  frontier_grid(root, TableFormat::text);  // throws if it is incomplete
}

struct Task {
  std::string id;
  RunConfiguration configuration;
  std::string refusal;
  const Surface* surface;
};

class Session {
 public:
  Session(const Catalog& catalog, const Experiment& experiment, const FrontierOptions& options,
          const std::vector<PlannedRun>& plan, const std::optional<PreviousResults>& previous)
      : catalog_(catalog),
        options_(options),
        file_(previous ? resume_results(options.output, *previous)
                       : create_results(catalog, options.output, experiment, options.command)),
        progress_(options.quiet, plan.size()),
        surfaces_(catalog) {
    hdf5::Group all = file_.root().open_or_create_group("frontier");
    all.set("steps", options.rule.steps);
    all.set("bracket", options.rule.bracket);
    all.set("most", options.rule.max_factor);
    all.set("least", min_factor);
    collect(all, plan);
    file_.flush();
    remove_leftovers(options.output);
  }

  void run() {
    const Shared<RunStatus> status(static_cast<std::size_t>(options_.jobs));
    Tasks tasks;
    tasks.count = tasks_.size();
    tasks.jobs = options_.jobs;
    tasks.work = [&](std::size_t i, std::size_t slot) {
      if (!tasks_[i].refusal.empty()) throw Refusal(tasks_[i].refusal);
      return to_text(
          find(catalog_, tasks_[i].configuration, *tasks_[i].surface, options_.rule, status[slot]));
    };
    tasks.begun = [&](std::size_t i, std::size_t slot) {
      status[slot].reset();
      progress_.begin(tasks_[i].id, tasks_[i].configuration, status[slot]);
    };
    tasks.ended = [&](std::size_t i, std::size_t, const TaskResult& ending) { record(tasks_[i], ending); };
    tasks.watch = [&] {
      progress_.draw();
      return stop_signal() != 0 ? PoolCommand::kill : PoolCommand::proceed;
    };
    run_in_processes(tasks);
    file_.close();
  }

 private:
  void collect(const hdf5::Group& all, const std::vector<PlannedRun>& plan) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      const RunConfiguration& c = plan[i].configuration;
      if (all.has(run_id(i))) {
        ++kept;
        continue;
      }
      const Surface& surface = surfaces_.get(c);
      record_mesh(file_.root().open_group("meshes"), surface);
      tasks_.push_back({run_id(i), c, plan[i].refusal, &surface});
      tasks_.back().configuration.dt.reset();
    }
    progress_.kept(kept);
  }

  void record(const Task& task, const TaskResult& ending) {
    using Kind = TaskResult::Kind;
    if (stop_signal() != 0) return;
    if (ending.kind == Kind::error)
      throw Error(fmt::format("{} ({}): {}", task.id, label(task.configuration), ending.text));
    if (ending.kind == Kind::machine_error) throw MachineError(ending.text);
    if (was_killed(ending))
      throw MachineError(fmt::format("{} ({}): {}; run the same command to resume", task.id,
                                     label(task.configuration), describe_death(ending)));
    hdf5::Group group = file_.root().open_group("frontier").create_group(task.id);
    group.set("mesh", mesh_hash(*task.surface));
    group.set("vertices", std::int64_t{task.surface->mesh.vertex_count});
    Outcome shown{"finished", "", 0, 0};
    if (ending.kind == Kind::returned) {
      const Found found = from_text(ending.text);
      record_configuration(group, catalog_,
                           with_step(task.configuration, found.bracket.stable, options_.rule.steps));
      record_found(group, found);
      for (const Probe& probe : found.bracket.probes) shown.steps += probe.steps;
    } else {
      record_configuration(group, catalog_, task.configuration);
      const bool crashed = ending.kind == Kind::died;
      shown = {crashed ? "solver-failed" : "refused", crashed ? describe_death(ending) : ending.text, 0, 0};
      record_outcome(group, shown);
    }
    progress_.end(task.id, task.configuration, shown);
    file_.flush();
  }

  void record_found(hdf5::Group& group, const Found& found) const {
    const Bracket& bracket = found.bracket;
    group.set("dt_theory", found.theory);
    group.set("dt_stable", bracket.stable);
    group.set("dt_unstable", bracket.unstable);
    group.set("highest_angular_frequency", found.highest_frequency);
    group.set("mean_edge_length", found.edge_length);
    group.set("max_energy_ratio", energy_ratio_at(bracket, bracket.stable));
    const char* outcome = bracket.stable == 0 ? "none" : std::isinf(bracket.unstable) ? "unbounded" : "found";
    record_outcome(group,
                   {outcome, "", group.number("t_end"), bracket.stable == 0 ? 0 : options_.rule.steps});
    hdf5::Group probes = group.create_group("probes");
    const auto write = [&](const char* name, const char* unit, const auto& value) {
      std::vector<double> values;
      for (const Probe& probe : bracket.probes) values.push_back(value(probe));
      probes.write(name, {values.size()}, values).set("unit", unit);
    };
    write("dt", "s", [](const Probe& probe) { return probe.dt; });
    write("stable", "1", [](const Probe& probe) { return probe.stable ? 1.0 : 0.0; });
    write("t_reached", "s", [](const Probe& probe) { return probe.t_reached; });
    write("steps", "1", [](const Probe& probe) { return static_cast<double>(probe.steps); });
    write("max_energy_ratio", "1", [](const Probe& probe) { return probe.max_energy_ratio; });
  }

  const Catalog& catalog_;
  const FrontierOptions& options_;
  hdf5::File file_;
  Progress progress_;
  Surfaces surfaces_;
  std::vector<Task> tasks_;
};

}  // namespace

Bracket find_frontier(double start, const FrontierRule& rule, const std::function<Probe(double dt)>& probe) {
  Bracket bracket;
  const auto is_stable = [&](double dt) {
    bracket.probes.push_back(probe(dt));
    const bool stable = bracket.probes.back().stable;
    (stable ? bracket.stable : bracket.unstable) = dt;
    return stable;
  };
  if (is_stable(start)) {
    double factor = std::min(first_growth, rule.max_factor);
    while (factor > 1 && is_stable(factor * start)) {
      if (factor == rule.max_factor) return bracket;
      factor = std::min(factor * further_growth, rule.max_factor);
    }
    if (factor <= 1) return bracket;  // nothing above the start is requested
  } else {
    double dt = start / 2;
    while (!is_stable(dt)) {
      if (dt < min_factor * start) return bracket;
      dt /= 2;
    }
  }
  while (bracket.unstable > (1 + rule.bracket) * bracket.stable)
    is_stable(std::sqrt(bracket.stable * bracket.unstable));
  return bracket;
}

int map_frontier(const Catalog& catalog, const Experiment& experiment, const FrontierOptions& options) {
  const std::vector<PlannedRun> plan = expand(catalog, experiment);
  check_keys(experiment, plan);
  ColumnOffer offer = planned_columns(catalog, plan);
  offer.add(frontier_columns());
  offer.stages.clear();  // only runs have stages
  check_columns(experiment, offer);
  const auto look = [&] {
    return look_at(catalog, options.output, options.fresh, plan, Contents::frontier,
                   [&](const hdf5::Group& root) { require_same_rule(root, options); });
  };
  require_own_tables(options.output, experiment, look(), options.fresh);
  const OutputLock lock(options.output);
  Session(catalog, experiment, options, plan, look()).run();
  return stop_signal();
}

ColumnOffer frontier_columns() {
  ColumnOffer offer;
  offer.attributes = {"dt_theory",        "dt_stable",       "dt_unstable", "highest_angular_frequency",
                      "mean_edge_length", "max_energy_ratio"};
  return offer;
}

TextTable frontier_grid(const hdf5::Group& root, TableFormat format) {
  const hdf5::Group all = root.open_group("frontier");
  TextTable grid;
  grid.headings = {{"id", false},
                   {"discretization", false},
                   {"integrator", false},
                   {"mesh", false, "mesh_name"},
                   {"substeps"},
                   {"Δt theory [s]", true, "dt_theory"},
                   {"Δt stable [s]", true, "dt_stable"},
                   {"Δt unstable [s]", true, "dt_unstable"},
                   {"stable/theory", true, "stable_over_theory"},
                   {"ω_max Δt/substep", true, "highest_phase"},
                   {"max E/E(0)", true, "max_energy_ratio"},
                   {"probes"},
                   {"outcome", false}};
  for (const std::string& id : all.names()) {
    const hdf5::Group one = all.open_group(id);
    std::vector<Cell> row = {id, one.text("discretization"), one.text("integrator"), one.text("mesh_name"),
                             static_cast<double>(one.integer("substeps"))};
    const std::string outcome = one.text("outcome");
    if (outcome == "refused" || outcome == "solver-failed") {
      row.resize(12, "");
      row.push_back(outcome + ": " + one_line(one.text("reason")));
    } else {
      const double stable = one.number("dt_stable"), unstable = one.number("dt_unstable");
      const bool bounded = outcome != "unbounded";
      const auto limit = [&](double value) -> Cell {
        if (!std::isfinite(value)) return "";
        return bounded || format == TableFormat::csv ? Cell(value) : Cell(fmt::format(">= {:.4g}", value));
      };
      row.push_back(one.number("dt_theory"));
      row.push_back(limit(stable));
      row.push_back(bounded ? Cell(unstable) : Cell(""));
      row.push_back(limit(stable / one.number("dt_theory")));
      row.push_back(limit(stable * one.number("highest_angular_frequency") /
                          static_cast<double>(one.integer("substeps"))));
      const double ratio = one.has_attribute("max_energy_ratio")  // missing in files of earlier versions
                               ? one.number("max_energy_ratio")
                               : std::numeric_limits<double>::quiet_NaN();
      row.push_back(std::isnan(ratio) ? Cell("") : Cell(ratio));
      row.push_back(static_cast<double>(one.open_group("probes").open_dataset("dt").rows()));
      row.push_back(outcome);
    }
    grid.rows.push_back(std::move(row));
  }
  return grid;
}

}  // namespace shoal
