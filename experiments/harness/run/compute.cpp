// The loop: step, monitor, record.
#include "experiments/harness/run/compute.hpp"

#include "experiments/harness/run/recorder.hpp"
#include "experiments/harness/run/saved_run.hpp"
#include "experiments/harness/run/water_observer.hpp"

#include "discretizations/common/thrown.hpp"
#include "experiments/harness/system/stop_signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace shoal {
namespace {

constexpr const char* not_enough_memory = "not enough memory";

/// `shortage`: the resource that the machine lacked, or "".
Outcome stopped(const Run& run, const Observer& observer, const StepReport& report,
                const std::string& shortage, const std::string& instability) {
  Outcome outcome{"finished", "", run.time(), run.steps_done()};
  if (!shortage.empty()) {
    outcome.outcome = "interrupted";
    outcome.reason = shortage;
  } else if (!report.ok) {
    outcome.outcome = report.unstable                ? "unstable"
                      : !run.refused_input().empty() ? "input-refused"
                                                     : "solver-failed";
    outcome.reason = report.reason + (report.unstable ? observer.remarks(true) : "");
  } else if (!instability.empty()) {
    outcome.outcome = "unstable";
    outcome.reason = instability + observer.remarks(true);
  } else if (!run.finished()) {
    outcome.outcome = "interrupted";
    outcome.reason = stop_signal() != 0 ? stop_reason() : "stopped with another process";
  } else {
    outcome.reason = observer.remarks(false);
  }
  return outcome;
}

/// A run with everything that determines its next steps and rows.
struct RunContext {
  explicit RunContext(ObservedRun made) : run(std::move(made.run)), observer(std::move(made.observer)) {}

  Archive archive() const {
    Archive whole, part;
    run->save(part);
    whole.put("run.", part);
    part = {};
    observer->save(part);
    whole.put("observer.", part);
    part = {};
    recorder->save(part);
    whole.put("recorder.", part);
    Vector solver(4);
    solver << work.iterations, work.factorizations, work.residual, work.analyses;
    whole.put("solver", solver);
    return whole;
  }

  void save(const SavePlan& saves) const {
    const Archive whole = run->of_whole(archive());
    if (run->ranks().rank() == 0) write_saved_run(saves.file, saves.identity, whole);
  }

  /// `saved` and `previous` are given on rank 0. Restores the rows first: if they are missing, the run is still in its initial state.
  void restore(const std::optional<Archive>& saved, const std::filesystem::path& previous,
               const std::string& id) {
    std::string problem;
    try {
      if (saved) {
        const hdf5::File file(previous, hdf5::Access::read);
        const hdf5::Group rows = file.root().open_group("runs").open_group(id);
        recorder->restore(saved->part("recorder."), &rows);
      }
    } catch (const std::exception& error) {
      problem = error.what();
    }
    if (problem = first_said(run->ranks(), problem); !problem.empty()) throw Error(problem);
    const Archive here = run->of_part(saved.value_or(Archive()), archive());
    if (!saved) recorder->restore(here.part("recorder."), nullptr);
    observer->restore(here.part("observer."));
    run->restore(here.part("run."));
    const Vector& solver = here.vector("solver");
    work = {static_cast<int>(solver[0]), static_cast<int>(solver[1]), solver[2], static_cast<int>(solver[3])};
  }

  std::unique_ptr<Run> run;
  std::unique_ptr<Observer> observer;
  std::unique_ptr<Recorder> recorder;
  SolverWork work;  // since the last row
};

std::unique_ptr<RunContext> set_up(const std::function<ObservedRun()>& make) {
  try {
    return std::make_unique<RunContext>(make());
  } catch (const MachineError& error) {
    throw Shortage(error.what());
  } catch (const std::bad_alloc&) {
    throw Shortage(not_enough_memory);
  }
}

/// The times of checkpoints: at most as often as planned, and taking at most a twentieth of the time.
class SaveClock {
 public:
  explicit SaveClock(const SavePlan& saves) : saves_(saves), next_(Clock::now() + interval()) {}
  /// Whether there is a place for checkpoints.
  bool has_file() const { return !saves_.file.empty(); }
  bool is_due() const { return has_file() && Clock::now() >= next_; }
  /// Collective.
  void save(const RunContext& context) {
    const auto begin = Clock::now();
    context.recorder->flush(true);
    try {
      context.save(saves_);
    } catch (const MachineError&) {
      // A failed checkpoint is not an error: a later resume may restart the run; results already written stay.
    }
    const auto end = Clock::now();
    next_ = end + std::max(interval(), 20 * (end - begin));
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::duration interval() const {
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(saves_.interval));
  }
  const SavePlan& saves_;
  Clock::time_point next_;
};

Outcome step_and_record(const RunConfiguration& configuration, RunContext& context,
                        const SnapshotPlan& snapshots, const RunHooks& hooks, const SavePlan& saves) {
  Run& run = *context.run;
  Observer& observer = *context.observer;
  Recorder& recorder = *context.recorder;
  StageClock clock;
  StepReport report;
  std::string instability, shortage;
  bool broken = false;  // an exception was thrown
  const auto record_row = [&] {
    const std::vector<double> row = observer.row(context.work);
    recorder.record_row(row);
    if (instability.empty()) instability = not_finite(observer.quantities(), row);
    context.work = {};
  };
  const auto lack = [&](const std::string& what) { shortage = what, broken = true; };
  // An exception within a run ends only this run, except for a failure to write its results, and of several processes all, because
  // the others wait for this one.
  const bool is_alone = run.ranks().count() == 1;
  const auto attempt = [&](const auto& body) {
    if (!is_alone) return body();
    try {
      body();
    } catch (const MachineError&) {
      throw;
    } catch (const std::bad_alloc&) {
      lack(not_enough_memory);
    } catch (...) {
      report = {false, thrown()};
      broken = true;
    }
  };
  const auto take_step = [&] {
    if (!is_alone) {
      report = run.step(clock);
      return;
    }
    try {
      report = run.step(clock);
    } catch (const MachineError& error) {  // of a library
      lack(error.what());
    }
  };
  attempt([&] {
    instability = observer.instability(true);
    if (run.steps_done() > 0) return;
    record_row();
    recorder.record_snapshot();
    observer.watch();
  });
  hooks.beginning();
  recorder.flush(false);  // from here on the file contains the run
  hooks.flushed();
  SaveClock save_clock(saves);
  bool last = !instability.empty() || run.finished();
  const auto advance = [&] {
    clock.reset();
    const auto begin = StageClock::Clock::now();
    take_step();
    if (broken) return;
    const std::chrono::duration<double> total = StageClock::Clock::now() - begin;
    context.work += clock.work();
    if (report.ok) {
      recorder.record_timing(total.count() - clock.seconds(Stage::work), clock);
      observer.watch();
    }

    const std::int64_t step = run.steps_done();
    const bool met = run.adaptive() && report.ok && run.met_time(),
               row_is_due = step % configuration.diagnostics_every == 0 || met,
               snapshot_is_due =
                   run.adaptive() ? met
                                  : std::binary_search(snapshots.steps.begin(), snapshots.steps.end(), step);
    std::array<std::int64_t, 3> asked = {stop_signal() != 0, save_clock.is_due(), save_clock.has_file()};
    run.ranks().add(asked);  // rank 0 has the file
    const bool stops = asked[0] != 0, saves_now = asked[1] != 0 || (stops && asked[2] != 0),
               ends = run.finished() || !report.ok || stops;
    instability = observer.instability(row_is_due || ends);
    last = ends || !instability.empty();
    // A failed step leaves the state of the previous step, which is recorded unless it already is. On a moving surface it is not
    // recorded, because the surface is already that of the failed step.
    const bool failed_between = !report.ok && !run.domain_moves();
    if (report.ok ? row_is_due : failed_between && !row_is_due) record_row();
    last = last || !instability.empty();
    if (report.ok ? snapshot_is_due : failed_between && !snapshot_is_due) recorder.record_snapshot();
    if (report.ok && instability.empty() && !run.finished() && saves_now) save_clock.save(context);
    // A run that ends between two output steps gets one extra row and snapshot.
    if (report.ok && last && !row_is_due) record_row();
    if (report.ok && last && !snapshot_is_due) recorder.record_snapshot();
    if (recorder.flush_if_due()) hooks.flushed();
    hooks.stepped(run);
  };
  while (!last && !broken) attempt(advance);
  const Outcome outcome = stopped(run, observer, report, shortage, instability);
  recorder.finish(outcome);
  return outcome;
}

/// The scene's times. If the run is longer, further times are added at multiples of the last interval, but only so many that a
/// table of them remains readable.
std::vector<double> default_times(std::vector<double> times, double end) {
  if (times.empty()) return times;
  constexpr int all = 8, at_least = 4;  // times in total; minimum number of added times
  constexpr double rounding = 1e-9;
  const double last = times.back(), interval = times.size() > 1 ? last - times[times.size() - 2] : last;
  const double count = std::floor((end - last) / interval + rounding);
  if (!(interval > 0 && count >= 1)) return times;
  const double stride =
      interval * std::ceil(count / std::max<double>(at_least, all - static_cast<double>(times.size())));
  for (int k = 1; last + k * stride <= end * (1 + rounding); ++k) times.push_back(last + k * stride);
  return times;
}

}  // namespace

SnapshotPlan plan_snapshots(const RunConfiguration& configuration, const Run& run) {
  SnapshotPlan plan;
  std::vector<double> times = run.default_times();
  const bool exact = run.chooses_steps();
  const double dt = exact ? 0 : run.dt();
  const auto late = [&](double time) { return time > run.end() + dt; };
  if (configuration.snapshots.empty()) {
    std::erase_if(times, late);
    times = default_times(std::move(times), run.end());
    plan.asked = fmt::format("{}", fmt::join(times, ","));
  } else {
    plan.asked = configuration.snapshots;
    times = snapshot_times(plan.asked, run.end(), dt, "snapshots");
    if (std::any_of(times.begin(), times.end(), late)) {
      plan.note = fmt::format("note: of the snapshots at {} s, those after the end at {} s are skipped",
                              plan.asked, run.end());
      std::erase_if(times, late);
      plan.asked = fmt::format("{}", fmt::join(times, ","));
    }
  }
  if (exact)
    plan.times = std::move(times);
  else
    plan.steps = snapshot_steps(times, run.dt(), run.steps());
  return plan;
}

Outcome compute(hdf5::File& file, const std::string& id, const RunConfiguration& configuration,
                const std::function<ObservedRun()>& make, const RunHooks& hooks, const SavePlan& saves) {
  std::optional<Archive> saved;
  if (!saves.previous.empty() && std::filesystem::exists(saves.previous))
    saved = read_saved_run(saves.file, saves.identity);
  std::unique_ptr<RunContext> context;
  double end = 0;
  try {
    while (true) {
      context = set_up(make);
      end = context->run->end();
      hdf5::Group runs = file.root().open_group("runs"), group = runs.create_group(id);
      const SnapshotPlan snapshots = plan_snapshots(configuration, *context->run);
      context->run->meet(snapshots.times);
      record_keys(group, configuration);
      group.set("snapshots", snapshots.asked);
      record_outcome(group, {"interrupted", "the program ended before the run", 0, 0});
      context->recorder = std::make_unique<Recorder>(file, id, *context->run, *context->observer);
      try {
        if (!first_said(context->run->ranks(), saved ? "saved" : "").empty()) {
          context->restore(saved, saves.previous, id);
          hooks.continued(context->run->time());
        }
      } catch (const std::exception&) {  // the run restarts
        saved.reset();
        context.reset();
        for (const char* place : {"runs", "xdmf"})
          if (hdf5::Group all = file.root().open_group(place); all.has(id)) all.remove(id);
        continue;
      }
      return step_and_record(configuration, *context, snapshots, hooks, saves);
    }
  } catch (const Shortage&) {
    throw;
  } catch (const MachineError& error) {
    const double flushed = context && context->recorder ? context->recorder->time_flushed() : -1;
    if (flushed < 0)
      throw MachineError(fmt::format("{}; the results contain nothing of run {}", error.what(), id));
    if (!file.is_there())
      throw MachineError(
          fmt::format("{}; '{}' has been removed meanwhile", error.what(), file.path().string()));
    throw MachineError(fmt::format("{}; the results contain run {} up to t = {:.6g} s of {:.6g} s",
                                   error.what(), id, flushed, end));
  }
}

Outcome compute(const Catalog& catalog, hdf5::File& file, const std::string& id,
                const RunConfiguration& configuration, const Surface& surface, const RunHooks& hooks,
                const SavePlan& saves, std::shared_ptr<const Ranks> ranks) {
  return compute(
      file, id, configuration, [&] { return set_up_run(catalog, configuration, surface, ranks); }, hooks,
      saves);
}

ObservedRun set_up_run(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
                       std::shared_ptr<const Ranks> ranks) {
  auto simulation = std::make_unique<Simulation>(catalog, configuration, surface, std::move(ranks));
  auto observer = std::make_unique<WaterObserver>(*simulation, configuration);
  return {std::move(simulation), std::move(observer)};
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
