// The loop: step, watch, record.
#include "experiments/harness/run/compute.hpp"
#include "experiments/harness/run/missing_water.hpp"

#include "discretizations/common/error.hpp"
#include "experiments/harness/system/stop_signals.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace shoal {
namespace {

/// What a run that finished went through that its user should know.
std::string remarks(const Simulation& simulation, const Recorder& recorder) {
  std::vector<std::string> sentences;
  if (const NegativeDepths& negative = recorder.negative_depths(); negative.cells > 0)
    sentences.push_back(fmt::format("the depth is below zero in up to {} of {} cells, first at t = {:.6g} s",
                                    negative.cells, simulation.discretization().cells().count(),
                                    negative.time));
  for (const ClampRise& clamp : recorder.risen_clamps())
    sentences.push_back(
        fmt::format("{} takes effect at up to {} elements ({} at the start), first at t = {:.6g} s",
                    clamp.name, clamp.most, clamp.start, clamp.time));
  return join(sentences, "; ");
}

Outcome stopped(const Simulation& simulation, const StepReport& report, const std::string& instability,
                const Recorder& recorder) {
  Outcome outcome{"finished", "", simulation.time(), simulation.steps_done()};
  if (!report.ok) {
    outcome.outcome = "solver-failed";
    outcome.reason = report.reason;
  } else if (!instability.empty()) {
    outcome.outcome = "unstable";
    outcome.reason = instability;
  } else if (simulation.steps_done() < simulation.steps()) {
    outcome.outcome = "interrupted";
    outcome.reason = stop_reason();
  } else {
    outcome.reason = remarks(simulation, recorder);
  }
  return outcome;
}

Outcome step_and_record(const RunConfiguration& configuration, Simulation& simulation, Recorder& recorder,
                        Diagnostics& diagnostics, const SnapshotPlan& snapshots, const RunHooks& hooks) {
  StageClock clock;
  StepReport report;
  Energy energy = diagnostics.energy();
  std::string instability = diagnostics.instability(energy);
  SolverWork work;  // since the last row
  const auto record_row = [&] {
    const std::vector<double> row = diagnostics.evaluate(energy, work);
    recorder.record_diagnostics(row);
    if (instability.empty()) instability = diagnostics.not_finite(row);
    work = {};
  };
  record_row();
  recorder.record_snapshot();
  recorder.watch();
  hooks.beginning();
  recorder.flush(false);  // from here on the file holds the run
  hooks.flushed();
  bool last = !instability.empty();
  while (!last) {
    clock.reset();
    const auto begin = StageClock::Clock::now();
    report = simulation.step(clock);
    const std::chrono::duration<double> total = StageClock::Clock::now() - begin;
    work += clock.work();
    if (report.ok) {
      recorder.record_timing(total.count() - clock.seconds(Stage::work), clock);
      recorder.watch();
    }

    const std::int64_t step = simulation.steps_done();
    const bool row_is_due = step % configuration.diagnostics_every == 0;
    const bool ends = step == simulation.steps() || !report.ok || stop_signal() != 0;
    energy = row_is_due || ends ? diagnostics.energy() : diagnostics.energy_between_rows();
    instability = diagnostics.instability(energy);
    last = ends || !instability.empty();
    if (last && !ends) energy = diagnostics.energy();
    // A failed step leaves the state of the step before, which is recorded unless it has been; where the
    // surface moves that state would lie on the surface of the step that failed.
    const bool moves = static_cast<bool>(simulation.scene().motion);
    const auto to_record = [&](bool due) { return report.ok ? last || due : !due && !moves; };
    if (to_record(row_is_due)) record_row();
    last = last || !instability.empty();
    if (to_record(std::binary_search(snapshots.steps.begin(), snapshots.steps.end(), step)))
      recorder.record_snapshot();
    if (recorder.flush_if_due()) hooks.flushed();
    hooks.stepped(simulation);
  }
  const Outcome outcome = stopped(simulation, report, instability, recorder);
  recorder.finish(outcome);
  return outcome;
}

}  // namespace

SnapshotPlan plan_snapshots(const RunConfiguration& configuration, const Simulation& simulation) {
  SnapshotPlan plan;
  const auto late = [&](double time) { return time > simulation.end() + simulation.dt(); };
  std::vector<double> times = simulation.scene().sample_times;
  if (configuration.snapshots.empty()) {
    std::erase_if(times, late);
    plan.asked = fmt::format("{}", fmt::join(times, ","));
  } else {
    plan.asked = configuration.snapshots;
    times = snapshot_times(plan.asked, simulation.end(), simulation.dt(), "snapshots");
    if (std::any_of(times.begin(), times.end(), late)) {
      plan.note = fmt::format("note: of the snapshots at {} s those after the end at {} s are not taken",
                              plan.asked, simulation.end());
      std::erase_if(times, late);
      plan.asked = fmt::format("{}", fmt::join(times, ","));
    }
  }
  plan.steps = snapshot_steps(times, simulation.dt(), simulation.steps());
  return plan;
}

Outcome compute(const Catalog& catalog, hdf5::File& file, const std::string& id,
                const RunConfiguration& configuration, const Surface& surface, const RunHooks& hooks) {
  Simulation simulation(catalog, configuration, surface);
  Diagnostics diagnostics(simulation);
  const SnapshotPlan snapshots = plan_snapshots(configuration, simulation);
  std::unique_ptr<Recorder> recorder;
  try {
    hdf5::Group run = file.root().open_group("runs").create_group(id);
    record_configuration(run, catalog, configuration);
    record_setup(run, simulation);
    if (const double depth = missing_water(simulation.scene(), simulation.water()).depth;
        depth > 0 && !(configuration.dt && configuration.substeps))
      run.set("dt_from_depth", depth);
    if (const std::string hash = files_hash(catalog, configuration); !hash.empty())
      run.set("files_hash", hash);
    run.set("snapshots", snapshots.asked);
    record_outcome(run, {"interrupted", "the program ended before the run did", 0, 0});
    recorder = std::make_unique<Recorder>(file, id, simulation, diagnostics);
    return step_and_record(configuration, simulation, *recorder, diagnostics, snapshots, hooks);
  } catch (const MachineError& error) {
    if (!recorder || recorder->time_flushed() < 0)
      throw MachineError(fmt::format("{}; the results hold nothing of run {}", error.what(), id));
    if (!file.is_there())
      throw MachineError(
          fmt::format("{}; '{}' has been removed meanwhile", error.what(), file.path().string()));
    throw MachineError(fmt::format("{}; the results hold run {} up to t = {:.6g} s of {:.6g} s", error.what(),
                                   id, recorder->time_flushed(), simulation.end()));
  }
}

void record_without_computing(const Catalog& catalog, hdf5::File& file, const std::string& id,
                              const RunConfiguration& configuration, const Surface& surface,
                              const Outcome& outcome) {
  hdf5::Group run = file.root().open_group("runs").create_group(id);
  record_configuration(run, catalog, configuration);
  run.set("mesh", mesh_hash(surface));
  record_outcome(run, outcome);
}

}  // namespace shoal
