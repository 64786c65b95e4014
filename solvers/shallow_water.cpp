// The order of what happens in a step.
#include "solvers/shallow_water.hpp"

#include "solvers/integrators/list.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

Options<ShallowWaterOptions> ShallowWaterOptions::describe() {
  using O = ShallowWaterOptions;
  return Options<O>()
      .number("friction", "1/s", &O::friction, 0, std::numeric_limits<double>::infinity(),
              "linear friction: v_t loses this times v, applied after each step")
      .part(&O::inertia, InertiaOptions::describe());
}

ParameterInfos shallow_water_parameters(const IntegratorEntry& integrator) {
  if (!integrator.carries_velocity) return {};
  return {describe_options<ShallowWaterOptions>().front()};
}

ShallowWater::ShallowWater(const Mesh& mesh, const Points& x, ScalarField bed_depth, const Forcing& forcing,
                           const ShallowWaterSetting& setting,
                           const std::function<State(const Discretization&, const Forces&)>& initial)
    : mesh_(mesh),
      bed_depth_(std::move(bed_depth)),
      setting_(setting),
      options_(read_options<ShallowWaterOptions>(setting.parameters)),
      rest_(x),
      geometry_(make_geometry(mesh, x)),
      discretization_(setting.discretization.make(mesh, geometry_, bed_depth_, setting.parameters)) {
  if (options_.inertia.inertia) inertia_.emplace(options_.inertia, x);
  set_forcing(forcing);
  make_parts();
  apply_forcing();
  state_ = integrator_->start(initial(*discretization_, forces_), forces_);
}

/// All but the discretization. The integrator has yet to be started or restored.
void ShallowWater::make_parts() {
  const IntegratorEntry& integrator = setting_->integrator;
  splitting_ =
      setting_->splitting
          ? setting_->splitting
          : &find_splitting(default_splitting(setting_->discretization, integrator, setting_->advection));
  const std::string reason =
      splitting_incompatibility(*splitting_, setting_->discretization, integrator, setting_->advection);
  if (!reason.empty()) throw Refusal("splitting = " + splitting_->name + ": " + reason);
  terms_ = integrated_terms(*splitting_, setting_->discretization, integrator, setting_->advection);

  advection_.reset();
  if (setting_->advection && (splitting_->splits || !setting_->advection->is_rate))
    advection_ = setting_->advection->make(*discretization_, setting_->parameters);
  const FaceVelocity* scheme = offered<FaceVelocity>(*discretization_);
  if (scheme && scheme->leaves_depth_to_transport() && !(advection_ && !setting_->advection->is_rate))
    throw Refusal(
        "continuity = advective needs an advection that transports the depth: semi-lagrangian or bfecc");

  integrator_ = make_integrator(integrator, setting_->discretization,
                                {*discretization_, setting_->parameters, setting_->linear_solver, terms_});
  set_substeps(setting_->substeps);

  const bool forced = setting_->ledger && (setting_->forced || inertia_);
  work_.reset();
  if (forced && integrator.carries_velocity)
    work_.emplace(setting_->discretization, *discretization_, terms_, forcing_.gravity);
  measures_power_ = setting_->ledger && !integrator.carries_velocity &&
                    (setting_->forced || inertia_ || integrator_->has_drag());

  flows_ = {};
  if (advection_)
    flows_.transport = [this](double dt) {
      advection_->advect(passive_ ? advecting_ : state_, forces_, dt, state_, *clock_);
    };
  if (integrator.carries_velocity && splitting_->splits) {
    flows_.turn = [this](double dt) {
      if (passive_ || !forces_.rotates) return;
      const auto stage = clock_->measure(Stage::velocity);
      discretization_->turn_velocity(dt, forces_, state_);
    };
    flows_.damp = [this](double dt) {
      if (passive_ || forces_.friction == 0) return;
      const double before = setting_->ledger ? discretization_->kinetic_energy(state_) : 0;
      state_[discretization_->velocity()] *= std::exp(-forces_.friction * dt);
      if (setting_->ledger) work_friction_ += discretization_->kinetic_energy(state_) - before;
    };
  }
  if (!terms_.has(Term::source)) flows_.supply = [this](double dt) { add_water(dt); };
  flows_.integrate = [this](double dt) {
    return passive_ ? StepReport{} : integrator_->step(state_, forces_, dt, *clock_);
  };
}

void ShallowWater::set_substeps(int substeps) {
  setting_->substeps = substeps;
  const bool per_substep = read_options<AdvectionIntervalOptions>(setting_->parameters).per_substep;
  parts_ = advection_ && per_substep ? substeps : 1;
  integrator_->set_substeps(substeps / parts_);
}

double ShallowWater::stable_dt() const {
  return discretization_->stable_dt(state_, forces_, terms_);
}

double ShallowWater::stable_dt_at(const Points& x) {
  const Points here = geometry_.x;
  const State state = state_;
  refresh_at(x);
  apply_forcing();
  const double dt = stable_dt();
  refresh_at(here);
  apply_forcing();
  state_ = state;
  return dt;
}

void ShallowWater::set_past(const Points& before, double dt) {
  if (inertia_) inertia_->set_past(before, dt);
}

void ShallowWater::set_forcing(const Forcing& forcing) {
  forcing_ = forcing;
  forcing_changed_ = true;
}

void ShallowWater::apply_forcing() {
  const bool moves = inertia_ && inertia_->acceleration().size();
  if (moves || options_.friction > 0) {
    total_forcing_ = forcing_;
    total_forcing_.friction += options_.friction;
    if (moves && forcing_.body_acceleration.size())
      total_forcing_.body_acceleration += inertia_->acceleration();
    else if (moves)
      total_forcing_.body_acceleration = inertia_->acceleration();
    discretization_->derive(total_forcing_, forces_);
  } else {
    discretization_->derive(forcing_, forces_);
  }
  if (forces_.rotates && !setting_->integrator.carries_velocity)
    throw Refusal(setting_->integrator.name +
                  " carries no velocity that the Coriolis force could turn; use coriolis = 0");
  if (forces_.has_inflow) require_that_mass_is_kept();
  integrator_->refresh(forces_);
  forcing_changed_ = false;
}

void ShallowWater::require_that_mass_is_kept() const {
  const std::string reason = setting_->integrator.mass_drift(setting_->parameters);
  if (!reason.empty()) throw Refusal(setting_->integrator.name + " takes no sources: " + reason);
}

/// Geometry and what is on it; leaves all as it was where that cannot be.
void ShallowWater::refresh_at(const Points& x) {
  State* carried = has_velocity() ? &state_ : nullptr;
  before_move_ = geometry_.x;
  try {
    compute_geometry(mesh_, x, geometry_);
    discretization_->refresh(carried);
  } catch (const Error&) {
    compute_geometry(mesh_, before_move_, geometry_);
    discretization_->refresh(carried);
    apply_forcing();
    throw;
  }
}

void ShallowWater::move_to(const Points& x, double dt, StageClock& clock) {
  const double before = measured_energy(clock);
  {
    const auto stage = clock.measure(Stage::animation);
    refresh_at(x);
    largest_speed_ = std::max(largest_speed_, (x - before_move_).colwise().norm().maxCoeff() / dt);
    if (inertia_) inertia_->move_to(x, dt);
    if (work_) work_->refresh();
    apply_forcing();
  }
  has_moved_ = true;
  if (advection_) advection_->refresh(clock);
  work_geometry_ += measured_energy(clock) - before;
  note_work();
}

double ShallowWater::measured_energy(StageClock& clock) const {
  if (!setting_->ledger) return 0;
  const auto stage = clock.measure(Stage::work);
  return energy().total();
}

void ShallowWater::note_work() {
  const double work = std::abs(work_geometry_) + std::abs(ledger().work_forces);
  if (!(work <= largest_work_)) largest_work_ = work;
}

void ShallowWater::set_advecting_velocity(const VectorField& velocity) {
  if (!advection_ || !setting_->advection->carries_other_fields)
    throw Refusal((setting_->advection ? setting_->advection->name : "none") +
                  " transports a velocity along itself, not along another flow");
  advecting_ = discretization_->project({{}, velocity});
  passive_ = true;
}

StepReport ShallowWater::step(double dt, StageClock& clock) {
  if (inertia_ && !has_moved_) {  // without a call the surface is taken to be at rest
    inertia_->move_to(geometry_.x, dt);
    forcing_changed_ = true;
  }
  has_moved_ = false;
  if (forcing_changed_) apply_forcing();
  if (work_ || measures_power_ || (forces_.has_inflow && setting_->ledger)) {
    const auto stage = clock.measure(Stage::work);
    if (work_) work_->begin_step(state_);
    before_step_ = state_;
  }
  clock_ = &clock;
  for (int part = 0; part < parts_; ++part)
    if (StepReport report = splitting_->step(flows_, dt / parts_); !report.ok) return report;
  time_ += dt;
  if (forces_.has_inflow) note_source(dt, clock);
  if (work_) {
    const auto stage = clock.measure(Stage::work);
    work_->end_step(forces_, state_, dt);
  }
  if (measures_power_) add_power(dt, clock);
  note_work();
  return {};
}

/// Of the mean of both ends of the step: with newmark's rule and a constant η₀ exactly what the energy has
/// grown by.
void ShallowWater::add_power(double dt, StageClock& clock) {
  const auto stage = clock.measure(Stage::work);
  before_step_.q = 0.5 * (before_step_.q + state_.q);
  work_depth_rate_ += dt * integrator_->force_power(before_step_, forces_, forcing_.gravity);
}

void ShallowWater::add_water(double dt) {
  if (passive_ || !forces_.has_inflow) return;
  if (has_velocity())
    discretization_->add_rates(state_, forces_, Term::source, dt, state_);
  else
    state_[discretization_->volume()] += dt * forces_.inflow;
}

/// The energy that the mean state of the step gains from the water of the step.
void ShallowWater::note_source(double dt, StageClock& clock) {
  if (passive_) return;
  const double added = dt * forces_.inflow.sum();
  mass_source_ += setting_->density * added;
  integrator_->volume_added(added);
  if (!setting_->ledger) return;
  const auto stage = clock.measure(Stage::work);
  const State now = state_;
  state_.q = 0.5 * (before_step_.q + now.q);
  const State mean = state_;
  add_water(0.5 * dt);
  const double after = energy().total();
  state_ = mean;
  add_water(-0.5 * dt);
  work_source_ += after - energy().total();
  state_ = now;
}

void ShallowWater::exchange(const Vector& volume, const Points& impulse) {
  require_that_mass_is_kept();
  if (impulse.size() && !has_velocity())
    throw Refusal(setting_->integrator.name + " carries no velocity that an impulse could change");
  const double before = setting_->ledger ? energy().total() : 0;
  Forces water;
  water.has_inflow = true;
  water.inflow = volume;
  if (has_velocity())
    discretization_->add_rates(state_, water, Term::source, 1, state_);
  else
    state_[discretization_->volume()] += volume;
  if (impulse.size()) {
    Values depth;
    discretization_->sample(state_, forces_, "depth_at_faces", depth);
    const Vector& area = discretization_->find_output("depth_at_faces")->area();
    Points velocity = impulse;
    for (Index k = 0; k < velocity.cols(); ++k)
      velocity.col(k) *= depth(0, k) > 0 ? 1 / (area[k] * depth(0, k)) : 0;
    discretization_->add_velocity(velocity, state_);
  }
  mass_source_ += setting_->density * volume.sum();
  integrator_->volume_added(volume.sum());
  if (setting_->ledger) work_source_ += energy().total() - before;
}

void ShallowWater::change(const ShallowWaterSetting& setting) {
  if (passive_) throw Refusal("a passive velocity cannot be taken over by another scheme or integrator");
  const double before = energy().total();
  State projected = integrator_->finish(state_, forces_);
  const auto same_scheme = [&] {
    const ParameterInfos& declared = setting.discretization.parameters;
    return setting.discretization.name == setting_->discretization.name &&
           std::all_of(declared.begin(), declared.end(), [&](const ParameterInfo& info) {
             const Value *now = setting_->parameters.value(info.name),
                         *next = setting.parameters.value(info.name);
             return now && next && *now == *next;
           });
  };
  const bool same = same_scheme();
  setting_.emplace(setting);
  options_ = read_options<ShallowWaterOptions>(setting.parameters);
  if (!same) {
    const Points here = geometry_.x;
    compute_geometry(mesh_, rest_,
                     geometry_);  // where the bed was sampled and a scheme's own cells were chosen
    std::unique_ptr<Discretization> next =
        setting.discretization.make(mesh_, geometry_, bed_depth_, setting.parameters);
    compute_geometry(mesh_, here, geometry_);
    next->refresh(nullptr);
    State resampled = zero_state(next->layout());
    resample(*discretization_, projected, resampled, *next);
    projected = std::move(resampled);
    work_.reset();
    advection_.reset();
    integrator_.reset();
    discretization_ = std::move(next);
    forces_ = {};
    forcing_.inflow = {};  // of cells that are no more
  }
  const double work_forces = work_ ? work_->total() : 0;
  make_parts();
  if (work_) work_->set_total(work_forces);
  apply_forcing();
  state_ = integrator_->start(std::move(projected), forces_);
  work_change_ += energy().total() - before;
}

namespace {

/// Volumes of the cells of vertices from those of faces, or back, through the linear function of the depths:
/// the sum stays.
Vector volumes_at_vertices(const Mesh& mesh, const Cells& cells, const Vector& face_area, ConstBlock volume) {
  Vector vertices = Vector::Zero(mesh.vertex_count);
  if (cells.location == Location::vertex) return volume;
  for (Index k = 0; k < mesh.face_count(); ++k) {
    const Index cell = cells.of_element[k];
    for (int c = 0; c < 3; ++c)
      vertices[mesh.faces(c, k)] += face_area[k] / 3 * (volume[cell] / cells.area[cell]);
  }
  return vertices;
}

Vector volumes_at_cells(const Mesh& mesh, const Cells& cells, const Vector& face_area,
                        const Vector& vertices) {
  if (cells.location == Location::vertex) return vertices;
  Vector area = Vector::Zero(mesh.vertex_count);
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) area[mesh.faces(c, k)] += face_area[k] / 3;
  Vector volume = Vector::Zero(cells.count());
  for (Index k = 0; k < mesh.face_count(); ++k)
    for (int c = 0; c < 3; ++c) {
      const Index i = mesh.faces(c, k);
      volume[cells.of_element[k]] += face_area[k] / 3 * (vertices[i] / area[i]);
    }
  return volume;
}

}  // namespace

/// Through values at vertices, except where both schemes have their cells on the same triangles.
void ShallowWater::resample(const Discretization& from, const State& state, State& resampled,
                            const Discretization& to) const {
  const Mesh& mesh_from = from.own_triangulation() ? *from.own_triangulation() : mesh_;
  const Mesh& mesh_to = to.own_triangulation() ? *to.own_triangulation() : mesh_;
  const ConstBlock volume = state[from.volume()];
  const Cells &cells_from = from.cells(), &cells_to = to.cells();
  const bool own = from.own_triangulation() || to.own_triangulation();
  const bool same_cells =
      !own && cells_from.location == cells_to.location && cells_from.of_element == cells_to.of_element;
  const Output& velocity = *from.find_output("velocity");
  if (same_cells)
    resampled[to.volume()] = volume;
  else
    resampled[to.volume()] =
        volumes_at_cells(mesh_to, cells_to, to.find_output("velocity")->area(),
                         volumes_at_vertices(mesh_from, cells_from, velocity.area(), volume));
  Values vectors;
  velocity.evaluate(state, forces_, vectors);
  Points at_faces = vectors;
  if (own) {  // the triangles are not the same ones
    Points at_vertices = Points::Zero(3, mesh_.vertex_count);
    Vector area = Vector::Zero(mesh_.vertex_count);
    for (Index k = 0; k < mesh_from.face_count(); ++k)
      for (int c = 0; c < 3; ++c) {
        at_vertices.col(mesh_from.faces(c, k)) += velocity.area()[k] * at_faces.col(k);
        area[mesh_from.faces(c, k)] += velocity.area()[k];
      }
    for (Index k = 0; k < mesh_to.face_count(); ++k) {
      at_faces.col(k).setZero();
      for (int c = 0; c < 3; ++c)
        at_faces.col(k) += at_vertices.col(mesh_to.faces(c, k)) / (3 * area[mesh_to.faces(c, k)]);
    }
  }
  to.add_velocity(at_faces, resampled);
}

void ShallowWater::sample(const std::string& output, Values& values) const {
  discretization_->sample(state_, forces_, output, values);
}

Energy ShallowWater::potential_energy() const {
  const Cells& cells = discretization_->cells();
  const auto elevation = volume().array() / cells.area.array() - cells.bed.array();
  Energy result;
  result.mean_elevation = (cells.area.array() * elevation).sum() / cells.area.sum();
  result.potential = 0.5 * setting_->density * forcing_.gravity *
                     (cells.area.array() * (elevation - result.mean_elevation).square()).sum();
  return result;
}

Energy ShallowWater::energy() const {
  Energy result = potential_energy();
  result.kinetic = setting_->density * integrator_->kinetic_energy(state_);
  return result;
}

Ledger ShallowWater::ledger() const {
  return {
      .mass_source = mass_source_,
      .work_geometry = work_geometry_,
      .work_forces = setting_->density * ((work_ ? work_->total() : 0) + work_depth_rate_ + work_friction_),
      .work_source = work_source_,
      .work_change = work_change_};
}

void ShallowWater::save(Archive& archive) const {
  archive.put("state", state_.q);
  archive.put("time", time_);
  archive.put_points("positions", geometry_.x);
  Vector sums(10);
  sums << mass_source_, work_source_, work_change_, work_geometry_, work_friction_, work_depth_rate_,
      largest_work_, largest_speed_, work_ ? work_->total() : 0, has_moved_;
  archive.put("ledger", sums);
  if (inertia_) inertia_->save(archive);
  integrator_->save(archive);
}

void ShallowWater::restore(const Archive& archive) {
  time_ = archive.number("time");
  refresh_at(archive.points("positions"));
  if (inertia_) inertia_->restore(archive);
  if (work_) work_->refresh();
  StageClock unused;
  if (advection_) advection_->refresh(unused);
  apply_forcing();
  state_.q = archive.vector("state");
  integrator_->restore(archive, forces_);
  const Vector& sums = archive.vector("ledger");
  mass_source_ = sums[0];
  work_source_ = sums[1];
  work_change_ = sums[2];
  work_geometry_ = sums[3];
  work_friction_ = sums[4];
  work_depth_rate_ = sums[5];
  largest_work_ = sums[6];
  largest_speed_ = sums[7];
  if (work_) work_->set_total(sums[8]);
  has_moved_ = sums[9] != 0;
}

}  // namespace shoal
