// The steps of an experiment: check every run, open or resume the results file, compute missing runs.
//
// A sweep computes each run in a process of its own into a part beside the results (see output.hpp); this
// process alone writes the results file and copies the finished parts into it. A single run is recorded there
// directly.
#include "experiments/harness/sweep/execute.hpp"

#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/fields/given_fields.hpp"
#include "experiments/harness/results/previous_results.hpp"
#include "experiments/harness/run/compute.hpp"
#include "experiments/harness/run/saved_run.hpp"
#include "experiments/harness/run/surfaces.hpp"
#include "experiments/harness/storage/provenance.hpp"
#include "experiments/harness/storage/xdmf.hpp"
#include "experiments/harness/sweep/progress.hpp"
#include "experiments/harness/system/processes.hpp"

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

/// A run with the data known before it is computed.
struct Work {
  std::string id;
  RunConfiguration configuration;
  SourceLocations places;               ///< where its settings were given
  std::optional<Outcome> outcome = {};  ///< known without computing the run
  std::string note = {};                ///< a note for the user
  double cost = 0;                      ///< steps × cells; 0 if unknown
  PreviousRun previous = {};            ///< its state after an earlier start
};

/// Throws Error if a mesh file, or a file that defines a motion, has changed since a completed run used it.
void require_same_meshes(const Catalog& catalog, const fs::path& output, const std::vector<Work>& works,
                         Surfaces& surfaces) {
  for (const Work& work : works) {
    if (!work.previous.complete) continue;
    const RunConfiguration& c = work.configuration;
    const auto has_changed = [&](const Value& what) {
      return Error(
          fmt::format("output '{0}': '{2}' has changed since run {1} was computed; use --fresh to recompute "
                      "all, or --output for another file",
                      output.string(), work.id, to_string(what)));
    };
    if (fs::is_regular_file(c.mesh) && !work.previous.mesh.empty() &&
        work.previous.mesh != mesh_hash(surfaces.get(c)))
      throw has_changed(c.mesh);
    if (work.previous.files.empty() || work.previous.files == files_hash(catalog, c)) continue;
    const std::vector<FieldFile> fields = field_files(c.parameters);
    throw has_changed(c.parameters.count("sequence") ? c.parameters.at("sequence")
                      : fields.empty()               ? Value(c.motion)
                                                     : Value(fields.front().path));
  }
}

/// A warning if the scene's solution is not valid for this run or solves other equations; otherwise "".
std::string solution_note(const RunConfiguration& c, const SceneInstance& scene) {
  if (!scene.no_reference.empty())
    return fmt::format("note: no exact solution for '{}': {}", c.scene, scene.no_reference);
  if (scene.references.empty() || !scene.references.front().advection) return "";
  const bool solution = *scene.references.front().advection, run = c.advection != "none";
  if (solution == run) return "";
  return fmt::format(
      "note: the solution of '{}' is for equations {} v·∇v, but the run has advection = {}: errors will not "
      "converge to zero",
      c.scene, solution ? "with" : "without", c.advection);
}

/// A warning if the steps of an explicit integrator exceed the scheme's initial limit; otherwise "".
std::string step_note(const Catalog& catalog, const RunConfiguration& c, const Simulation& simulation) {
  const IntegratorEntry& integrator = catalog.integrators.find(c.integrator);
  const double ratio = simulation.dt() / simulation.substeps() / simulation.water().stable_dt();
  constexpr double rounding = 1e-9;
  if (integrator.default_substeps == 0 || !(ratio > 1 + rounding)) return "";
  return fmt::format(
      "note: the {} of {:.4g} s is {:.2g} times the stable step of {} on {}; use --dt auto or --substeps "
      "auto for a stable one",
      simulation.substeps() > 1 ? "substep" : "step", simulation.dt() / simulation.substeps(), ratio,
      c.discretization, c.mesh);
}

/// A warning if waves on this flow grow much with `explicit`, otherwise "". The integrator has no damping and takes the advection
/// of the depth, ∇·(hv), by forward Euler, so waves grow at the rate ¼(kU)²Δt for any step (solvers/integrators/explicit.cpp).
std::string growth_note(const Catalog& catalog, const RunConfiguration& c, const Simulation& simulation) {
  if (c.integrator != "explicit" || !simulation.water().advects() ||
      catalog.discretizations.find(c.discretization).transports_momentum())
    return "";
  constexpr double much = 3;  // a disturbance grows by e³
  const double frequency = 2 / simulation.discretization().stable_dt(
                                   simulation.state(), simulation.water().forces(), Term::advection);
  const double substep = simulation.dt() / simulation.substeps(),
               growth = 0.25 * frequency * frequency * substep * simulation.end();
  if (!(growth > much)) return "";
  return fmt::format(
      "note: with explicit and {}, the shortest waves on the initial flow grow by up to e^{:.2g} until {} s "
      "for any dt of auto, because the depth is advected by forward Euler; ssprk3 avoids this",
      c.advection, growth, simulation.end());
}

/// A note if fixed steps do not resolve the motion of the surface; otherwise "".
std::string motion_note(const RunConfiguration& c, const Simulation& simulation) {
  constexpr double coarse = 0.5;  // two steps per period sample only its ends
  const double period = simulation.scene().motion.shortest_period;
  if (!c.dt || !(simulation.dt() > coarse * period)) return "";
  return fmt::format(
      "note: the step of {:.4g} s does not resolve the shortest period or duration of the motion, {:.4g} s; "
      "use --dt auto or a shorter step",
      simulation.dt(), period);
}

/// A note if a flat triangle makes the chosen steps far shorter than the other triangles would; otherwise "".
std::string triangles_note(const Catalog& catalog, const RunConfiguration& c, const Simulation& simulation) {
  constexpr double flat = 0.02;  // height over the mean edge of the mesh
  const bool has_substeps = catalog.integrators.find(c.integrator).default_substeps != 0;
  if (c.dt && (c.substeps || !has_substeps)) return "";
  const Surface& surface = simulation.surface();
  const Geometry geometry = make_geometry(surface.mesh, surface.x);
  double min_height = std::numeric_limits<double>::infinity();
  Index flattest = 0;
  for (Index face = 0; face < surface.mesh.face_count(); ++face) {
    double longest = 0;
    for (int corner = 0; corner < 3; ++corner)
      longest = std::max(longest, geometry.edge_length[surface.mesh.face_edges(corner, face)]);
    const double height = 2 * geometry.face_area[face] / longest;
    if (height < min_height) min_height = height, flattest = face;
  }
  const double part = min_height / geometry.edge_length.mean();
  if (part > flat) return "";
  return fmt::format(
      "note: face {} of {} is only {:.2g} m high, {:.2g} of the mean edge, and determines the steps of auto; "
      "`inspect {}` shows the quality of the mesh",
      surface.input_face[flattest], c.mesh, min_height, part, c.mesh);
}

/// A note if the user's elevation or bed leaves cells dry, or if the pair does not support dry land; otherwise "".
std::string dry_cells_note(const Catalog& catalog, const RunConfiguration& c, const Simulation& simulation) {
  const auto dry = (simulation.water().volume().array() <= 0).count();
  if (dry == 0) return "";
  const std::string unfit = unfit_for_dry_land(catalog.discretizations.find(c.discretization),
                                               catalog.integrators.find(c.integrator));
  const bool given = c.parameters.count("initial_elevation") || c.parameters.count("bed_depth");
  if (unfit.empty() && !given) return "";
  return fmt::format("note: {} of {} cells are initially dry{}{}", dry, simulation.water().volume().size(),
                     given ? ": their elevation is not above their bed" : "",
                     unfit.empty() ? ""
                                   : fmt::format("; {} with {} does not support dry land: {}",
                                                 c.discretization, c.integrator, unfit));
}

/// A note if inputs lie after the end of the run; else "".
std::string late_inputs_note(const RunConfiguration& c, const Simulation& simulation) {
  const std::vector<Input> inputs = parse_inputs(c.inputs);
  const double end = std::max(simulation.end(), static_cast<double>(simulation.steps()) * simulation.dt());
  const auto late =
      std::count_if(inputs.begin(), inputs.end(), [&](const Input& one) { return one.time >= end; });
  if (late == 0) return "";
  return fmt::format("note: {} of {} inputs come at or after the end at {} s and have no effect", late,
                     inputs.size(), simulation.end());
}

/// The data known once a run is set up; sent as text by the process that set it up.
struct Checked {
  std::vector<std::string> diagnostics;  ///< their names, if requested
  std::string note;                      ///< a note for the user, or ""
  double cost = 0;                       ///< steps × cells
};

std::string to_text(const Checked& checked) {
  return packed({packed(checked.diagnostics), checked.note, packed_row(std::vector{checked.cost})});
}

Checked from_text(const std::string& text) {
  const std::vector<std::string> fields = unpacked(text);
  return {unpacked(fields.at(0)), fields.at(1), unpacked_row<double>(fields.at(2)).at(0)};
}

/// Sets up the run and discards it. Throws Refusal or Error like Simulation.
Checked check(const Catalog& catalog, const Work& work, const Surface& surface, bool list_diagnostics) {
  return with_place(work.places, [&] {
    const Simulation simulation(catalog, work.configuration, surface);
    std::vector<std::string> notes = {solution_note(work.configuration, simulation.scene()),
                                      step_note(catalog, work.configuration, simulation),
                                      growth_note(catalog, work.configuration, simulation),
                                      motion_note(work.configuration, simulation),
                                      triangles_note(catalog, work.configuration, simulation),
                                      dry_cells_note(catalog, work.configuration, simulation),
                                      late_inputs_note(work.configuration, simulation),
                                      plan_snapshots(work.configuration, simulation).note};
    std::erase(notes, "");
    Checked checked;
    checked.note = join(notes, "\n");
    checked.cost = static_cast<double>(simulation.steps()) * simulation.substeps() *
                   static_cast<double>(simulation.discretization().cells().count());
    if (!list_diagnostics) return checked;
    const Diagnostics diagnostics(simulation);
    for (const Quantity& quantity : diagnostics.quantities()) checked.diagnostics.push_back(quantity.name);
    return checked;
  });
}

/// The surface of a run, loaded unless an earlier run has the same one.
const Surface& load(const Work& work, Surfaces& surfaces) {
  const auto get = [&]() -> const Surface& { return surfaces.get(work.configuration); };
  const auto place = work.places.find("mesh");
  return place == work.places.end() ? get() : with_context(place->second, get);
}

Outcome refused(const std::string& reason) {
  return {"refused", reason, 0, 0};
}

Outcome crashed(const TaskResult& ending, double t_reached, std::int64_t steps) {
  return {was_killed(ending) ? "interrupted" : "solver-failed", describe_death(ending), t_reached, steps};
}

/// Reports mistakes of the user before anything is computed or written. Incompatibilities of surface and scheme become the outcome.
void check_single(const Catalog& catalog, Work& work, Surfaces& surfaces) {
  if (work.outcome) throw Refusal(work.outcome->reason);
  work.note = check(catalog, work, load(work, surfaces), false).note;
}

/// `diagnostics`, unless nullptr, receives the names of the diagnostics that the runs will record.
void check_all(const Catalog& catalog, std::vector<Work>& works, Surfaces& surfaces, int jobs,
               std::set<std::string>* diagnostics) {
  std::vector<Work*> missing;
  for (Work& work : works) {
    load(work, surfaces);  // here, so that all processes share it
    if (!work.previous.complete && !work.outcome) missing.push_back(&work);
  }
  const auto named = [](const Work& work, const std::string& text) {
    return fmt::format("run {} ({}): {}", work.id, label(work.configuration), text);
  };
  Tasks tasks;
  tasks.count = missing.size();
  tasks.jobs = jobs;
  tasks.work = [&](std::size_t i, std::size_t) {
    return to_text(
        check(catalog, *missing[i], surfaces.get(missing[i]->configuration), diagnostics != nullptr));
  };
  std::map<std::size_t, TaskResult> wrong;  // the first in order is reported, regardless of which ended first
  tasks.ended = [&](std::size_t i, std::size_t, const TaskResult& ending) {
    if (ending.kind == TaskResult::Kind::returned) {
      const Checked checked = from_text(ending.text);
      missing[i]->note = checked.note;
      missing[i]->cost = checked.cost;
      if (diagnostics) diagnostics->insert(checked.diagnostics.begin(), checked.diagnostics.end());
    }
    if (ending.kind == TaskResult::Kind::refusal) missing[i]->outcome = refused(ending.text);
    if (ending.kind == TaskResult::Kind::died) missing[i]->outcome = crashed(ending, 0, 0);
    if (ending.kind == TaskResult::Kind::error) wrong[i] = ending;
    // A missing resource is not an error yet: the machine may have it when the run is computed. If not, it becomes the outcome.
  };
  tasks.watch = [&] { return wrong.empty() ? PoolCommand::proceed : PoolCommand::drain; };
  run_in_processes(tasks);
  if (wrong.empty()) return;
  const auto& [i, ending] = *wrong.begin();
  throw Error(works.size() == 1 ? ending.text : named(*missing[i], ending.text));
}

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

/// The results file and related data while runs are computed.
class Session {
 public:
  Session(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options,
          std::vector<Work>& works, Surfaces& surfaces, const std::optional<PreviousResults>& previous)
      : catalog_(catalog),
        experiment_(experiment),
        options_(options),
        works_(works),
        surfaces_(surfaces),
        results_(previous ? resume_results(options.output, *previous)
                          : create_results(catalog, options.output, experiment, options.command)),
        progress_(options.quiet, works.size()),
        xdmf_(XdmfFiles(options.output, run_ids(works.size()))) {
    if (previous) show_existing_results();
    std::size_t kept = 0;
    for (const Work& work : works_) kept += work.previous.complete ? 1 : 0;
    progress_.kept(kept);
    std::map<std::string, double> costs;
    for (const Work& work : works_)
      if (!work.previous.complete) costs[work.id] = work.cost;
    if (!options.single) progress_.weigh(std::move(costs));
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
      work.outcome = compute(catalog_, results_, work.id, work.configuration,
                             surfaces_.get(work.configuration), hooks, save_plan(work));
      merged_.push_back(work.id);  // since the last flush
      progress_.end(work.id, work.configuration, *work.outcome);
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

  /// Called in the process of the run. Returns the resource that the machine lacked for the setup, or "".
  std::string compute_part(const Work& work, RunStatus& status) try {
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
    const std::string what =
        packed({to_toml(without_threads(experiment_)), work.id, mesh_hash(surfaces_.get(work.configuration)),
                files_hash(catalog_, work.configuration)});
    return {.file = save_path(options_.output, work.id),
            .previous = previous_results_path(options_.output, work.id),
            .identity = identity_of_run(catalog_, what),
            .interval = options_.save_interval};
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
    return now - stopping_since_ < stop_patience ? PoolCommand::drain : PoolCommand::kill;
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

}  // namespace

Execution execute(const Catalog& catalog, const Experiment& experiment, const ExecutionOptions& options) {
  std::vector<Work> works;
  const std::vector<PlannedRun> plan = expand(catalog, experiment);
  for (const PlannedRun& run : plan) {
    works.push_back({.id = run_id(works.size()), .configuration = run.configuration, .places = run.places});
    if (!run.refusal.empty())
      works.back().outcome =
          refused(options.single ? fmt::format("{} with {}: {}", run.configuration.discretization,
                                               run.configuration.integrator, run.refusal)
                                 : run.refusal);
  }
  const auto look = [&] {
    const std::optional<PreviousResults> previous =
        look_at(catalog, options.output, options.fresh, plan, Contents::runs);
    for (std::size_t i = 0; i < plan.size(); ++i)
      works[i].previous = previous ? previous->runs[i] : PreviousRun{};
    return previous;
  };
  const std::optional<PreviousResults> before = look();
  require_own_tables(options.output, experiment, before, options.fresh);
  Surfaces surfaces(catalog);
  require_same_meshes(catalog, options.output, works, surfaces);
  const bool has_columns = std::ranges::any_of(experiment.tables, [](const TableEntry& table) {
    return !table.columns.empty() || !table.errors.empty() || !table.where.empty() || !table.order.empty();
  });
  ColumnOffer offer;
  if (options.single)
    check_single(catalog, works.front(), surfaces);
  else
    check_all(catalog, works, surfaces, options.jobs, has_columns ? &offer.diagnostics : nullptr);
  if (has_columns && before) offer.add(before->offer);
  offer.add(planned_columns(catalog, plan));
  // If no run can be set up, the diagnostics that the runs would have recorded are unknown.
  if (!offer.diagnostics.empty()) check_columns(experiment, offer);

  const OutputLock lock(options.output);
  const std::optional<PreviousResults> previous =
      look();  // again, because another program may have resumed meanwhile
  require_same_meshes(catalog, options.output, works, surfaces);

  Session session(catalog, experiment, options, works, surfaces, previous);
  if (options.single)
    session.run_single();
  else
    session.run_sweep();
  const std::vector<Outcome> ended = session.outcomes();
  return {options.output, ended, stop_signal(), works.size() - std::min(works.size(), ended.size())};
}

}  // namespace shoal
