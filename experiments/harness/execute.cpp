// The order of an experiment: check every run, open or continue the results file, compute what is missing.
#include "experiments/harness/execute.hpp"

#include "experiments/harness/progress.hpp"
#include "experiments/harness/provenance.hpp"
#include "experiments/harness/results.hpp"
#include "experiments/harness/xdmf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace shoal {
namespace {

namespace fs = std::filesystem;

// The .xdmf is written as a whole, so not after every short run.
constexpr std::chrono::seconds xdmf_interval{10};

volatile std::sig_atomic_t stop_signal = 0;

void stop(int signal) {
  stop_signal = signal;
}

std::string run_id(std::size_t index) {
  return fmt::format("{:04}", index + 1);
}

/// Surfaces of all runs, each loaded once.
class Surfaces {
 public:
  const Surface& get(const RunConfiguration& configuration) {
    const auto radius = configuration.parameters.find("radius");
    const auto key =
        std::pair(configuration.mesh,
                  radius == configuration.parameters.end() ? std::string() : to_string(radius->second));
    auto& surface = surfaces_[key];
    if (!surface) surface = std::make_unique<Surface>(load_surface(configuration));
    return *surface;
  }

 private:
  std::map<std::pair<std::string, std::string>, std::unique_ptr<Surface>> surfaces_;
};

bool same_runs(const std::vector<PlannedRun>& a, const std::vector<PlannedRun>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const PlannedRun& x, const PlannedRun& y) {
    return x.configuration == y.configuration;
  });
}

/// Throws Error if `path` is somebody else's file: that is never replaced.
void require_results(const fs::path& path) {
  const hdf5::File file(path, hdf5::Access::read);
  const hdf5::Group root = file.root();
  if (!root.has_attribute("format") || root.text("format") != "shoal")
    throw Error(
        fmt::format("output '{}': the file is not one of shoal's; --output names another", path.string()));
}

/// Throws Error unless `path` holds results of exactly these runs.
void require_same_experiment(const fs::path& path, const std::vector<PlannedRun>& plan) {
  const hdf5::File file(path, hdf5::Access::read);
  const hdf5::Group root = file.root();
  bool same = false;
  try {
    same = same_runs(plan, expand(parse_experiment(root.open_dataset("config").read_text(), path.string())));
  } catch (const Error&) {
    // a configuration that this version cannot read is another one
  }
  if (!same)
    throw Error(
        fmt::format("output '{}': the file holds another configuration; --fresh replaces it, --output names "
                    "another",
                    path.string()));
}

void record_provenance(hdf5::Group root, const Experiment& experiment, const ExecutionOptions& options) {
  const BuildInfo& build = build_info();
  root.set("format", "shoal");
  root.set("format_version", std::int64_t{1});
  root.set("created_utc", utc_now());
  root.set("command", options.command);
  root.set("git_commit", build.git_commit);
  root.set("git_dirty", std::int64_t{build.git_dirty});
  root.set("compiler", build.compiler);
  root.set("flags", build.flags);
  root.set("cpu", cpu_model());
  int threads = 1;
  for (const PlannedRun& run : expand(experiment)) threads = std::max(threads, run.configuration.threads);
  root.set("threads", std::int64_t{threads});
  root.set("library_versions", build.library_versions);
  root.write_text("config", to_toml(experiment));
  root.create_group("meshes");
  root.create_group("runs");
  root.create_group("xdmf");
}

/// Whether `output` holds these runs already, or part of them. Throws Error if it holds anything that is not
/// to be replaced.
bool goes_on(const ExecutionOptions& options, const std::vector<PlannedRun>& plan) {
  const fs::path& path = options.output;
  if (!fs::exists(path)) return false;
  if (!fs::is_regular_file(path) || !has_hdf5_signature(path))
    throw Error(
        fmt::format("output '{}': exists and is not a results file; --output names another", path.string()));
  require_results(path);
  if (options.fresh) return false;
  require_same_experiment(path, plan);
  return true;
}

/// A new results file. It appears under its name only when its head is complete.
hdf5::File create_results(const Experiment& experiment, const ExecutionOptions& options) {
  const fs::path& path = options.output;
  std::error_code failure;
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), failure);
  if (failure)
    throw MachineError(
        fmt::format("output '{}': cannot create the folder ({})", path.string(), failure.message()));
  const fs::path unfinished = path.string() + ".new";
  {
    hdf5::File file(unfinished, hdf5::Access::create);
    record_provenance(file.root(), experiment, options);
    file.flush();
  }
  fs::rename(unfinished, path, failure);
  if (failure)
    throw MachineError(fmt::format("output '{}': cannot be written ({})", path.string(), failure.message()));
  return {path, hdf5::Access::update};
}

/// Which runs of the file need not be computed again.
std::vector<bool> complete_runs(const fs::path& path, std::size_t count) {
  const hdf5::File file(path, hdf5::Access::read);
  const hdf5::Group runs = file.root().open_group("runs");
  std::vector<bool> complete(count);
  for (std::size_t i = 0; i < count; ++i)
    complete[i] = runs.has(run_id(i)) && read_outcome(runs.open_group(run_id(i))).outcome != "interrupted";
  return complete;
}

Outcome stopped(const Simulation& simulation, const StepReport& report, const std::string& instability) {
  Outcome outcome{"finished", "", simulation.time(), simulation.steps_done()};
  if (!report.ok) {
    outcome.outcome = "solver-failed";
    outcome.reason = report.reason;
  } else if (!instability.empty()) {
    outcome.outcome = "unstable";
    outcome.reason = instability;
  } else if (simulation.steps_done() < simulation.steps()) {
    outcome.outcome = "interrupted";
    outcome.reason = stop_signal == SIGINT ? "stopped by SIGINT" : "stopped by SIGTERM";
  }
  return outcome;
}

/// When the fields of a run are kept.
struct SnapshotPlan {
  std::string asked;  ///< by the user, or else by the scene
  std::vector<std::int64_t> steps;
};

SnapshotPlan plan_snapshots(const RunConfiguration& configuration, const Simulation& simulation) {
  SnapshotPlan plan;
  plan.asked = configuration.snapshots.empty()
                   ? fmt::format("{}", fmt::join(simulation.scene().sample_times, ","))
                   : configuration.snapshots;
  const std::vector<double> times =
      snapshot_times(plan.asked, simulation.end(), simulation.dt(), "snapshots");
  plan.steps = snapshot_steps(times, simulation.dt(), simulation.steps());
  return plan;
}

/// Sets up every run that is missing and drops it again, so that the user's mistakes are found before
/// anything is computed or written. What surface and scheme refuse is noted in the plan.
void check_runs(std::vector<PlannedRun>& plan, const std::vector<bool>& complete, Surfaces& surfaces) {
  for (std::size_t i = 0; i < plan.size() && stop_signal == 0; ++i) {
    const RunConfiguration& configuration = plan[i].configuration;
    const Surface& surface = surfaces.get(configuration);
    if (complete[i] || !plan[i].refusal.empty()) continue;
    const auto check = [&] {
      try {
        plan_snapshots(configuration, Simulation(configuration, surface));
      } catch (const Refusal& refusal) {
        plan[i].refusal = refusal.what();
      }
    };
    if (plan.size() == 1)
      check();
    else
      with_context(fmt::format("run {} ({})", run_id(i), label(configuration)), check);
  }
}

/// The loop: step, watch, record.
Outcome compute(hdf5::File& file, const std::string& id, const RunConfiguration& configuration,
                const Surface& surface, Progress& progress) {
  Simulation simulation(configuration, surface);
  const Diagnostics diagnostics(simulation);
  const SnapshotPlan snapshots = plan_snapshots(configuration, simulation);

  hdf5::Group run = file.root().open_group("runs").create_group(id);
  record_configuration(run, configuration);
  record_setup(run, simulation);
  run.set("snapshots", snapshots.asked);
  record_outcome(run, {"interrupted", "the program ended before the run did", 0, 0});
  Recorder recorder(file, id, simulation, diagnostics);

  StageClock clock;
  StepReport report;
  Energy energy = diagnostics.energy();
  std::string instability = diagnostics.instability(energy);
  recorder.record_diagnostics(diagnostics.evaluate(energy));
  recorder.record_snapshot();
  recorder.flush();  // from here on the file holds the run, whatever happens to the machine
  bool last = !instability.empty();
  while (!last) {
    clock.reset();
    const auto begin = StageClock::Clock::now();
    report = simulation.step(clock);
    const std::chrono::duration<double> total = StageClock::Clock::now() - begin;
    recorder.record_timing(total.count(), clock);

    energy = diagnostics.energy();
    instability = diagnostics.instability(energy);
    const std::int64_t step = simulation.steps_done();
    last = step == simulation.steps() || !report.ok || !instability.empty() || stop_signal != 0;
    // A failed step leaves the state of the step before, which is recorded if it was due.
    const auto to_record = [&](bool due) { return report.ok ? last || due : !due; };
    if (to_record(step % configuration.diagnostics_every == 0))
      recorder.record_diagnostics(diagnostics.evaluate(energy));
    if (to_record(std::binary_search(snapshots.steps.begin(), snapshots.steps.end(), step)))
      recorder.record_snapshot();
    recorder.flush_if_due();
    progress.update(simulation);
  }
  const Outcome outcome = stopped(simulation, report, instability);
  recorder.finish(outcome);
  return outcome;
}

Outcome refuse(hdf5::File& file, const std::string& id, const PlannedRun& planned, const Surface& surface) {
  hdf5::Group run = file.root().open_group("runs").create_group(id);
  const Outcome outcome{"refused", planned.refusal, 0, 0};
  record_configuration(run, planned.configuration);
  run.set("mesh", mesh_hash(surface));
  record_outcome(run, outcome);
  file.flush();
  return outcome;
}

void warn_about_other_code(const hdf5::Group& root, Progress& progress) {
  const BuildInfo& build = build_info();
  const std::string commit = root.text("git_commit");
  if (commit != build.git_commit)
    progress.line(fmt::format("note: the file was begun by commit {}, this program is commit {}", commit,
                              build.git_commit));
  else if (build.git_dirty)
    progress.line(
        "note: this program holds changes that are not committed; the runs kept may come from other code");
}

}  // namespace

void install_stop_signals() {
  struct sigaction action {};
  action.sa_handler = stop;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is reported like a full disk
}

Execution execute(const Experiment& experiment, const ExecutionOptions& options) {
  std::vector<PlannedRun> plan = expand(experiment);
  const bool continued = goes_on(options, plan);
  const std::vector<bool> complete =
      continued ? complete_runs(options.output, plan.size()) : std::vector<bool>(plan.size());
  if (options.single && !plan.front().refusal.empty())
    throw Refusal(fmt::format("{} with {}: {}", plan.front().configuration.discretization,
                              plan.front().configuration.integrator, plan.front().refusal));
  Surfaces surfaces;
  check_runs(plan, complete, surfaces);
  if (options.single && !plan.front().refusal.empty()) throw Refusal(plan.front().refusal);

  hdf5::File file =
      continued ? hdf5::File(options.output, hdf5::Access::update) : create_results(experiment, options);
  hdf5::Group runs = file.root().open_group("runs");
  Progress progress(options.quiet, plan.size());
  const auto kept = static_cast<std::size_t>(std::count(complete.begin(), complete.end(), true));
  progress.kept(kept);
  if (kept > 0) warn_about_other_code(file.root(), progress);

  Execution execution;
  auto xdmf_written = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < plan.size() && stop_signal == 0; ++i) {
    const std::string id = run_id(i);
    if (complete[i]) {
      execution.outcomes.push_back(read_outcome(runs.open_group(id)));
      continue;
    }
    hdf5::Group views = file.root().open_group("xdmf");
    if (runs.has(id)) runs.remove(id);
    if (views.has(id)) views.remove(id);
    const Surface& surface = surfaces.get(plan[i].configuration);
    record_mesh(file.root().open_group("meshes"), surface);
    progress.begin(i + 1, plan[i].configuration);
    execution.outcomes.push_back(plan[i].refusal.empty()
                                     ? compute(file, id, plan[i].configuration, surface, progress)
                                     : refuse(file, id, plan[i], surface));
    progress.end(execution.outcomes.back());
    if (std::chrono::steady_clock::now() - xdmf_written > xdmf_interval) {
      write_xdmf(file);
      xdmf_written = std::chrono::steady_clock::now();
    }
  }
  write_xdmf(file);
  execution.signal = stop_signal;
  return execution;
}

}  // namespace shoal
