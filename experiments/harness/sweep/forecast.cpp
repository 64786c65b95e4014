#include "experiments/harness/sweep/forecast.hpp"

#include "experiments/harness/results/output.hpp"
#include "experiments/harness/run/recorder.hpp"
#include "experiments/harness/run/simulation.hpp"
#include "experiments/harness/system/stop_signals.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

double resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// The number of steps with dt = auto: those done, and the time left over the step at each time. Steps meet `times`.
double estimated_steps(Simulation& simulation, const std::vector<double>& times) {
  const double now = simulation.time(), end = simulation.end();
  auto& water = const_cast<ShallowWater&>(simulation.water());  // of this run, which takes no further step
  const double stable = water.stable_dt();
  const auto& motion = simulation.scene().motion;
  const bool limited = simulation.catalog()
                           .integrators.find(simulation.present_configuration().integrator)
                           .explicit_terms.has(Term::gravity);
  const bool varies = motion && limited && std::isfinite(stable);
  const Parameters parameters = parameters_of(simulation.catalog(), simulation.present_configuration());
  const double longest = read_options<AutoStepOptions>(parameters).part_of_period * motion.shortest_period;
  // Steps that still grow by dt_growth will reach the stable step.
  const bool grow = simulation.dt() > 0.99 * simulation.longest_dt() &&
                    simulation.longest_dt() > 1.05 * simulation.shortest_dt();
  const double allowed = read_options<StepOptions>(parameters).safety * simulation.substeps() * stable,
               present = varies && grow ? allowed : simulation.dt();
  Points positions;
  const auto step_at = [&](double time) {
    if (!varies) return simulation.dt();
    motion(time, positions);
    return std::fmin(present * water.stable_dt_at(positions) / stable, longest);
  };
  constexpr int instants = 256;  // of the time left
  std::vector<double> met;
  for (const double time : times)
    if (time > now && time < end) met.push_back(time);
  met.push_back(end);
  std::ranges::sort(met);
  double steps = static_cast<double>(simulation.steps_done()), begin = now;
  for (const double time : met) {
    const int parts = !varies ? 1 : std::max(1, static_cast<int>(instants * (time - begin) / (end - now)));
    double count = 0;
    for (int i = 0; i < parts; ++i) {
      const double part = (time - begin) / parts;
      try {
        count += part / step_at(begin + (i + 0.5) * part);
      } catch (const Error&) {  // of the surface at that time, where the run will end
        count += part / simulation.dt();
      }
    }
    steps += std::ceil(count - 1e-9);
    begin = time;
  }
  return steps;
}

/// Bytes by which a file grows.
template <class Body>
double growth(hdf5::File& file, const Body& body) {
  const double before = static_cast<double>(file.size());
  body();
  return static_cast<double>(file.size()) - before;
}

}  // namespace

StepTimes time_steps(ObservedRun& observed, const RunConfiguration& configuration, std::int64_t max_steps,
                     double max_seconds) {
  Run& run = *observed.run;
  Observer& observer = *observed.observer;
  StepTimes times;
  const auto begin = Clock::now();
  double before = 0;
  while (times.steps < static_cast<double>(max_steps) && before < max_seconds && !run.finished() &&
         stop_signal() == 0) {
    if (const StepReport report = run.step(times.clock); !report.ok) break;
    observer.watch();
    const bool row_is_due = run.steps_done() % configuration.diagnostics_every == 0;
    if (!observer.instability(row_is_due).empty()) break;
    if (row_is_due) observer.row(times.clock.work());
    const double now = seconds_since(begin);
    if (++times.steps == 1) times.first = now;
    before = now;
  }
  times.each = times.steps > 1 ? (before - times.first) / (times.steps - 1) : times.first;
  return times;
}

double DiskModel::of_run(double rows, double steps, double snapshots) const {
  const auto chunks = [](double count, double first, double more) {
    return count > 0 ? first + (std::ceil(count / static_cast<double>(rows_per_chunk)) - 1) * more : 0;
  };
  return run + chunks(rows, first_rows, more_rows) + chunks(steps, first_timings, more_timings) +
         snapshots * snapshot;
}

/// One at the start and one at the end, which the times may include.
double count_snapshots(const SnapshotPlan& plan, double end) {
  if (!plan.steps.empty()) return static_cast<double>(plan.steps.size());
  const double near = 1e-9 * end;
  const auto inside =
      std::ranges::count_if(plan.times, [&](double time) { return time > near && time < end - near; });
  return static_cast<double>(inside) + 2;
}

RunForecast forecast_run(const Catalog& catalog, const Experiment& experiment,
                         const RunConfiguration& configuration, const Surface& surface,
                         std::int64_t max_steps, double max_seconds) {
  RunForecast result;
  const double memory_before = resident_bytes();
  const auto begin = Clock::now();
  ObservedRun observed = set_up_run(catalog, configuration, surface);
  auto& simulation = dynamic_cast<Simulation&>(*observed.run);
  const SnapshotPlan plan = plan_snapshots(configuration, simulation);
  simulation.meet(plan.times);
  result.setup = seconds_since(begin);
  result.cells = static_cast<double>(simulation.discretization().cells().count());
  result.substeps = simulation.substeps();
  result.steps_at_start = static_cast<double>(simulation.steps());
  const StepTimes times = time_steps(observed, configuration, max_steps, max_seconds);
  result.first_step = times.first;
  result.step = times.each;
  result.memory = resident_bytes() - memory_before;
  result.chooses_steps = simulation.adaptive();
  result.steps = simulation.adaptive() ? estimated_steps(simulation, plan.times)
                                       : static_cast<double>(simulation.steps());
  result.snapshots = count_snapshots(plan, simulation.end());
  result.rows = 1 + std::ceil(result.steps / static_cast<double>(configuration.diagnostics_every));

  const std::string id = run_id(std::size_t{0});
  hdf5::File file = create_results(catalog, "forecast", experiment, "", hdf5::Access::memory);
  file.flush();
  result.disk.file = static_cast<double>(file.size());
  result.disk.mesh = growth(file, [&] {
    record_mesh(file.root().open_group("meshes"), surface);
    file.flush();
  });
  std::unique_ptr<Recorder> recorder;
  result.disk.run = growth(file, [&] {
    hdf5::Group group = file.root().open_group("runs").create_group(id);
    record_keys(group, configuration);
    group.set("snapshots", plan.asked);
    recorder = std::make_unique<Recorder>(file, id, simulation, *observed.observer);
    recorder->flush(false);
  });
  const std::vector<double> row = observed.observer->row({});
  const auto fill = [&](const auto& record) {
    return growth(file, [&] {
      for (std::uint64_t i = 0; i < rows_per_chunk; ++i) record();
      recorder->flush(false);
    });
  };
  const auto record_row = [&] { recorder->record_row(row); };
  const auto record_timing = [&] { recorder->record_timing(0, times.clock); };
  result.disk.first_rows = fill(record_row);
  result.disk.more_rows = fill(record_row);
  result.disk.first_timings = fill(record_timing);
  result.disk.more_timings = fill(record_timing);

  constexpr double max_snapshots = 100, max_bytes = 64 << 20;
  double recorded = 0, bytes = 0;
  const auto first = Clock::now();
  while (recorded < std::min(result.snapshots, max_snapshots) && bytes < max_bytes) {
    bytes += growth(file, [&] {
      recorder->record_snapshot();
      recorder->flush(false);
    });
    ++recorded;
  }
  result.snapshot = seconds_since(first) / std::max(recorded, 1.0);
  result.disk.snapshot = bytes / std::max(recorded, 1.0);
  result.memory =
      std::max(result.memory, resident_bytes() - memory_before - static_cast<double>(file.size()));
  return result;
}

}  // namespace shoal
