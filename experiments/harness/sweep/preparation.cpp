// The checks before the runs of an experiment are computed.
#include "experiments/harness/sweep/preparation.hpp"

#include "discretizations/mesh/loading/in_memory.hpp"
#include "experiments/harness/diagnostics/diagnostics.hpp"
#include "experiments/harness/fields/given_fields.hpp"
#include "experiments/harness/run/compute.hpp"
#include "experiments/harness/sweep/progress.hpp"
#include "experiments/harness/system/processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace shoal {
namespace {

namespace fs = std::filesystem;

/// Throws Error if a mesh of a file or in memory, or a file that defines a motion, has changed since a completed run used it.
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
    if ((fs::is_regular_file(c.mesh) || is_in_memory(c.mesh)) && !work.previous.mesh.empty() &&
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
  const Mesh& mesh = surface.mesh;
  const Geometry geometry = make_geometry(mesh, surface.x);
  double min_height = std::numeric_limits<double>::infinity();
  Index flattest = 0;
  const Range faces = own(mesh, Location::face);
  for (Index face = faces.begin; face < faces.begin + faces.count; ++face) {
    double longest = 0;
    for (int corner = 0; corner < 3; ++corner)
      longest = std::max(longest, geometry.edge_length[mesh.face_edges(corner, face)]);
    const double height = 2 * geometry.face_area[face] / longest;
    if (height < min_height) min_height = height, flattest = face;
  }
  const double mean_edge =
      sum(mesh, Location::edge, geometry.edge_length) / total(mesh, own(mesh, Location::edge).count);
  const double least = -largest_of_all(mesh, -min_height), part = least / mean_edge;
  if (part > flat) return "";
  const std::string said =
      min_height > least ? ""
                         : fmt::format(
                               "note: face {} of {} is only {:.2g} m high, {:.2g} of the mean edge, and "
                               "determines the steps of auto; `inspect {}` shows the quality of the mesh",
                               surface.input_face[flattest], c.mesh, least, part, c.mesh);
  return first_said(simulation.ranks(), said);
}

/// A note if the user's elevation or bed leaves cells dry, or if the pair does not support dry land; otherwise "".
std::string dry_cells_note(const Catalog& catalog, const RunConfiguration& c, const Simulation& simulation) {
  const Discretization& scheme = simulation.discretization();
  const ConstBlock volume = simulation.water().volume();
  const Index dry = count(scheme.mesh(), scheme.cells(), [&](Index i) { return volume[i] <= 0; });
  if (dry == 0) return "";
  const std::string unfit = unfit_for_dry_land(catalog.discretizations.find(c.discretization),
                                               catalog.integrators.find(c.integrator));
  const bool given = c.parameters.count("initial_elevation") || c.parameters.count("bed_depth");
  if (unfit.empty() && !given) return "";
  return fmt::format("note: {} of {} cells are initially dry{}{}", dry,
                     total(scheme.mesh(), own(scheme.mesh(), scheme.cells()).count),
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
  double cells = 0, steps = 0, substeps = 1;
};

std::string to_text(const Checked& checked) {
  return packed({packed(checked.diagnostics), checked.note,
                 packed_row(std::vector{checked.cells, checked.steps, checked.substeps})});
}

Checked from_text(const std::string& text) {
  const std::vector<std::string> fields = unpacked(text);
  const std::vector<double> size = unpacked_row<double>(fields.at(2));
  return {unpacked(fields.at(0)), fields.at(1), size.at(0), size.at(1), size.at(2)};
}

void set(Work& work, const Checked& checked) {
  work.note = checked.note;
  work.cells = checked.cells;
  work.steps = checked.steps;
  work.substeps = checked.substeps;
}

/// Sets up the run and discards it. Throws Refusal or Error like Simulation. Collective.
Checked check(const Catalog& catalog, const Work& work, const Surface& surface, bool list_diagnostics,
              const std::shared_ptr<const Ranks>& ranks = nullptr) {
  return with_place(work.places, [&] {
    const Simulation simulation(catalog, work.configuration, surface, ranks);
    const Mesh& mesh = simulation.discretization().mesh();
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
    checked.cells = total(mesh, own(mesh, simulation.discretization().cells()).count);
    checked.steps = static_cast<double>(simulation.steps());
    checked.substeps = simulation.substeps();
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

/// Reports mistakes of the user before anything is computed or written. Incompatibilities of surface and scheme become the outcome.
void check_single(const Catalog& catalog, Work& work, Surfaces& surfaces,
                  const std::shared_ptr<const Ranks>& ranks) {
  if (work.outcome) throw Refusal(work.outcome->reason);
  const Surface& surface = load(work, surfaces);
  ranks->share(run_is_checked);
  surfaces.share(work.configuration, *ranks);
  set(work, check(catalog, work, surface, false, ranks));
}

/// `diagnostics`, unless nullptr, receives the names of the diagnostics that the runs will record. Runs that several processes set up
/// from a list of triangles are checked only by these, when they start; the names are then unknown.
void check_all(const Catalog& catalog, std::vector<Work>& works, Surfaces& surfaces, int jobs,
               std::set<std::string>* diagnostics) {
  std::vector<Work*> missing;
  bool all_known = true;
  for (Work& work : works) {
    const Surface& surface = load(work, surfaces);  // here, so that all processes share it
    if (work.previous.complete || work.outcome) continue;
    if (surface.mesh.has_edges())
      missing.push_back(&work);
    else
      all_known = false;
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
      set(*missing[i], checked);
      if (diagnostics) diagnostics->insert(checked.diagnostics.begin(), checked.diagnostics.end());
    }
    if (ending.kind == TaskResult::Kind::refusal) missing[i]->outcome = refused(ending.text);
    if (ending.kind == TaskResult::Kind::died) missing[i]->outcome = crashed(ending, 0, 0);
    if (ending.kind == TaskResult::Kind::error) wrong[i] = ending;
    // A missing resource is not an error yet: the machine may have it when the run is computed. If not, it becomes the outcome.
  };
  tasks.watch = [&] { return wrong.empty() ? PoolCommand::proceed : PoolCommand::drain; };
  run_in_processes(tasks);
  if (diagnostics && !all_known) diagnostics->clear();
  if (wrong.empty()) return;
  const auto& [i, ending] = *wrong.begin();
  throw Error(works.size() == 1 ? ending.text : named(*missing[i], ending.text));
}

}  // namespace

void check_with_rank_0(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
                       const std::shared_ptr<const Ranks>& ranks) {
  check(catalog, {.id = "", .configuration = configuration, .places = {}}, surface, false, ranks);
}

Outcome crashed(const TaskResult& ending, double t_reached, std::int64_t steps) {
  return {was_killed(ending) ? "interrupted" : "solver-failed", describe_death(ending), t_reached, steps};
}

Preparation::Preparation(const Catalog& catalog, const Experiment& experiment,
                         const ExecutionOptions& options)
    : surfaces(catalog, options.ranks->count() > 1 || options.ranks_of_run > 1),
      catalog_(catalog),
      options_(options),
      plan_(expand(catalog, experiment)) {
  for (const PlannedRun& run : plan_) {
    works.push_back({.id = run_id(works.size()), .configuration = run.configuration, .places = run.places});
    if (!run.refusal.empty())
      works.back().outcome =
          refused(options.single ? fmt::format("{} with {}: {}", run.configuration.discretization,
                                               run.configuration.integrator, run.refusal)
                                 : run.refusal);
  }
  look();
  require_own_tables(options.output, experiment, previous, options.fresh);
  require_same_meshes(catalog, options.output, works, surfaces);
  const bool has_columns = std::ranges::any_of(experiment.tables, [](const TableEntry& table) {
    return !table.columns.empty() || !table.errors.empty() || !table.where.empty() || !table.order.empty();
  });
  ColumnOffer offer;
  if (options.single)
    check_single(catalog, works.front(), surfaces, options.ranks);
  else
    check_all(catalog, works, surfaces, options.jobs, has_columns ? &offer.diagnostics : nullptr);
  if (has_columns && previous) offer.add(previous->offer);
  offer.add(planned_columns(catalog, plan_));
  // If no run can be set up, the diagnostics that the runs would have recorded are unknown.
  if (!offer.diagnostics.empty()) check_columns(experiment, offer);
}

void Preparation::look() {
  previous = look_at(catalog_, options_.output, options_.fresh, plan_, Contents::runs);
  for (std::size_t i = 0; i < plan_.size(); ++i)
    works[i].previous = previous ? previous->runs[i] : PreviousRun{};
}

void Preparation::look_again() {
  look();
  require_same_meshes(catalog_, options_.output, works, surfaces);
}

}  // namespace shoal
