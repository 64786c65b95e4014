// The mass and energy budget of a step.
#include "solvers/shallow_water.hpp"

namespace shoal {

const Eigen::Vector2d& ShallowWater::rest_sums() const {
  const Cells& cells = discretization().cells();
  if (!rest_sums_)
    rest_sums_ = sum(surface_.mesh(), cells, [&](Index i) -> Eigen::Vector2d {
      return {cells.area[i], cells.area[i] * cells.bed[i]};
    });
  return *rest_sums_;
}

double ShallowWater::total_volume() const {
  return sum(surface_.mesh(), discretization().cells(), volume());
}

double ShallowWater::total_area() const {
  return rest_sums()[0];
}

double ShallowWater::bed_volume() const {
  return rest_sums()[1];
}

Energy ShallowWater::potential_energy() const {
  const Cells& cells = discretization().cells();
  const Mesh& mesh = surface_.mesh();
  const auto elevation = volume().array() / cells.area.array() - cells.bed.array();
  Energy result;
  result.volume = total_volume();
  result.mean_elevation = (result.volume - bed_volume()) / total_area();
  result.potential = 0.5 * density() * constant_forcing().gravity *
                     sum(mesh, cells, cells.area.array() * (elevation - result.mean_elevation).square());
  return result;
}

Energy ShallowWater::energy() const {
  Energy result = potential_energy();
  result.kinetic = density() * assembly_->integrator->kinetic_energy(state_);
  return result;
}

Ledger ShallowWater::ledger() const {
  return ledger_.at_density(density());
}

bool ShallowWater::measures_work() const {
  const ShallowWaterSetting& setting = assembly_->setting;
  const bool damped = assembly_->terms.has(Term::friction) && forces().friction > 0;
  const bool on_moving_mesh = carries_circulation() && surface_velocity().size();
  return setting.ledger && has_velocity() &&
         (setting.forced || inertial_forcing_.has_surface_inertia() || damped || on_moving_mesh ||
          inertial_forcing_.has_flow_inertia());
}

/// Whether the power of forces and drag on a depth rate is measured.
bool ShallowWater::measures_power() const {
  const ShallowWaterSetting& setting = assembly_->setting;
  return setting.ledger && !has_velocity() &&
         (setting.forced || inertial_forcing_.has_surface_inertia() || assembly_->integrator->has_drag());
}

Energy ShallowWater::measured_energy(StageClock& clock) const {
  if (!assembly_->setting.ledger) return {};
  const auto stage = clock.measure(Stage::work);
  return energy();
}

void ShallowWater::book_move(const Energy& before, StageClock& clock) {
  const Energy after = measured_energy(clock);
  ledger_.work_geometry += after.total() - before.total();
  ledger_.work_geometry_kinetic += after.kinetic - before.kinetic;
}

void ShallowWater::begin_work() {
  if (!work_ || step_.in_stages) return;
  const auto stage = step_.clock->measure(Stage::work);
  work_->begin_step(state_);
  step_.books_work = true;
}

void ShallowWater::end_work() {
  if (!step_.books_work) return;
  const auto stage = step_.clock->measure(Stage::work);
  const Vector& friction = friction_.last_change();
  if (friction.size() > 0) {
    now_ = state_;
    now_[discretization().velocity()] -= friction;
  }
  work_->end_step(friction.size() > 0 ? now_ : state_, step_.dt, assembly_->integrator->place_of_forces(),
                  ledger_.forces);
  step_.books_work = false;
}

/// Power at the mean of both ends of the step: with the rule of newmark and constant η₀ this equals the
/// change of the energy exactly.
void ShallowWater::add_power(double dt, StageClock& clock) {
  const auto stage = clock.measure(Stage::work);
  before_step_.q = 0.5 * (before_step_.q + state_.q);
  ledger_.depth_rate += dt * assembly_->integrator->force_power(before_step_, constant_forcing().gravity);
}

/// Records the mass as integrated by the stages. If the integrator treats sources as a rate, also records the
/// energy that sources and boundary fluxes add to the mean state of the step.
void ShallowWater::book_source(double dt, StageClock& clock) {
  if (passive_) return;
  book_mass();
  if (has_open_flux()) ledger_.mass_source += density() * state_[discretization().boundary_volume()].sum();
  // stages have measured it already
  if (!assembly_->setting.ledger || !takes_water() || step_.in_stages) return;
  const auto stage = clock.measure(Stage::work);
  now_ = state_;
  mean_.q = 0.5 * (before_step_.q + now_.q);
  ledger_.work_source += dt * source_power(mean_, dt);
  state_ = now_;
}

void ShallowWater::book_mass() {
  if (has_velocity()) step_.source = state_[discretization().source_volume()];
  ledger_.mass_source += density() * step_.source[0];
  ledger_.mass_lacking += density() * step_.source[1];
}

/// The rate at which sources and boundary fluxes change the energy of the state `at`, W: a difference over a
/// fraction of dt so small that no cell filled by the step becomes empty. Overwrites state_.
double ShallowWater::source_power(const State& at, double dt) {
  const double delta = power_delta * dt;
  const RightSide& right_side = assembly_->right_side;
  Terms at_openings = Term::gravity | Term::coriolis;
  if (advects()) at_openings = at_openings | Term::advection;
  const double of_openings =
      opens() && has_velocity() ? density() * right_side.opening_power(at, at_openings) : 0;
  const auto energy_after = [&](double time) {
    state_ = at;
    if (has_open_flux()) right_side.add_boundary_rates(at, time, state_);
    if (sums_sources())
      state_.q += time / dt * sources_.q;
    else if (forces().has_inflow && assembly_->terms.has(Term::source))
      right_side.add(at, Term::source, time, state_);
    return energy().total();
  };
  const double after = energy_after(delta);
  return (after - energy_after(-delta)) / (2 * delta) + of_openings;
}

}  // namespace shoal
