// The steps of an experiment: check every run, open or resume the results file, compute missing runs.
//
// A sweep computes each run in a process of its own into a part beside the results (see output.hpp); this
// process alone writes the results file and copies the finished parts into it. A single run is recorded there
// directly.
#include "experiments/harness/sweep/execute.hpp"

#include "experiments/harness/run/compute.hpp"
#include "experiments/harness/run/saved_run.hpp"
#include "experiments/harness/storage/provenance.hpp"
#include "experiments/harness/storage/xdmf.hpp"
#include "experiments/harness/sweep/launched_run.hpp"
#include "experiments/harness/sweep/prediction.hpp"
#include "experiments/harness/sweep/progress.hpp"
#include "experiments/harness/system/processes.hpp"
#include "experiments/harness/system/stop_signals.hpp"

#include "solvers/launched_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <limits>
#include <set>
#include <utility>

namespace shoal {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds publish_interval{500};
constexpr std::chrono::seconds stop_patience{1};  // for long steps after a signal
constexpr double max_time_share = 0.02;           // of a run, spent on steps that only predict its duration

void warn_about_other_code(const hdf5::Group& root, Progress& progress) {
  const BuildInfo& build = build_info();
  const std::string commit = root.text("git_commit");
  if (commit != build.git_commit)
    progress.line(fmt::format("note: the file was created by commit {}, this program is commit {}", commit,
                              build.git_commit));
  else if (build.git_dirty)
    progress.line(
        "note: this program has uncommitted changes; the existing runs may come from different code");
}

constexpr std::chrono::seconds patience_for_ranks{20};

SavePlan save_plan_of(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options,
                      const std::string& id, const RunConfiguration& configuration, const Surface& surface) {
  const std::string what = packed(
      {to_toml(without_threads(experiment)), id, mesh_hash(surface), files_hash(catalog, configuration)});
  return {.file = save_path(options.output, id),
          .previous = previous_results_path(options.output, id),
          .identity = identity_of_run(catalog, what),
          .interval = options.save_interval};
}

/// The results file and related data while runs are computed.
class Session {
 public:
  Session(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options,
          Preparation& prepared)
      : catalog_(catalog),
        experiment_(experiment),
        options_(options),
        works_(prepared.works),
        surfaces_(prepared.surfaces),
        results_(prepared.previous ? resume_results(options.output, *prepared.previous)
                                   : create_results(catalog, options.output, experiment, options.command)),
        progress_(options.quiet, works_.size(), options.single ? 1 : options.jobs),
        xdmf_(XdmfFiles(options.output, run_ids(works_.size()))) {
    if (prepared.previous) show_existing_results();
    std::size_t kept = 0;
    for (const Work& work : works_) kept += work.previous.complete ? 1 : 0;
    progress_.kept(kept);
    if (!options.single && !options.quiet) weigh_runs();
    report_problem();
    for (const Work& work : works_)
      if (!work.note.empty()) progress_.line(works_.size() == 1 ? work.note : work.id + " " + work.note);
    if (kept > 0) warn_about_other_code(results_.root(), progress_);
  }

  void run_single() {
    Work& work = works_.front();
    if (!work.previous.complete) {
      RunStatus status;
      keep_partial_runs({&work});
      remove_run(results_, work.id);
      record_mesh(results_.root().open_group("meshes"), surfaces_.get(work.configuration));
      progress_.begin(work.id, work.configuration, status);
      const RunHooks hooks = {
          .stepped =
              [&](const Run& run) {
                status.set(run);
                progress_.draw();
              },
          .beginning =
              [&] {
                xdmf_.forget(work.id);
                xdmf_.write();
              },
          .flushed =
              [&] {
                xdmf_.update(results_, work.id);
                xdmf_.write();
              },
          .continued =
              [&](double time) {
                progress_.line(fmt::format("resuming from the checkpoint at t = {:.6g} s", time));
              }};
      options_.ranks->share(run_is_computed);
      record_ranks();
      work.outcome = compute(catalog_, results_, work.id, work.configuration,
                             surfaces_.get(work.configuration), hooks, save_plan(work), options_.ranks);
      if (options_.ranks->count() > 1)
        results_.root().set("layers",
                            results_.root().open_group("runs").open_group(work.id).integer("layers"));
      merged_.push_back(work.id);  // since the last flush
      progress_.end(work.id, work.configuration, *work.outcome);
    } else {
      options_.ranks->share("");
    }
    finish();
  }

  void run_sweep() {
    std::vector<Work*> missing;
    for (Work& work : works_) {
      if (work.previous.complete) continue;
      record_mesh(results_.root().open_group("meshes"), surfaces_.get(work.configuration));
      if (work.outcome)
        record(work);
      else
        missing.push_back(&work);
    }
    keep_partial_runs(missing);
    record_ranks();
    publish();
    compute_in_processes(missing);
    if (!failure_.empty())
      throw MachineError(results_.is_there()
                             ? failure_
                             : fmt::format("'{}' has been removed meanwhile", options_.output.string()));
    finish();
    for (const Work* work : missing)
      if (stop_signal() == 0 && work->outcome && work->outcome->outcome == "interrupted")
        throw MachineError(
            fmt::format("run {}: {}; all other runs are in '{}'; run the same command again to compute it",
                        work->id, work->outcome->reason, options_.output.string()));
  }

  std::vector<Outcome> outcomes() const {
    std::vector<Outcome> result;
    const hdf5::Group runs = results_.root().open_group("runs");
    for (const Work& work : works_)
      if (runs.has(work.id) && !runs.is_link(work.id))
        result.push_back(read_outcome(runs.open_group(work.id)));
    return result;
  }

 private:
  void record_ranks() {
    const int count = std::max(options_.ranks->count(), options_.ranks_of_run);
    if (count == 1) return;
    results_.root().set("ranks", std::int64_t{count});
    results_.root().set("launcher", options_.ranks_of_run > 1 ? "mpirun" : launcher_name());
  }

  /// Plans the time left from the steps and cells of the runs and from steps taken now for this purpose.
  void weigh_runs() {
    const std::vector<double> seconds =
        predicted_seconds(catalog_, works_, surfaces_, options_.jobs, max_time_share);
    const bool any = std::ranges::any_of(seconds, [](double one) { return one > 0; });
    for (std::size_t i = 0; i < works_.size(); ++i)
      if (!works_[i].previous.complete)
        progress_.weigh(works_[i].id, kind_of(works_[i].configuration),
                        works_[i].outcome ? 0
                        : any             ? seconds[i]
                                          : works_[i].cost(),
                        any);
  }

  /// The .xdmf shows the contents of the file, which include merged parts.
  void show_existing_results() {
    const hdf5::Group runs = results_.root().open_group("runs");
    for (Work& work : works_) {
      work.previous.complete = is_complete(runs, work.id);  // true if its part could be read
      if (!runs.is_group(work.id)) continue;
      if (work.previous.in_part)
        merged_.push_back(work.id);
      else
        xdmf_.update(results_, work.id);
    }
    xdmf_.write();
  }

  void record(const Work& work) {
    remove_run(results_, work.id);
    record_without_computing(catalog_, results_, work.id, work.configuration,
                             surfaces_.get(work.configuration), *work.outcome);
    progress_.end(work.id, work.configuration, *work.outcome);
    replaced_.push_back(work.id);
    merged_.push_back(work.id);
  }

  /// Called in the process of the run. Returns why it ended early, or "".
  std::string compute_part(const Work& work, RunStatus& status) try {
    if (options_.ranks_of_run > 1) {
      std::vector<std::string> command = options_.part_command;
      command.push_back(work.id);
      return run_launched(options_.ranks_of_run, command, status);
    }
    hdf5::File part =
        create_results(catalog_, part_path(options_.output, work.id), experiment_, options_.command);
    const Surface& surface = surfaces_.get(work.configuration);
    record_mesh(part.root().open_group("meshes"), surface);
    RunHooks hooks;
    hooks.stepped = [&](const Run& run) { status.set(run); };
    compute(catalog_, part, work.id, work.configuration, surface, hooks, save_plan(work));
    part.close();
    return "";
  } catch (const Shortage& shortage) {
    return shortage.what();
  }

  /// The outcome of a run whose process ended without recording one.
  static Outcome outcome_of(const TaskResult& ending, double t_reached, std::int64_t steps) {
    if (stop_signal() != 0) return {"interrupted", stop_reason(), t_reached, steps};
    if (ending.kind == TaskResult::Kind::returned) return {"interrupted", ending.text, t_reached, steps};
    if (ending.kind == TaskResult::Kind::died) return crashed(ending, t_reached, steps);
    return {ending.kind == TaskResult::Kind::refusal && steps == 0 ? "refused" : "solver-failed", ending.text,
            t_reached, steps};
  }

  /// Keeps the partial results of runs that have a checkpoint, from which they resume, and removes other checkpoints.
  void keep_partial_runs(const std::vector<Work*>& works) {
    std::set<std::string> saved;
    for (const Work* work : works)
      if (keep_partial(results_, work->id)) saved.insert(work->id);
    remove_saves(options_.output, saved);
  }

  SavePlan save_plan(const Work& work) {
    return save_plan_of(catalog_, experiment_, options_, work.id, work.configuration,
                        surfaces_.get(work.configuration));
  }

  /// Keeps the checkpoints of incomplete runs.
  void keep_saves() {
    const hdf5::Group runs = results_.root().open_group("runs");
    std::set<std::string> kept;
    for (const Work& work : works_) {
      if (!is_complete(runs, work.id)) kept.insert(work.id);
      remove_with_twin(previous_results_path(options_.output, work.id));
    }
    remove_saves(options_.output, kept);
  }

  void compute_in_processes(const std::vector<Work*>& missing) {
    const Shared<RunStatus> status(static_cast<std::size_t>(options_.jobs));
    Tasks tasks;
    tasks.count = missing.size();
    tasks.jobs = options_.jobs;
    tasks.work = [&](std::size_t i, std::size_t slot) { return compute_part(*missing[i], status[slot]); };
    tasks.begun = [&](std::size_t i, std::size_t slot) {
      status[slot].reset();
      unlinked_.push_back(missing[i]);
      progress_.begin(missing[i]->id, missing[i]->configuration, status[slot]);
    };
    tasks.ended = [&](std::size_t i, std::size_t, const TaskResult& ending) {
      std::erase(unlinked_, missing[i]);
      settle(*missing[i], ending);
    };
    tasks.watch = [&] { return watch(); };
    run_in_processes(tasks);
  }

  /// Called when a process has ended; moves its run to the results.
  void settle(Work& work, const TaskResult& ending) {
    using Kind = TaskResult::Kind;
    if (ending.kind == Kind::machine_error && failure_.empty()) failure_ = ending.text;
    if (!failure_.empty()) return;  // the parts are kept
    const bool failed = ending.kind != Kind::returned || !ending.text.empty();
    const fs::path part = part_path(options_.output, work.id);
    if (!failed || part_holds_run(part, work.id)) {
      merge_part(results_, part, work.id);
      hdf5::Group run = results_.root().open_group("runs").open_group(work.id);
      work.outcome = read_outcome(run);
      if (failed) {
        work.outcome = outcome_of(ending, work.outcome->t_reached, work.outcome->steps);
        record_outcome(run, *work.outcome);
      }
      progress_.end(work.id, work.configuration, *work.outcome);
      replaced_.push_back(work.id);
      merged_.push_back(work.id);
    } else {
      remove_part(options_.output, work.id);  // killed before the part had contents
      if (stop_signal() != 0) return;
      work.outcome = outcome_of(ending, 0, 0);
      record(work);
    }
  }

  PoolCommand watch() {
    progress_.draw();
    const auto now = Clock::now();
    if (now - published_ >= publish_interval) {
      for (std::size_t i = unlinked_.size(); i-- > 0;) {
        if (!part_holds_run(part_path(options_.output, unlinked_[i]->id), unlinked_[i]->id)) continue;
        link_part(results_, unlinked_[i]->id);
        replaced_.push_back(unlinked_[i]->id);
        unlinked_.erase(unlinked_.begin() + static_cast<std::ptrdiff_t>(i));
        changed_ = true;
      }
      publish();
    }
    if (!failure_.empty()) return PoolCommand::kill;
    if (stop_signal() == 0) return PoolCommand::proceed;
    if (stop_is_urgent()) return PoolCommand::kill;
    if (stopping_since_ == Clock::time_point{}) stopping_since_ = now;
    const Clock::duration patience =
        options_.ranks_of_run > 1 ? Clock::duration(patience_for_ranks) : stop_patience;
    return now - stopping_since_ < patience ? PoolCommand::drain : PoolCommand::kill;
  }

  /// Flushes the results. Removes the parts once their contents are in the results. Entries of the .xdmf are removed before the
  /// flush and added after it, so that the .xdmf never refers to missing data.
  void publish() {
    published_ = Clock::now();
    if (!changed_ && merged_.empty()) return;
    bool forgotten = is_first_;
    for (const std::string& id : replaced_) forgotten |= xdmf_.forget(id);
    if (forgotten) xdmf_.write();
    results_.flush_to_disk();
    replaced_.clear();
    if (std::exchange(is_first_, false)) remove_leftovers(options_.output);  // everything is in the results
    for (const std::string& id : merged_) xdmf_.update(results_, id);
    xdmf_.write();
    for (const std::string& id : merged_) remove_part(options_.output, id);
    merged_.clear();
    changed_ = false;
  }

  void finish() {
    changed_ = true;
    publish();
    keep_saves();
    report_problem();
  }

  /// Why there is no .xdmf, or why it is not up to date.
  void report_problem() {
    if (!xdmf_.problem().empty() && !std::exchange(problem_reported_, true))
      progress_.line("note: " + xdmf_.problem());
  }

  const Catalog& catalog_;
  const Experiment& experiment_;
  const ExecutionOptions& options_;
  std::vector<Work>& works_;
  Surfaces& surfaces_;
  hdf5::File results_;
  Progress progress_;
  Xdmf xdmf_;
  std::vector<const Work*> unlinked_;
  std::vector<std::string> replaced_;  // in the results, since the last flush
  std::vector<std::string> merged_;    // their parts can be removed
  std::string failure_;                ///< of the machine, which ends the sweep
  bool changed_ = true, is_first_ = true, problem_reported_ = false;
  Clock::time_point published_, stopping_since_;
};

/// On a rank other than 0: the same calls with a file in memory, which is discarded.
Outcome follow_run(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options,
                   const std::string& id, const RunConfiguration& configuration, const Surface& surface) {
  hdf5::File file =
      create_results(catalog, options.output, experiment, options.command, hdf5::Access::memory);
  RunHooks hooks;
  hooks.stepped = [](const Run&) {};
  return compute(catalog, file, id, configuration, surface, hooks, {}, options.ranks);
}

Execution follow(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options) {
  const StopSignals signals;
  Execution execution;
  execution.output = options.output;
  const RunConfiguration configuration = expand(catalog, experiment).front().configuration;
  Surface surface;
  std::string next;
  // Rank 0 checks the run again if meanwhile others have written to its file and it takes another name.
  while ((next = options.ranks->share("")) == run_is_checked) {
    surface = {};
    share(*options.ranks, surface);
    check_with_rank_0(catalog, configuration, surface, options.ranks);
  }
  if (next != run_is_computed) return execution;
  execution.outcomes = {
      follow_run(catalog, experiment, options, run_id(std::size_t{0}), configuration, surface)};
  execution.signal = stop_signal();
  return execution;
}

}  // namespace

Execution execute(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options) {
  if (options.ranks->rank() > 0) return follow(catalog, experiment, options);
  Preparation prepared(catalog, experiment, options);
  const OutputLock lock(options.output);
  prepared.look_again();
  Session session(catalog, experiment, options, prepared);
  if (options.single)
    session.run_single();
  else
    session.run_sweep();
  const std::vector<Outcome> ended = session.outcomes();
  return {options.output, ended, stop_signal(),
          prepared.works.size() - std::min(prepared.works.size(), ended.size())};
}

void execute_part(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options,
                  const std::string& id) {
  const StopSignals signals;
  const std::vector<PlannedRun> plan = expand(catalog, experiment);
  std::size_t number = 0;
  while (number < plan.size() && run_id(number) != id) ++number;
  if (number == plan.size()) throw Error(fmt::format("the experiment has no run '{}'", id));
  const RunConfiguration& configuration = plan[number].configuration;
  if (options.ranks->rank() > 0) {
    Surface surface;
    share(*options.ranks, surface);
    follow_run(catalog, experiment, options, id, configuration, surface);
    return;
  }
  Surfaces surfaces(catalog, true);
  const Surface& surface = surfaces.get(configuration);
  surfaces.share(configuration, *options.ranks);
  hdf5::File part = create_results(catalog, part_path(options.output, id), experiment, options.command);
  record_mesh(part.root().open_group("meshes"), surface);
  RankProgress progress;
  RunHooks hooks;
  hooks.stepped = [&](const Run& run) { progress.say(run); };
  compute(catalog, part, id, configuration, surface, hooks,
          save_plan_of(catalog, experiment, options, id, configuration, surface), options.ranks);
  part.close();
}

}  // namespace shoal
