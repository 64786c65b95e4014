// The loop: step, watch, record.
#include "experiments/harness/run/compute.hpp"
#include "experiments/harness/run/missing_water.hpp"
#include "experiments/harness/run/saved_run.hpp"

#include "discretizations/common/thrown.hpp"
#include "experiments/harness/system/stop_signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

constexpr const char* not_enough_memory = "there is not enough memory";

double mass_of(const Simulation& simulation) {
  return simulation.scene().density * simulation.water().volume().sum();
}

/// Where mass has come or gone that no source explains, of an integrator that keeps it.
std::string unbooked_mass(const Simulation& simulation, double start_mass) {
  const IntegratorEntry& integrator =
      simulation.catalog().integrators.find(simulation.present_configuration().integrator);
  if (!integrator.mass_drift(parameters_of(simulation.catalog(), simulation.present_configuration())).empty())
    return "";
  constexpr double rounding = 1e-9;  // of 1e6 steps and more, each of 1e-16
  const double mass = mass_of(simulation), source = simulation.water().ledger().mass_source,
               parted = mass - start_mass - source;
  if (std::abs(parted) <= rounding * std::max({start_mass, mass, std::abs(source)})) return "";
  return fmt::format("the mass, {:.9g} kg, differs by {:.3g} kg from that at the start and mass_source", mass,
                     parted);
}

/// What a run that finished went through that its user should know.
std::string remarks(const Simulation& simulation, const Recorder& recorder, double start_mass) {
  std::vector<std::string> sentences;
  if (std::string unbooked = unbooked_mass(simulation, start_mass); !unbooked.empty())
    sentences.push_back(std::move(unbooked));
  constexpr double rounding = 1e-12;
  if (const double lacking = simulation.water().ledger().mass_lacking;
      lacking > rounding * std::max(start_mass, mass_of(simulation)))
    sentences.push_back(fmt::format("sinks were to take {:.6g} kg of water that was not there", lacking));
  if (const NegativeDepths& negative = recorder.negative_depths(); negative.cells > 0)
    sentences.push_back(fmt::format("the depth is below zero in up to {} of {} cells, first at t = {:.6g} s",
                                    negative.cells, simulation.discretization().cells().count(),
                                    negative.time));
  for (const ClampRise& clamp : recorder.risen_clamps())
    sentences.push_back(
        fmt::format("{} takes effect at up to {} elements ({} at the start), first at t = {:.6g} s",
                    clamp.name, clamp.most, clamp.start, clamp.time));
  const std::string critical = "critical_discharge_";
  for (const ClampCount& clamp :
       simulation.discretization().clamp_counts(simulation.state(), simulation.water().forces()))
    if (clamp.count > 0 && clamp.name.rfind(critical, 0) == 0)
      sentences.push_back(fmt::format(
          "the discharge at '{}' enters with the critical velocity at its end: a faster flow needs an "
          "inflow with depth and speed",
          clamp.name.substr(critical.size())));
  const World& world = simulation.world();
  for (int i = 0; i < world.model_count(); ++i)
    if (const Coupling* coupling = world.coupling(i); coupling && coupling->collision().leap().body >= 0)
      sentences.push_back(fmt::format(
          "body '{}' passed the water by up to {:.3g} times its size in a step, and may have missed it: "
          "take a shorter dt",
          world.bodies().name(coupling->collision().leap().body), coupling->collision().leap().length));
  return join(sentences, "; ");
}

/// `shortage`: what the machine lacked, or "".
Outcome stopped(const Simulation& simulation, const StepReport& report, const std::string& shortage,
                const std::string& instability, const std::string& cfl_remark, const Recorder& recorder,
                double start_mass) {
  Outcome outcome{"finished", "", simulation.time(), simulation.steps_done()};
  if (!shortage.empty()) {
    outcome.outcome = "interrupted";
    outcome.reason = shortage;
  } else if (!report.ok) {
    outcome.outcome = report.unstable                       ? "unstable"
                      : !simulation.refused_input().empty() ? "input-refused"
                                                            : "solver-failed";
    outcome.reason = report.reason;
  } else if (!instability.empty()) {
    outcome.outcome = "unstable";
    outcome.reason = instability + cfl_remark;
  } else if (!simulation.finished()) {
    outcome.outcome = "interrupted";
    outcome.reason = stop_reason();
  } else {
    outcome.reason = remarks(simulation, recorder, start_mass);
  }
  return outcome;
}

/// Whether the substeps of an explicit integrator were longer than the scheme allows, in the rows of a run while it was stable.
class CflWatch {
 public:
  CflWatch(const Simulation& simulation, const Diagnostics& diagnostics) : simulation_(simulation) {
    for (const Quantity& quantity : diagnostics.quantities()) {
      if (quantity.name == "cfl") break;
      column_ += static_cast<std::size_t>(quantity.components);
    }
  }
  void look(const std::vector<double>& row) {
    constexpr double rounding = 1e-9;
    const IntegratorEntry& integrator =
        simulation_.catalog().integrators.find(simulation_.present_configuration().integrator);
    if (column_ == row.size() || !(row[column_] > 1 + rounding) ||
        !integrator.explicit_terms.has(Term::gravity))
      return;
    if (largest_ == 0) since_ = simulation_.time();
    largest_ = std::max(largest_, row[column_]);
  }
  std::string remark() const {
    if (largest_ == 0) return "";
    return fmt::format(
        "; cfl: from t = {:.6g} s on the substep was longer than the scheme allows, up to {:.3g} times",
        since_, largest_);
  }
  void save(Archive& archive) const { archive.put("cfl", Vector(Eigen::Vector2d(since_, largest_))); }
  void restore(const Archive& archive) {
    since_ = archive.vector("cfl")[0];
    largest_ = archive.vector("cfl")[1];
  }

 private:
  const Simulation& simulation_;
  std::size_t column_ = 0;
  double since_ = 0, largest_ = 0;
};

/// A run with all that its next steps and rows depend on.
struct RunContext {
  RunContext(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface)
      : simulation(catalog, configuration, surface),
        start_mass(mass_of(simulation)),
        diagnostics(simulation),
        cfl(simulation, diagnostics) {}

  void save(const SavePlan& saves) const {
    Archive whole, part;
    simulation.save(part);
    whole.put("simulation.", part);
    part = {};
    diagnostics.save(part);
    whole.put("diagnostics.", part);
    part = {};
    recorder->save(part);
    whole.put("recorder.", part);
    Vector solver(4);
    solver << work.iterations, work.factorizations, work.residual, work.analyses;
    whole.put("solver", solver);
    cfl.save(whole);
    write_saved_run(saves.file, saves.identity, whole);
  }

  /// The rows first: where they are not there the simulation is still at its start.
  void restore(const Archive& archive, const hdf5::Group& earlier) {
    recorder->restore(archive.part("recorder."), earlier);
    diagnostics.restore(archive.part("diagnostics."));
    simulation.restore(archive.part("simulation."));
    cfl.restore(archive);
    const Vector& solver = archive.vector("solver");
    work = {static_cast<int>(solver[0]), static_cast<int>(solver[1]), solver[2], static_cast<int>(solver[3])};
  }

  Simulation simulation;
  const double start_mass;  // kg
  Diagnostics diagnostics;
  CflWatch cfl;
  std::unique_ptr<Recorder> recorder;
  SolverWork work;  // since the last row
};

std::unique_ptr<RunContext> set_up(const Catalog& catalog, const RunConfiguration& configuration,
                                   const Surface& surface) {
  try {
    return std::make_unique<RunContext>(catalog, configuration, surface);
  } catch (const MachineError& error) {
    throw Shortage(error.what());
  } catch (const std::bad_alloc&) {
    throw Shortage(not_enough_memory);
  }
}

/// When a run is saved: not more often than planned, nor so often that it takes more than a twentieth of the time.
class SaveClock {
 public:
  explicit SaveClock(const SavePlan& saves) : saves_(saves), next_(Clock::now() + interval()) {}
  void save_if_due(RunContext& course, bool ends) {
    const auto begin = Clock::now();
    if (saves_.file.empty() || (!ends && begin < next_)) return;
    course.recorder->flush(true);
    try {
      course.save(saves_);
    } catch (const MachineError&) {
      // It then begins anew; the results hold what they hold.
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

Outcome step_and_record(const RunConfiguration& configuration, RunContext& course,
                        const SnapshotPlan& snapshots, const RunHooks& hooks, const SavePlan& saves) {
  Simulation& simulation = course.simulation;
  Diagnostics& diagnostics = course.diagnostics;
  Recorder& recorder = *course.recorder;
  StageClock clock;
  StepReport report;
  Energy energy;
  std::string instability, shortage;
  bool broken = false;  // something was thrown
  const auto record_row = [&] {
    const std::vector<double> row = diagnostics.evaluate(energy, course.work);
    recorder.record_diagnostics(row);
    if (instability.empty()) course.cfl.look(row);
    if (instability.empty()) instability = diagnostics.not_finite(row);
    course.work = {};
  };
  const auto lack = [&](const std::string& what) { shortage = what, broken = true; };
  // Whatever is thrown within a run ends this run alone, a failure to write its results excepted.
  const auto attempt = [&](const auto& body) {
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
    try {
      report = simulation.step(clock);
    } catch (const MachineError& error) {  // of a library
      lack(error.what());
    }
  };
  attempt([&] {
    energy = diagnostics.energy();
    instability = diagnostics.instability(energy);
    if (simulation.steps_done() > 0) return;
    record_row();
    recorder.record_snapshot();
    recorder.watch();
  });
  hooks.beginning();
  recorder.flush(false);  // from here on the file holds the run
  hooks.flushed();
  SaveClock save_clock(saves);
  bool last = !instability.empty() || simulation.finished();
  const auto advance = [&] {
    clock.reset();
    const auto begin = StageClock::Clock::now();
    take_step();
    if (broken) return;
    const std::chrono::duration<double> total = StageClock::Clock::now() - begin;
    course.work += clock.work();
    if (report.ok) {
      recorder.record_timing(total.count() - clock.seconds(Stage::work), clock);
      recorder.watch();
    }

    const std::int64_t step = simulation.steps_done();
    const bool follows = simulation.follows_water(), met = follows && report.ok && simulation.met_time(),
               row_is_due = step % configuration.diagnostics_every == 0 || met,
               snapshot_is_due =
                   follows ? met : std::binary_search(snapshots.steps.begin(), snapshots.steps.end(), step),
               stops = stop_signal() != 0, ends = simulation.finished() || !report.ok || stops;
    energy = row_is_due || ends ? diagnostics.energy() : diagnostics.energy_between_rows();
    instability = diagnostics.instability(energy);
    last = ends || !instability.empty();
    if (last && !ends) energy = diagnostics.energy();
    // A failed step leaves the state of the step before, which is recorded unless it has been; where the
    // surface moves that state would lie on the surface of the step that failed.
    const bool moves = static_cast<bool>(simulation.scene().motion);
    const bool failed_between = !report.ok && !moves;
    if (report.ok ? row_is_due : failed_between && !row_is_due) record_row();
    last = last || !instability.empty();
    if (report.ok ? snapshot_is_due : failed_between && !snapshot_is_due) recorder.record_snapshot();
    if (report.ok && instability.empty() && !simulation.finished()) save_clock.save_if_due(course, stops);
    // Where a run ends between them it has a row and a snapshot more than one that goes on.
    if (report.ok && last && !row_is_due) record_row();
    if (report.ok && last && !snapshot_is_due) recorder.record_snapshot();
    if (recorder.flush_if_due()) hooks.flushed();
    hooks.stepped(simulation);
  };
  while (!last && !broken) attempt(advance);
  const Outcome outcome =
      stopped(simulation, report, shortage, instability, course.cfl.remark(), recorder, course.start_mass);
  recorder.finish(outcome);
  return outcome;
}

/// The attributes of a run that begins.
void record_beginning(hdf5::Group& run, const Catalog& catalog, const RunConfiguration& configuration,
                      const Simulation& simulation, const SnapshotPlan& snapshots) {
  record_configuration(run, catalog, configuration);
  record_setup(run, simulation);
  if (const double depth = missing_water(simulation.scene(), simulation.water()).depth;
      depth > 0 && !(configuration.dt && configuration.substeps))
    run.set("dt_from_depth", depth);
  if (const std::string hash = files_hash(catalog, configuration); !hash.empty()) run.set("files_hash", hash);
  run.set("snapshots", snapshots.asked);
  record_outcome(run, {"interrupted", "the program ended before the run did", 0, 0});
}

/// The scene's times, and where the run is longer at most as many more as keep a table of them readable, at multiples of the
/// last interval.
std::vector<double> default_times(std::vector<double> times, double end) {
  if (times.empty()) return times;
  constexpr int all = 8, at_least = 4;  // times in all, more of them after the scene's
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

SnapshotPlan plan_snapshots(const RunConfiguration& configuration, const Simulation& simulation) {
  SnapshotPlan plan;
  const bool exact = !configuration.dt;
  const double dt = exact ? 0 : simulation.dt();
  const auto late = [&](double time) { return time > simulation.end() + dt; };
  std::vector<double> times = simulation.scene().sample_times;
  if (configuration.snapshots.empty()) {
    std::erase_if(times, late);
    times = default_times(std::move(times), simulation.end());
    plan.asked = fmt::format("{}", fmt::join(times, ","));
  } else {
    plan.asked = configuration.snapshots;
    times = snapshot_times(plan.asked, simulation.end(), dt, "snapshots");
    if (std::any_of(times.begin(), times.end(), late)) {
      plan.note = fmt::format("note: of the snapshots at {} s those after the end at {} s are not taken",
                              plan.asked, simulation.end());
      std::erase_if(times, late);
      plan.asked = fmt::format("{}", fmt::join(times, ","));
    }
  }
  if (exact)
    plan.times = std::move(times);
  else
    plan.steps = snapshot_steps(times, simulation.dt(), simulation.steps());
  return plan;
}

Outcome compute(const Catalog& catalog, hdf5::File& file, const std::string& id,
                const RunConfiguration& configuration, const Surface& surface, const RunHooks& hooks,
                const SavePlan& saves) {
  std::optional<Archive> saved;
  if (!saves.earlier.empty() && std::filesystem::exists(saves.earlier))
    saved = read_saved_run(saves.file, saves.identity);
  std::unique_ptr<RunContext> course;
  double end = 0;
  try {
    while (true) {
      course = set_up(catalog, configuration, surface);
      end = course->simulation.end();
      hdf5::Group runs = file.root().open_group("runs"), run = runs.create_group(id);
      const SnapshotPlan snapshots = plan_snapshots(configuration, course->simulation);
      course->simulation.follow_water(snapshots.times);
      record_beginning(run, catalog, configuration, course->simulation, snapshots);
      course->recorder = std::make_unique<Recorder>(file, id, course->simulation, course->diagnostics);
      try {
        if (saved) {
          course->restore(
              *saved, hdf5::File(saves.earlier, hdf5::Access::read).root().open_group("runs").open_group(id));
          hooks.continued(course->simulation.time());
        }
      } catch (const std::exception&) {  // then it begins anew
        saved.reset();
        course.reset();
        for (const char* place : {"runs", "xdmf"})
          if (hdf5::Group group = file.root().open_group(place); group.has(id)) group.remove(id);
        continue;
      }
      return step_and_record(configuration, *course, snapshots, hooks, saves);
    }
  } catch (const Shortage&) {
    throw;
  } catch (const MachineError& error) {
    const double flushed = course && course->recorder ? course->recorder->time_flushed() : -1;
    if (flushed < 0)
      throw MachineError(fmt::format("{}; the results hold nothing of run {}", error.what(), id));
    if (!file.is_there())
      throw MachineError(
          fmt::format("{}; '{}' has been removed meanwhile", error.what(), file.path().string()));
    throw MachineError(fmt::format("{}; the results hold run {} up to t = {:.6g} s of {:.6g} s", error.what(),
                                   id, flushed, end));
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
