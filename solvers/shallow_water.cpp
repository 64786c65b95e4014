// The order of what happens in a step.
#include "solvers/shallow_water.hpp"

#include "solvers/integrators/list.hpp"

#include <cmath>

namespace shoal {

ParameterInfos shallow_water_parameters(const IntegratorEntry& integrator) {
  if (!integrator.carries_velocity) return {};
  return {number("friction", "1/s", 0, 0, std::numeric_limits<double>::infinity(),
                 "linear friction: v_t loses this times v, applied after each step")};
}

ShallowWater::ShallowWater(const Mesh& mesh, const Points& x, const ScalarField& bed_depth,
                           const Forcing& forcing, const ShallowWaterSetting& setting)
    : mesh_(mesh),
      setting_(setting),
      geometry_(make_geometry(mesh, x)),
      discretization_(setting.discretization.make(mesh, geometry_, bed_depth, setting.parameters)) {
  const Parameters& parameters = setting.parameters;
  if (parameters.has("inertia") && parameters.text("inertia") == "on") inertia_.emplace(parameters);
  if (parameters.has("friction")) friction_ = parameters.number("friction");
  set_forcing(forcing);
  apply_forcing();
  if ((setting.forced || inertia_) && setting.integrator.carries_velocity)
    work_.emplace(setting.discretization, mesh, geometry_, bed_depth, parameters, forcing.gravity);
}

double ShallowWater::stable_dt_at(const Points& x, const State& state) {
  const Points here = geometry_.x;
  state_ = state;
  refresh_at(x);
  apply_forcing();
  const double dt = discretization_->stable_dt(state_);
  refresh_at(here);
  apply_forcing();
  return dt;
}

void ShallowWater::start(State state, double dt, int substeps, const Points& before) {
  state_ = std::move(state);
  dt_ = dt;
  if (inertia_) inertia_->start(geometry_.x, before);
  if (setting_.advection) advection_ = setting_.advection->make(*discretization_, setting_.parameters);
  if (advection_ && setting_.parameters.text("advection_interval") == "substep") parts_ = substeps;
  integrator_ =
      make_integrator(setting_.integrator, setting_.discretization,
                      {*discretization_, setting_.parameters, substeps / parts_, setting_.linear_solver});
  integrator_->start(state_, dt / parts_);
  measures_power_ =
      !setting_.integrator.carries_velocity && (setting_.forced || inertia_ || integrator_->has_drag());
}

void ShallowWater::set_forcing(const Forcing& forcing) {
  forcing_ = forcing;
  forcing_changed_ = true;
}

void ShallowWater::apply_forcing() {
  if (inertia_ && inertia_->acceleration().size()) {
    total_forcing_.normal_acceleration = forcing_.normal_acceleration;
    total_forcing_.gravity = forcing_.gravity;
    total_forcing_.rotation = forcing_.rotation;
    total_forcing_.body_acceleration = inertia_->acceleration();
    if (forcing_.body_acceleration.size()) total_forcing_.body_acceleration += forcing_.body_acceleration;
    discretization_->set_forcing(total_forcing_);
  } else {
    discretization_->set_forcing(forcing_);
  }
  if (integrator_) integrator_->refresh();
  forcing_changed_ = false;
}

/// Geometry and what is on it; leaves all as it was where that cannot be.
void ShallowWater::refresh_at(const Points& x) {
  before_move_ = geometry_.x;
  try {
    compute_geometry(mesh_, x, geometry_);
    discretization_->refresh(state_);
  } catch (const Error&) {
    compute_geometry(mesh_, before_move_, geometry_);
    discretization_->refresh(state_);
    apply_forcing();
    throw;
  }
}

void ShallowWater::move_to(const Points& x, StageClock& clock) {
  const double before = measured_energy(clock);
  {
    const auto stage = clock.measure(Stage::animation);
    refresh_at(x);
    largest_speed_ = std::max(largest_speed_, (x - before_move_).colwise().norm().maxCoeff() / dt_);
    if (inertia_) inertia_->move_to(x, dt_);
    if (work_) work_->refresh();
    apply_forcing();
  }
  has_moved_ = true;
  if (advection_) advection_->refresh(clock);
  work_geometry_ += measured_energy(clock) - before;
  note_work();
}

double ShallowWater::measured_energy(StageClock& clock) const {
  const auto stage = clock.measure(Stage::work);
  return energy().total();
}

void ShallowWater::note_work() {
  const double work = std::abs(work_geometry_) + std::abs(work_forces());
  if (!(work <= largest_work_)) largest_work_ = work;
}

void ShallowWater::set_advecting_velocity(const VectorField& advecting_velocity) {
  if (setting_.advection && !setting_.advection->carries_other_fields)
    throw Refusal(setting_.advection->name + " transports a velocity along itself, not along another flow");
  advecting_velocity_ = discretization_->project({{}, advecting_velocity}).flow;
}

StepReport ShallowWater::step(StageClock& clock) {
  if (inertia_ && !has_moved_) {  // it has come to rest
    inertia_->move_to(geometry_.x, dt_);
    forcing_changed_ = true;
  }
  has_moved_ = false;
  if (forcing_changed_) apply_forcing();
  if (work_) work_->begin_step(state_);
  if (measures_power_) before_step_ = state_;
  for (int part = 0; part < parts_; ++part) {
    const bool passive = advecting_velocity_.size() > 0;
    if (advection_)
      advection_->advect(passive ? advecting_velocity_ : state_.flow, dt_ / parts_, state_, clock);
    if (passive) continue;
    if (StepReport report = integrator_->step(state_, dt_ / parts_, clock); !report.ok) return report;
  }
  if (work_) work_->end_step(*discretization_, state_, dt_);
  if (measures_power_) add_power(clock);
  if (friction_ > 0 && advecting_velocity_.size() == 0) {
    const double before = discretization_->kinetic_energy(state_);
    state_.flow *= std::exp(-friction_ * dt_);
    work_friction_ += discretization_->kinetic_energy(state_) - before;
  }
  note_work();
  return {};
}

/// Of the mean of both ends of the step: with newmark's rule and a constant η₀ exactly what the energy has
/// grown by.
void ShallowWater::add_power(StageClock& clock) {
  const auto stage = clock.measure(Stage::work);
  before_step_.volume = 0.5 * (before_step_.volume + state_.volume);
  before_step_.volume_rate = 0.5 * (before_step_.volume_rate + state_.volume_rate);
  work_depth_rate_ += dt_ * integrator_->force_power(before_step_, forcing_.gravity);
}

Energy ShallowWater::potential_energy() const {
  const Cells& cells = discretization_->cells();
  const auto elevation = state_.volume.array() / cells.area.array() - cells.bed.array();
  Energy result;
  result.mean_elevation = (cells.area.array() * elevation).sum() / cells.area.sum();
  result.potential = 0.5 * setting_.density * forcing_.gravity *
                     (cells.area.array() * (elevation - result.mean_elevation).square()).sum();
  return result;
}

Energy ShallowWater::energy() const {
  Energy result = potential_energy();
  result.kinetic = setting_.density * integrator_->kinetic_energy(state_);
  return result;
}

double ShallowWater::work_forces() const {
  return setting_.density * ((work_ ? work_->total() : 0) + work_depth_rate_ + work_friction_);
}

}  // namespace shoal
