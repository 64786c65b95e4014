// Setting up a run, saving it and restoring it.
#include "experiments/harness/run/simulation.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/mesh/loading/load_surface.hpp"
#include "discretizations/mesh/part.hpp"
#include "discretizations/mesh/whole.hpp"
#include "experiments/harness/fields/given_fields.hpp"
#include "experiments/harness/fields/harmonic_solution.hpp"
#include "experiments/harness/run/motion_files.hpp"
#include "experiments/harness/run/run_scene.hpp"
#include "experiments/motions/clip_mixer.hpp"
#include "experiments/scenes/given_fields.hpp"
#include "solvers/partition.hpp"
#include "solvers/whole_archive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace shoal {

namespace {

bool is_forced(const SceneInstance& scene) {
  if (scene.holds_velocity) return false;
  return scene.coupling || scene.forcing.body_acceleration.size() ||
         std::any_of(scene.forces.begin(), scene.forces.end(),
                     [](const TimedForce& force) { return force.works; }) ||
         (scene.forcing.normal_acceleration.array() != -scene.gravity).any();
}

const LinearSolverEntry* linear_solver(const Catalog& catalog, const RunConfiguration& c) {
  return c.linear_solver.empty() ? nullptr : &catalog.linear_solvers.find(c.linear_solver);
}

/// An error in the value of this key.
template <class Body>
void with_setting(const std::string& key, Body&& body) {
  try {
    body();
  } catch (const Error& error) {
    throw SettingError(key, key + ": " + error.what());
  }
}

}  // namespace

Simulation::Simulation(const Catalog& catalog, const RunConfiguration& configuration, const Surface& surface,
                       std::shared_ptr<const Ranks> ranks)
    : Simulation(catalog, configuration, surface,
                 surface.mesh.has_edges() ? make_geometry(surface.mesh, surface.x) : Geometry(),
                 std::move(ranks)) {}

Simulation::Simulation(const Catalog& catalog, const RunConfiguration& configuration, const Surface& whole,
                       const Geometry& geometry, std::shared_ptr<const Ranks> ranks)
    : catalog_(catalog),
      whole_(whole),
      configuration_(configuration),
      present_(configuration),
      inputs_(parse_inputs(configuration.inputs)),
      parameters_(parameters_of(catalog, configuration)),
      scene_(make_run_scene(catalog, configuration, whole, geometry, parameters_, clips_)) {
  done_.is_done.resize(inputs_.size());
  if (!configuration.inputs.empty()) prepare_for_inputs(configuration, parameters_, drag_, scene_);
  is_forced_ = is_forced(scene_);
  const bool is_shared = ranks && ranks->count() > 1;
  require_parts();
  if (is_shared) find_initial_state_of_whole(*ranks);
  const auto initial = [&](const Discretization& discretization, const Forces& forces) {
    if (scene_.wave) {
      const Points& points = discretization.cells().points;
      mode_ = Mode{Vector(points.cols()), scene_.wave->angular_frequency};
      for (Eigen::Index i = 0; i < points.cols(); ++i)
        mode_->elevation[i] = scene_.wave->shape(points.col(i));
      constexpr double round_off = 1e-9;  // shapes have an amplitude of 1
      if (max(discretization.mesh(), discretization.cells(), mode_->elevation.cwiseAbs()) < round_off)
        throw Refusal("the wave of the scene is zero at all places where " + configuration.discretization +
                      " has depths: take fewer half wavelengths, or a finer mesh");
    }
    if (!scene_.discrete_initial_state) return discretization.project(scene_.initial);
    DiscreteInitialState start =
        part_ ? initial_state_of_part(discretization) : scene_.discrete_initial_state(discretization, forces);
    mode_ = std::move(start.mode);
    return std::move(start.state);
  };
  Points start;
  const SceneInstance of_whole = is_shared ? scene_ : SceneInstance();
  for (int margin = 0; !water_; margin = 2 * margin + 1) {  // of layers
    if (is_shared) {
      scene_ = of_whole;
      take_part(ranks, margin);
    }
    start = this->surface().x;
    if (clips_.mixer && clips_.mixer->acts(0))
      scene_.motion(0, start);  // the surface then has the pose of a clip
    try {
      water_ = make_water(start, initial);
    } catch (const TooFewLayers&) {
      if (margin > whole_.mesh.face_count()) throw;  // each part is the whole
    }
  }
  const Surface& surface = this->surface();
  if (!scene_.forces.empty()) water_->add_term(forces_.emplace(scene_.forces));
  bed_.resize(surface.mesh.vertex_count);
  for (Index i = 0; i < bed_.size(); ++i) bed_[i] = scene_.bed_depth(start.col(i));
  World& world = begin(*water_, scene_.bodies);
  if (scene_.coupling)
    world.add(*water_, *scene_.coupling, bed_);
  else
    world.add(*water_);
  if (scene_.coupling)
    for (const Source& source : scene_.coupling->sources)
      with_setting(source.parameter, [&] { require_reach(source, discretization()); });
  // Known from the start, so that results have columns for them.
  for (const Input& input : inputs_)
    if (const auto* body = std::get_if<ThrowInput>(&input.action))
      with_setting("inputs", [&] { throw_body(*body, input.time * just_before); });
  energy_scale_ = scene_.density * scene_.gravity * scene_.depth * scene_.depth *
                  sum(discretization().mesh(), Location::face, discretization().geometry().face_area);
  choose_steps(configuration, configuration.end.value_or(scene_.end));
  drop_expensive_references(configuration);
  if (scene_.advecting_velocity) {
    if (!added_advection(catalog, configuration))
      throw Refusal(
          "scene '" + configuration.scene +
          "' requires an advection scheme of transport type and a scheme with a velocity vector per "
          "triangle (list advections)");
    water_->set_advecting_velocity(scene_.advecting_velocity);
  }
  if (scene_.holds_velocity && moves())
    throw Refusal("scene '" + configuration.scene + "' holds the velocity, which requires a surface at rest");
  const auto any_input = [&]<class Action>(std::type_identity<Action>) {
    return std::any_of(inputs_.begin(), inputs_.end(),
                       [](const Input& input) { return std::holds_alternative<Action>(input.action); });
  };
  if (scene_.holds_velocity && std::ranges::any_of(scene_.forces, &TimedForce::works))
    throw Refusal("a force changes the velocity of the water, which scene '" + configuration.scene +
                  "' holds");
  if (scene_.holds_velocity && any_input(std::type_identity<PushInput>()))
    throw Refusal("a push changes the velocity of the water, which scene '" + configuration.scene +
                  "' holds");
  const bool has_bodies = !scene_.bodies.entrances.empty() || (any_input(std::type_identity<ThrowInput>()) &&
                                                               !any_input(std::type_identity<ChangeInput>()));
  if (has_bodies && scene_.holds_velocity)
    throw Refusal("bodies change the velocity of the water, which scene '" + configuration.scene + "' holds");
  if (const std::string reason = reason_for_no_sources(configuration); has_bodies && !reason.empty())
    throw Refusal("bodies displace water, which acts as a source: " + reason);
  if (scene_.motion) {
    water_->follow(scene_.motion, dt(), motion_files(catalog, configuration).empty());
    allow_for_moving_surface(configuration);
  }
  set_substeps();
  for (RunConfiguration* one : {&configuration_, &present_}) {
    one->dt = dt();
    one->substeps = substeps_;
    for (const ParameterInfo& info : step_parameters()) one->parameters.erase(info.name);
  }
  set_thread_count(configuration.threads);
  if (!inputs_.empty()) rehearse_inputs(start);
}

namespace {

void save_start(const DiscreteInitialState& start, const Discretization& discretization, Archive& archive) {
  archive.put("state", discretization.layout(), start.state.q);
  archive.put("elevation", Location::cell, start.mode ? start.mode->elevation : Vector());
  archive.put("frequency", start.mode ? start.mode->angular_frequency : 0);
}

/// The motion of some vertices of a surface.
Motion of_vertices(const Motion& whole, const std::vector<Index>& vertices) {
  Motion motion = [whole, vertices, all = Points()](double time, Points& x) mutable {
    whole(time, all);
    x = all(Eigen::all, vertices);
  };
  motion.shortest_period = whole.shortest_period;
  motion.corners = whole.corners;
  return motion;
}

}  // namespace

/// The mesh has the given number of parts, each with triangles.
void Simulation::require_parts() const {
  const Index parts = read_options<OrderOptions>(parameters_).parts, triangles = whole_.mesh.face_count();
  if (parts == 1 || whole_.part_begin.size() == parts + 1) return;
  throw Refusal(
      parts > triangles
          ? fmt::format("parameter 'parts': {} parts are more than the {} triangles of mesh '{}'", parts,
                        triangles, whole_.name)
          : fmt::format("parameter 'parts': only {} of {} parts of mesh '{}' have triangles; choose fewer",
                        std::max<Index>(whole_.part_begin.size() - 1, 1), parts, whole_.name));
}

/// Operators of the whole surface define it. Each process computes it, because forces of the scene may depend on it.
void Simulation::find_initial_state_of_whole(const Ranks& ranks) {
  if (!scene_.discrete_initial_state) return;
  together(ranks, [&] {
    const ShallowWater of_whole(
        whole_.mesh, whole_.x, scene_.bed_depth, scene_.forcing, water_setting(configuration_, parameters_),
        [&](const Discretization& discretization, const Forces& forces) {
          DiscreteInitialState start = scene_.discrete_initial_state(discretization, forces);
          save_start(start, discretization, initial_of_whole_);
          return std::move(start.state);
        });
  });
}

DiscreteInitialState Simulation::initial_state_of_part(const Discretization& discretization) {
  DiscreteInitialState start;
  start.state = zero_state(discretization.layout());
  start.mode = Mode{Vector::Zero(discretization.cells().count()), 0};
  Archive like;
  save_start(start, discretization, like);
  const Archive here =
      archive_of_part(initial_of_whole_, like, discretization.mesh(), discretization.cells());
  initial_of_whole_ = {};
  start.state.q = here.vector("state");
  start.mode = Mode{here.vector("elevation"), here.number("frequency")};
  if (start.mode->elevation.size() == 0) start.mode.reset();
  return start;
}

/// Of the surface and of what the scene gives at its vertices.
void Simulation::take_part(std::shared_ptr<const Ranks> ranks, int margin) {
  const int default_substeps = catalog_.integrators.find(configuration_.integrator).default_substeps;
  const int substeps = configuration_.substeps.value_or(std::max(1, default_substeps));
  part_ = part_of(whole_, std::move(ranks), layers_of_inputs(substeps) + margin, margin);
  const Part& part = *part_->mesh.part;
  const std::vector<Index> vertices(part.vertex.begin(), part.vertex.end());
  Forcing& forcing = scene_.forcing;
  forcing.normal_acceleration = Vector(forcing.normal_acceleration(vertices));
  if (forcing.body_acceleration.size())
    forcing.body_acceleration = Points(forcing.body_acceleration(Eigen::all, vertices));
  if (scene_.motion) scene_.motion = of_vertices(scene_.motion, vertices);
  Array<Index> here(whole_.mesh.vertex_count, Mesh::none);
  for (Index i = part.own_vertices.begin; i < part.own_vertices.begin + part.own_vertices.count; ++i)
    here[part.vertex[i]] = i;
  for (Region& region : scene_.regions) {
    Array<Index> own;
    for (const Index vertex : region.vertices)
      if (here[vertex] != Mesh::none) own.push_back(here[vertex]);
    region.vertices = std::move(own);
  }
}

ShallowWaterSetting Simulation::with_substeps(const RunConfiguration& c, const Parameters& parameters,
                                              int substeps) const {
  ShallowWaterSetting setting = water_setting(c, parameters);
  setting.substeps = substeps;
  return setting;
}

void Simulation::require_same_unknowns(const std::string& before, const std::string& after) const {
  const auto of_faces = [&](const std::string& name) {
    return catalog_.discretizations.find(name).transports_momentum();
  };
  if (before != after && !(of_faces(before) && of_faces(after)))
    throw Refusal(fmt::format(
        "several processes do not transfer the water of {} to the unknowns of {}; use one process", before,
        after));
}

/// The most that a step needs, also after the changes of the inputs.
int Simulation::layers_of_inputs(int substeps) const {
  int layers = needed_layers(with_substeps(configuration_, parameters_, substeps));
  RunConfiguration next = configuration_;
  for (const Input& input : inputs_) {
    const auto* change = std::get_if<ChangeInput>(&input.action);
    if (!change) continue;
    with_input(input, [&] {
      const RunConfiguration before = std::exchange(next, changed(catalog_, next, *change));
      require_same_unknowns(before.discretization, next.discretization);
    });
    const int default_substeps = catalog_.integrators.find(next.integrator).default_substeps;
    const Parameters parameters = parameters_of(catalog_, next);
    layers = std::max(layers, needed_layers(with_substeps(
                                  next, parameters, next.substeps.value_or(std::max(1, default_substeps)))));
  }
  return layers;
}

int Simulation::substeps_per_renewal(ShallowWaterSetting setting) const {
  if (!part_) return setting.substeps;
  setting.substeps = std::min(setting.substeps, 2 * layers_of_steps());  // each requires half a layer or more
  while (setting.substeps > 1 && needed_layers(setting) > layers_of_steps()) --setting.substeps;
  if (needed_layers(setting) > layers_of_steps())
    throw Refusal(
        fmt::format("on several processes, steps after the change depend on {} layers of triangles, but "
                    "there are {}; use one process",
                    needed_layers(setting), layers_of_steps()));
  return setting.substeps;
}

void Simulation::set_substeps() {
  water_->set_substeps(substeps_, substeps_per_renewal(with_substeps(present_, parameters_, substeps_)));
}

int Simulation::needed_layers(const ShallowWaterSetting& setting) const {
  constexpr int of_bodies = 3;  // they see the water beyond the edges of their columns
  const int of_step = layers_of_step(setting, scene_.forcing.boundaries), of_work = is_forced_ || moves();
  return of_work + (scene_.coupling ? std::max(of_step, of_bodies) : of_step);
}

int Simulation::layers() const {
  return part_ ? part_->mesh.part->layers : 0;
}

int Simulation::layers_of_steps() const {
  return part_ ? part_->mesh.part->layers - part_->mesh.part->margin : 0;
}

ShallowWaterSetting Simulation::water_setting(const RunConfiguration& c, const Parameters& parameters) const {
  const Value* density = parameters.value("density");  // of the scene, if it has this parameter
  return {.discretization = catalog_.discretizations.find(c.discretization),
          .integrator = catalog_.integrators.find(c.integrator),
          .linear_solver = linear_solver(catalog_, c),
          .advection = added_advection(catalog_, c),
          .splitting = &catalog_.splittings.find(c.splitting),
          .parameters = parameters,
          .density = density ? std::get<double>(*density) : scene_.density,
          .forced = is_forced_,
          .starts_absolute = scene_.starts_absolute};
}

std::unique_ptr<ShallowWater> Simulation::make_water(
    const Points& start, const std::function<State(const Discretization&, const Forces&)>& initial) const {
  auto water = std::make_unique<ShallowWater>(surface().mesh, start, scene_.bed_depth, scene_.forcing,
                                              water_setting(configuration_, parameters_), initial);
  if (scene_.holds_velocity) water->hold_velocity(scene_.initial.velocity);
  return water;
}

/// Drops references that would delay a run by seconds per row or by minutes in total.
void Simulation::drop_expensive_references(const RunConfiguration& configuration) {
  constexpr double max_of_row = 5e7, max_of_all = 1e10;  // values, of which a second computes about 3e7
  const double last = static_cast<double>(steps()) * dt();
  const double row = std::min(last, static_cast<double>(configuration.diagnostics_every) * dt());
  std::vector<std::string> names;
  double rate = 0;
  std::erase_if(scene_.references, [&](const Reference& one) {
    if (one.work_rate == 0 || (one.work_rate * row <= max_of_row && one.work_rate * last <= max_of_all))
      return false;
    names.push_back(one.name.empty() ? "the first" : one.name);
    rate = std::fmax(rate, one.work_rate);
    return true;
  });
  if (names.empty()) return;
  scene_.no_reference = fmt::format(
      "too expensive for its references {}, which require {:.3g} values per second of simulated time; at "
      "most {:.3g} between rows of diagnostics and {:.3g} in total are computed; use more frequent "
      "diagnostics or an earlier end",
      join(names), rate, max_of_row, max_of_all);
}

std::optional<Amplification> Simulation::mode_amplification() const {
  const IntegratorEntry& integrator = catalog_.integrators.find(present_.integrator);
  if (!mode_ || !integrator.amplification) return {};
  return integrator.amplification({mode_->angular_frequency, dt(), substeps_, parameters_});
}

RunConfiguration Simulation::so_far() const {
  RunConfiguration c = configuration_;
  c.end = static_cast<double>(std::max<std::int64_t>(1, steps_done() + (failed_ ? 1 : 0))) * dt();
  std::vector<Input> done = done_.all;  // some were applied early, in the step in which they act
  std::stable_sort(done.begin(), done.end(),
                   [](const Input& one, const Input& other) { return one.time < other.time; });
  c.inputs = no_inputs;
  for (const Input& input : done) c.inputs += to_text(input) + "\n";
  return c;
}

Points Simulation::skeleton() const {
  if (!clips_.bones) return Points(3, 0);
  Points ends = clips_.bones(time());
  if (!drag_->empty()) ends.colwise() += drag_->at(time());
  return ends;
}

bool Simulation::moves() const {
  return scene_.motion || std::any_of(inputs_.begin(), inputs_.end(), [](const Input& input) {
           return std::holds_alternative<DragInput>(input.action);
         });
}

StepReport Simulation::step(StageClock& clock) {
  try {
    do_due_inputs();
  } catch (const Error& error) {
    refused_input_ = error.what();
    return {false, refused_input_};
  }
  StepReport report = Run::step(clock);
  if (part_) {  // what the lowest rank says that failed
    const std::string said =
        first_said(ranks(), report.ok ? "" : (report.unstable ? "u" : "f") + report.reason);
    if (!said.empty()) report = {false, said.substr(1), said.front() == 'u'};
  }
  if (report.ok) stable_dt_ = next_stable_dt_;
  return report;
}

namespace {

Eigen::Map<const Vector> as_vector(const std::vector<double>& values) {
  return {values.data(), static_cast<Eigen::Index>(values.size())};
}

std::vector<double> as_list(const Vector& values) {
  return {values.begin(), values.end()};
}

}  // namespace

void Simulation::save(Archive& archive) const {
  Run::save(archive);
  archive.put("substeps", substeps_);
  archive.put("stable_dt", stable_dt_);
  archive.put("gains_water", gains_water_);
  archive.put("unresolved_steps", unresolved_steps_);
  archive.put("input_numbers", as_vector(done_.numbers));
  archive.put("input_steps", as_vector(done_.steps));
  archive.put("input_starts", as_vector(done_.starts));
  archive.put("input_times", as_vector(done_.times));
}

/// Applies the past inputs again, to recreate their lasting changes (sources, pushes, the path of the surface, clips, the scheme),
/// and then restores all saved numbers.
void Simulation::restore(const Archive& archive) {
  done_.numbers = as_list(archive.vector("input_numbers"));
  done_.steps = as_list(archive.vector("input_steps"));
  done_.starts = as_list(archive.vector("input_starts"));
  done_.times = as_list(archive.vector("input_times"));
  const std::size_t count = done_.numbers.size();
  if (count > inputs_.size() || done_.steps.size() != count || done_.starts.size() != count ||
      done_.times.size() != count)
    throw Error("the checkpoint belongs to a run with other inputs");
  restoring_ = true;
  for (std::size_t k = 0; k < count; ++k) {
    steps_.go_back_to(static_cast<std::int64_t>(done_.steps[k]), done_.starts[k]);
    do_planned(static_cast<std::size_t>(done_.numbers[k]), done_.times[k]);
  }
  restoring_ = false;
  substeps_ = static_cast<int>(archive.number("substeps"));
  if (changes_ > 0) present_.substeps = substeps_;
  set_substeps();
  stable_dt_ = archive.number("stable_dt");
  gains_water_ = archive.number("gains_water") != 0;
  unresolved_steps_ = static_cast<int>(archive.number("unresolved_steps"));
  Run::restore(archive);
}

Archive Simulation::of_whole(const Archive& archive) const {
  return archive_of_whole(archive, discretization().mesh(), discretization().cells());
}

Archive Simulation::of_part(const Archive& archive, const Archive& like) const {
  return archive_of_part(archive, like, discretization().mesh(), discretization().cells());
}

bool can_change(const Catalog& catalog, const RunConfiguration& c, const std::string& parameter) {
  const auto declared_by = [&](const ParameterInfos& infos) {
    return std::any_of(infos.begin(), infos.end(),
                       [&](const ParameterInfo& info) { return info.name == parameter; });
  };
  if (is_coupling_option(parameter) || parameter == "density" || parameter == "depth") return true;
  if (declared_by(describe_options<InertiaOptions>())) return parameter != "onset";
  for (const ParameterInfos& of_start :
       {describe_options<MeshOptions>(), describe_options<MeshFileOptions>(),
        describe_options<MovingSurfaceOptions>(), given_field_parameters(c.parameters),
        solution_file_parameters(c.parameters), order_parameters(c.parameters)})
    if (declared_by(of_start)) return false;
  return !declared_by(catalog.scenes.find(c.scene).parameters) &&
         !declared_by(catalog.motions.find(c.motion).parameters);
}

Surface load_surface(const Catalog& catalog, const RunConfiguration& configuration) {
  const Parameters parameters = parameters_of(catalog, configuration);
  Surface surface = load_surface(configuration.mesh, read_options<MeshOptions>(parameters).radius,
                                 read_options<MeshFileOptions>(parameters).weld);
  return in_order(std::move(surface), parameters);
}

Surface in_order(Surface surface, const Parameters& parameters) {
  const int parts = read_options<OrderOptions>(parameters).parts;
  const bool is_cut = parts > 1 && parts <= surface.mesh.face_count();  // otherwise runs refuse it
  return is_cut ? in_compact_parts(surface, parts) : std::move(surface);
}

bool needs_triangles_alone(const Catalog& catalog, const RunConfiguration& c) {
  return !catalog.scenes.find(c.scene).needs_edges && c.motion == "none" && c.inputs.empty() &&
         given_field_parameters(c.parameters).empty();
}

}  // namespace shoal
