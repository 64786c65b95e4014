// The sequence of operations in a step.
#include "solvers/shallow_water.hpp"

#include "discretizations/capabilities.hpp"
#include "solvers/shallow_water_stages.hpp"
#include "solvers/sponge.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <sstream>

namespace shoal {

namespace {

std::unique_ptr<Assembly> make_assembly(const ShallowWaterSetting& setting,
                                        std::shared_ptr<Discretization> scheme) {
  RightSide right_side(*scheme);
  return std::make_unique<Assembly>(setting, std::move(scheme), std::move(right_side));
}

}  // namespace

ShallowWater::~ShallowWater() = default;

ShallowWater::ShallowWater(const Mesh& mesh, const Points& x, ScalarField bed_depth, const Forcing& forcing,
                           const ShallowWaterSetting& setting,
                           const std::function<State(const Discretization&, const Forces&)>& initial)
    : bed_depth_(std::move(bed_depth)),
      surface_(mesh, x),
      assembly_(make_assembly(setting, make_discretization(setting, mesh, surface_.geometry(), bed_depth_))),
      inertial_forcing_(assembly_->options.inertial_forcing(), x) {
  set_forcing(forcing);
  make_flows();
  apply_forcing();
  initialize(initial(discretization(), forces()));
}

void ShallowWater::initialize(State projected) {
  if (advects()) discretization().project_initial_velocity(Term::advection, projected, scratch());
  if (const DryLand* dry = offered<DryLand>(discretization()))
    dry->stop_on_dry_land(projected, forces(), scratch());
  state_ = assembly_->integrator->start(std::move(projected));
  renew();
}

void ShallowWater::make_flows() {
  flows_ = {};
  if (assembly_->advection)
    flows_.transport = [this](double dt) {
      if (assembly_->parts > 1 && step_.parts_done > 0 &&
          step_.parts_done % assembly_->setting.substeps_per_renewal == 0)
        renew(*step_.clock);
      return assembly_->advection->advect(passive_ ? advecting_ : state_, dt, state_, *step_.clock);
    };
  if (has_velocity() && assembly_->splitting.splits) {
    flows_.coriolis = [this](double dt) {
      if (passive_ || !forces().rotates) return;
      const auto stage = step_.clock->measure(Stage::velocity);
      assembly_->turning->apply_coriolis(dt, forces(), state_, scratch());
    };
  }
  if (has_velocity()) flows_.friction = [this](double dt) { apply_friction(dt); };
  if (const auto sponge = Sponge::make(constant_forcing().boundaries, discretization(), surface_.rest()))
    // Half before and half after the integrator's steps and friction; the work of forces is that of the flow between.
    flows_.friction = [this, sponge, friction = flows_.friction](double dt) {
      if (passive_) return;
      const bool at_end = step_.parts_done == assembly_->parts;
      if (at_end) {
        end_work();
        friction(dt);
      }
      const double before = measured_energy(*step_.clock).total(),
                   time = at_end ? time_ + step_.dt - dt : time_;
      const Vector& added = sponge->apply(constant_forcing().boundaries, time, dt, discretization(), state_);
      assembly_->integrator->volume_added(added, 1);
      ledger_.mass_source += density() * sum(surface_.mesh(), discretization().cells(), added);
      ledger_.work_source += measured_energy(*step_.clock).total() - before;
      if (at_end) return;
      friction(dt);
      begin_work();
    };
  if (!assembly_->terms.has(Term::source)) flows_.source = [this](double dt) { add_source(dt); };
  flows_.integrate = [this](double dt) { return integrate(dt); };
}

StepReport ShallowWater::integrate(double dt) {
  ++step_.parts_done;
  if (passive_) return {};
  limit_sinks(dt * assembly_->setting.integrator.euler_part * assembly_->parts / substeps());
  const FrictionLaw law = bed_friction(true);
  friction_.set(law, assembly_->setting.ledger ? &ledger_.split_friction : nullptr);
  assembly_->right_side.set_friction(law.acts() ? &friction_ : nullptr);
  if (step_.in_stages) {
    if (!stages_) stages_ = std::make_unique<Stages>(*this);
    return stages_->step(dt, step_.forces_vary);
  }
  if (sums_sources()) assembly_->right_side.collect_sources(&sources_);
  StepReport report = assembly_->integrator->step(state_, dt, *step_.clock);
  assembly_->right_side.collect_sources(nullptr);
  if (report.ok && assembly_->splitting.splits) stop_on_dry_land();  // before other flows transport it
  return report;
}

/// That which acts in the stages of the integrator, or apart from its steps.
FrictionLaw ShallowWater::bed_friction(bool in_stages) const {
  if (assembly_->setting.integrator.resists != in_stages) return {};
  return assembly_->options.bed_friction(constant_forcing().gravity);
}

/// The work of friction is recorded separately; the work of forces is that of the flow without friction.
void ShallowWater::apply_friction(double dt) {
  const double linear = assembly_->terms.has(Term::friction) ? 0 : forces().friction;
  const FrictionLaw law = bed_friction(false);
  if (passive_ || (linear == 0 && !law.acts())) return;
  if (step_.parts_done == assembly_->parts) end_work();
  const bool books = assembly_->setting.ledger;
  const double before = books ? assembly_->right_side.kinetic_energy(state_) : 0;
  if (law.acts()) {
    const auto stage = step_.clock->measure(Stage::velocity);
    // v_t = −(c + k|v|) v has the solution v e^(−ct)/(1 + k|v|τ), τ = (1 − e^(−ct))/c.
    const double time = linear > 0 ? -std::expm1(-linear * dt) / linear : dt;
    assembly_->bed_friction->apply_bed_friction(law, time, forces(), state_, scratch());
  }
  if (linear > 0) state_[discretization().velocity()] *= std::exp(-linear * dt);
  if (books) ledger_.split_friction += assembly_->right_side.kinetic_energy(state_) - before;
  if (step_.parts_done == 0) begin_work();
}

void ShallowWater::add_source(double dt) {
  if (passive_ || !forces().has_inflow) return;
  const double before = measured_energy(*step_.clock).total();
  limit_sinks(dt);
  add_water(dt, forces());
  ledger_.work_source += measured_energy(*step_.clock).total() - before;
}

void ShallowWater::set_substeps(int substeps, int per_renewal) {
  assembly_->set_substeps(substeps, per_renewal);
}

double ShallowWater::stable_dt() const {
  // A flow that does not change still transports the depth.
  const Terms terms = holds_velocity() ? assembly_->terms | Term::advection : assembly_->terms;
  return assembly_->right_side.stable_dt(state_, terms);
}

double ShallowWater::stable_dt_within(double dt) {
  if (!surface_.has_motion() || !carries_circulation() || passive_) return stable_dt();
  ahead_.q = state_.q;
  assembly_->motion().add_surface_velocity(surface_.gain_within(time_, dt), -1, ahead_, scratch());
  const double of_substep = assembly_->right_side.stable_dt(ahead_, assembly_->terms);
  const bool transports = assembly_->splitting.splits && assembly_->advection &&
                          assembly_->setting.discretization.terms.has(Term::advection);
  if (!transports) return of_substep;
  return std::fmin(of_substep, assembly_->right_side.stable_dt(ahead_, Term::advection) / substeps());
}

double ShallowWater::stable_dt_at(const Points& x) {
  const Points here = geometry().x;
  const State state = state_;
  const auto go_back = [&] {
    refresh_at(here);
    apply_forcing();
    state_ = state;
  };
  double dt = 0;
  try {
    if (carries_circulation()) assembly_->motion().lower(state_);
    refresh_at(x);
    if (carries_circulation()) assembly_->motion().raise(state_);
    apply_forcing();
    dt = stable_dt();
  } catch (...) {
    go_back();
    throw;
  }
  go_back();
  return dt;
}

void ShallowWater::follow(Motion motion, double dt, bool smooth) {
  assembly_->motion();  // refuses a scheme for surfaces at rest
  surface_.follow(std::move(motion), time_, dt, smooth);
  const bool continued = assembly_->options.inertia.continued;
  if (inertial_forcing_.has_surface_inertia() && continued) {
    surface_.positions_before(dt, next_points_);
    inertial_forcing_.set_past(next_points_, dt);
  }
  if (!carries_circulation()) return;
  span_ = dt;
  instant_ = time_;
  if (continued) surface_.set_velocity_of_motion(time_, dt);
  if (assembly_->setting.starts_absolute && surface_velocity().size())
    assembly_->motion().add_surface_velocity(surface_velocity(), -1, state_, scratch());
  apply_forcing();
}

namespace {

void check_inflow(const BoundaryCondition& condition) {
  const auto min_of = [](const TimeSeries& series) {
    return *std::min_element(series.values().begin(), series.values().end());
  };
  const auto refuse = [&](const char* what, double value, const char* wanted) {
    std::ostringstream text;
    text << "boundaries: the " << what << ' ' << value << " of the inflow at '" << condition.set << "' is "
         << wanted;
    throw SettingError("boundaries", text.str());
  };
  if (!(min_of(condition.value) > 0)) refuse("depth", min_of(condition.value), "not positive");
  if (min_of(condition.speed) < 0)
    refuse(
        "speed", min_of(condition.speed),
        "negative: it points into the domain; for outflow use an outflow, a level or a negative discharge");
}

}  // namespace

void ShallowWater::check_sizes(const Forcing& forcing) const {
  const auto check = [](const char* name, Eigen::Index size, Index wanted, bool may_be_empty) {
    if (size == wanted || (may_be_empty && size == 0)) return;
    throw Error(std::string("forcing: ") + name + " has " + std::to_string(size) + " values, " +
                std::to_string(wanted) + " are needed");
  };
  check("normal_acceleration", forcing.normal_acceleration.size(), surface_.mesh().vertex_count, false);
  check("body_acceleration", forcing.body_acceleration.cols(), surface_.mesh().vertex_count, true);
  check("inflow", forcing.inflow.size(), discretization().cells().count(), true);
  const Points& x = surface_.rest();  // positions at which the bed was sampled
  const auto check_boundaries = [&] {
    for (const BoundaryCondition& condition : forcing.boundaries) {
      const Index set = find_boundary_set(surface_.mesh(), condition.set);
      if (condition.kind == BoundaryKind::inflow) check_inflow(condition);
      if (condition.kind != BoundaryKind::level) continue;
      const std::vector<double>& levels = condition.value.values();
      const double lowest = *std::min_element(levels.begin(), levels.end());
      for (const Index edge : surface_.mesh().boundary_sets.begin()[set].edges)
        for (int end = 0; end < 2; ++end) {
          const double bed = bed_depth_(x.col(surface_.mesh().edges(end, edge)));
          if (!(lowest + bed > 0))
            throw SettingError("boundaries", "boundaries: the level " + std::to_string(lowest) + " m at '" +
                                                 condition.set + "' is not above the bed at " +
                                                 std::to_string(-bed) + " m");
        }
    }
  };
  together(ranks_of(surface_.mesh()), check_boundaries);  // a part has some of the edges of a set
}

void ShallowWater::set_forcing(const Forcing& forcing) {
  check_sizes(forcing);
  const bool absorbed = Sponge::is_in(constant_forcing().boundaries);
  force_terms_.set_base(forcing);
  record_boundaries();
  if (absorbed || Sponge::is_in(forcing.boundaries)) make_flows();
  forcing_changed_ = true;
}

void ShallowWater::add_term(ForceTerm& term) {
  force_terms_.add(term);
  evaluate_forcing(StepInstant::alone(time_), state_);
  apply_forcing();
}

const Forcing& ShallowWater::forcing_of_step(double dt) {
  evaluate_forcing(StepInstant::middle(time_, dt), state_);
  forcing_changed_ = true;
  return force_terms_.sum();
}

void ShallowWater::evaluate_forcing(const StepInstant& at, const State& state) {
  force_terms_.evaluate(at, {discretization(), geometry(), state, forces()});
}

void ShallowWater::record_boundaries() {
  const BoundaryConditions& conditions = constant_forcing().boundaries;
  boundaries_vary_ = std::any_of(conditions.begin(), conditions.end(),
                                 [](const BoundaryCondition& one) { return one.varies(); });
}

void ShallowWater::apply_forcing() {
  const Forcing& acting = force_terms_.sum();
  const bool on_moving_mesh = carries_circulation() && surface_velocity().size();
  const DryLand* dry = offered<DryLand>(discretization());
  assembly_->right_side.derive(
      inertial_forcing_.with_inertia(acting, surface_, instant_, span_, carries_circulation(),
                                     on_moving_mesh && dry && dry->resists_inertia(volume())));
  if (on_moving_mesh)
    // for outputs, which do not use the frame
    assembly_->right_side.forces().surface_velocity = surface_velocity();
  if (boundaries_vary_) set_boundary_values(force_terms_.evaluated());
  assembly_->require_support(constant_forcing());
  if (!work_ && measures_work())
    work_ = std::make_unique<ForceWork>(
        assembly_->setting.discretization, assembly_->right_side,
        // A splitting evaluates advection and rotation separately.
        advects() ? assembly_->terms | Term::advection | Term::coriolis : assembly_->terms, acting.gravity);
  assembly_->integrator->refresh();
  forcing_changed_ = false;
}

void ShallowWater::add_inertial_acceleration(Vector& normal_acceleration) const {
  inertial_forcing_.add_to(surface_, normal_acceleration);
}

/// Stages use the values at their own instants if all series are linear within the step, otherwise the means
/// over the step: the step then integrates the series exactly in both cases.
void ShallowWater::set_boundary_values(const StepInstant& at) {
  const Forcing& acting = force_terms_.sum();
  Forces& forces = assembly_->right_side.forces();
  if (std::isnan(at.time)) return discretization().set_boundary_values(acting, time_, 0, forces);
  const double end = at.begin + at.step;
  const auto linear = [&](const TimeSeries& series) {
    const std::vector<double>& corners = series.times();
    const auto corner = std::upper_bound(corners.begin(), corners.end(), at.begin);
    return series.constant() || corner == corners.end() || *corner >= end;
  };
  const auto all_linear = [&](const BoundaryCondition& condition) {
    return linear(condition.value) && linear(condition.speed) && linear(condition.tangential);
  };
  const bool own = at.of_stage && std::all_of(acting.boundaries.begin(), acting.boundaries.end(), all_linear);
  if (own || at.step == 0)
    discretization().set_boundary_values(acting, at.time, 0, forces);
  else
    discretization().set_boundary_values(acting, at.begin, at.step, forces);
}

/// Outputs refer to time_; the last stage may have been earlier.
void ShallowWater::update_boundary_values() {
  if (boundaries_vary_) set_boundary_values(StepInstant::alone(time_));
}

/// Records the state at time_ on the current surface.
void ShallowWater::record_flow() {
  if (!passive_)
    inertial_forcing_.record_flow(time_, state_, forces(), discretization(), surface_, scratch());
}

/// Moves the surface to x and updates everything that depends on its geometry. Restores the previous state if
/// that fails.
void ShallowWater::refresh_at(const Points& x) {
  rest_sums_.reset();
  MovesWithSurface& scheme = assembly_->motion();
  State* carried = has_velocity() && !carries_circulation() ? &state_ : nullptr;
  try {
    surface_.place(x);
    together(ranks_of(surface_.mesh()), [&] { scheme.refresh(carried); });
  } catch (const Error&) {
    surface_.go_back();
    scheme.refresh(carried);
    apply_forcing();
    throw;
  }
}

/// Moves the surface to x, where its velocity becomes `surface_velocity`; the absolute circulation is
/// unchanged. If `at` lies within a step, the forcing is evaluated there; otherwise the last sum stays.
void ShallowWater::carry_to(const Points& x, const Points& surface_velocity, const StepInstant& at,
                            StageClock& clock) {
  instant_ = at.time;
  const Energy before = measured_energy(clock);
  {
    const auto stage = clock.measure(Stage::animation);
    const MovesWithSurface& scheme = assembly_->motion();
    surface_.update_seen_velocity();
    scheme.to_circulation(surface_.seen_velocity(), state_, scratch());
    try {
      refresh_at(x);
    } catch (...) {
      scheme.to_velocity(surface_.seen_velocity(), state_, scratch());
      throw;
    }
    surface_.set_velocity(surface_velocity);
    surface_.update_seen_velocity();
    scheme.to_velocity(surface_.seen_velocity(), state_, scratch());
    if (work_) work_->refresh();
    if (at.step > 0) evaluate_forcing(at, state_);
    apply_forcing();
  }
  if (assembly_->advection) assembly_->advection->refresh(clock);
  renew(clock);
  book_move(before, clock);
}

void ShallowWater::move_to(const Points& x, double dt, StageClock& clock) {
  record_flow();
  if (carries_circulation()) {
    surface_.aim(x, dt);
    span_ = dt;
    inertial_forcing_.move_to(x, dt);
    carry_to(surface_.middle(), surface_.mean_velocity(), StepInstant::middle(time_, dt), clock);
  } else {
    const Energy before = measured_energy(clock);
    {
      const auto stage = clock.measure(Stage::animation);
      refresh_at(x);
      surface_.record_speed_of_move(dt);
      inertial_forcing_.move_to(x, dt);
      if (work_) work_->refresh();
      evaluate_forcing(StepInstant::middle(time_, dt), state_);
      apply_forcing();
    }
    if (assembly_->advection) assembly_->advection->refresh(clock);
    book_move(before, clock);
  }
  has_moved_ = true;
}

/// Sets the velocity of the surface at the beginning of a step if it jumps: the absolute circulation is
/// unchanged, and the jump of the energy is work of the surface.
void ShallowWater::begin_to_move(double dt, StageClock& clock) {
  constexpr double rounding = 1e-6;  // of velocities from finite differences
  surface_.velocity_at(time_, dt, velocity_ahead_);
  const auto largest_part = [&](const auto& velocity) {
    return max(surface_.mesh(), Location::vertex,
               [&](Index i) { return velocity.col(i).cwiseAbs().maxCoeff(); });
  };
  const double largest = largest_part(velocity_ahead_);
  const double change =
      surface_velocity().size() ? largest_part(velocity_ahead_ - surface_velocity()) : largest;
  if (!(change > rounding * largest)) return;
  surface_.choose_frame(velocity_ahead_);
  carry_to(geometry().x, velocity_ahead_, StepInstant::alone(time_), clock);
}

/// The second half move.
void ShallowWater::end_move(double dt, StageClock& clock) {
  const Points& velocity = [&]() -> const Points& {
    const auto stage = clock.measure(Stage::animation);
    return surface_.arrive(time_ + dt, dt);
  }();
  carry_to(surface_.target(), velocity, StepInstant::alone(time_ + dt), clock);
  surface_.clear_target();
}

bool ShallowWater::moves_in_stages() const {
  return surface_.moves_smoothly() && carries_circulation() && assembly_->has_stages() && !passive_;
}

/// Whether the forcing differs between the stages of a step.
bool ShallowWater::vary_in_stages(const StepInstant& step) const {
  return moves_in_stages() || boundaries_vary_ || force_terms_.vary_within(step, false);
}

/// With a splitting, or with the surface held at the middle of its move, the order is at most 2; the forcing
/// at the middle of the step is then sufficient.
bool ShallowWater::can_take_stages() const {
  return moves_in_stages() || (assembly_->has_stages() && !passive_ && !has_moved_);
}

/// Whether work and sources must be integrated by the stages: evaluated at the mean of both ends of the step
/// they are only second-order accurate.
bool ShallowWater::books_in_stages() const {
  const bool accurate = assembly_->setting.integrator.claims.order > 2;
  return assembly_->setting.ledger && ((work_ && accurate) || takes_water()) &&
         !inertial_forcing_.has_flow_inertia();
}

/// Whether what sources change is summed over substeps: where they are limited by the water that is there, their rate at the
/// mean of both ends of the step is not that of the substeps, however short they are.
bool ShallowWater::sums_sources() const {
  return assembly_->setting.ledger && !passive_ && !step_.in_stages && forces().has_inflow &&
         assembly_->terms.has(Term::source) && assembly_->setting.integrator.claims.order == 1;
}

void ShallowWater::set_advecting_velocity(const VectorField& velocity) {
  if (!assembly_->advection || !assembly_->setting.advection->carries_other_fields)
    throw Refusal((assembly_->setting.advection ? assembly_->setting.advection->name : "none") +
                  " cannot transport a velocity along another flow");
  advecting_ = discretization().project({{}, velocity});
  passive_ = true;
}

void ShallowWater::hold_velocity(const VectorField& velocity) {
  const ShallowWaterSetting& setting = assembly_->setting;
  if (!setting.integrator.implicit_terms.empty())
    throw Refusal(setting.integrator.name +
                  " solves for the velocity, which is held; use an explicit integrator");
  if (setting.integrator.calls_own_step)
    throw Refusal(setting.discretization.name +
                  " has a step of its own, which changes the velocity that is held");
  if (setting.advection)
    throw Refusal(setting.advection->name + " changes the velocity, which is held; use advection = none");
  if (Sponge::is_in(constant_forcing().boundaries))
    throw Refusal("a sponge changes the velocity, which is held; use other boundaries");
  if (forces().friction > 0 || assembly_->options.bed_friction(constant_forcing().gravity).acts())
    throw Refusal(
        "friction changes the velocity, which is held; use friction = 0, manning = 0 and chezy = 0");
  if (forces().rotates) throw Refusal("the Coriolis force changes the velocity, which is held");
  const State held = discretization().project({{}, velocity});
  Vector per_volume;
  if (setting.discretization.transports_momentum()) {
    const ConstBlock volumes = held[discretization().volume()];
    const Index components = discretization().velocity().size / volumes.size();
    per_volume = held[discretization().velocity()].cwiseQuotient(volumes.replicate(components, 1));
    state_[discretization().velocity()] = per_volume.cwiseProduct(volume().replicate(components, 1));
  } else {
    state_[discretization().velocity()] = held[discretization().velocity()];
  }
  renew();
  assembly_->right_side.hold_velocity(std::move(per_volume));
}

StepReport ShallowWater::step(double dt, StageClock& clock) {
  if (!surface_.has_motion()) return step_on_surface(dt, clock);
  surface_.begin_step(time_, time_ + dt);
  try {
    if (!moves_in_stages()) {
      {
        const auto stage = clock.measure(Stage::animation);
        surface_.positions_at(time_ + dt, next_points_);
      }
      move_to(next_points_, dt, clock);
    }
    return step_on_surface(dt, clock);
  } catch (const SettingError& error) {  // its message is complete
    return {false, error.what()};
  } catch (const Error& error) {
    std::ostringstream reason;
    reason << "the surface at t = " << std::setprecision(6) << time_ + dt << " s: " << error.what();
    return {false, reason.str()};
  }
}

/// Without a call of move_to(), the surface is at rest.
void ShallowWater::rest(double dt, StageClock& clock) {
  if (inertial_forcing_.has_surface_inertia()) {
    inertial_forcing_.move_to(geometry().x, dt);
    forcing_changed_ = true;
  }
  if (surface_velocity().size()) {
    surface_.choose_frame(surface_velocity());
    carry_to(geometry().x, {}, StepInstant::alone(time_), clock);
  }
  surface_.forget_steps();
}

/// Evaluates the forcing of a step of dt, unless its stages do.
void ShallowWater::prepare_forces(double dt) {
  const StepInstant middle = StepInstant::middle(time_, dt);
  const bool moved = has_moved_ || surface_.has_motion();
  if (inertial_forcing_.has_flow_inertia()) {
    record_flow();
    if (!step_.in_stages) {
      instant_ = time_ + 0.5 * dt;
      forcing_changed_ = true;
    }
  }
  if (step_.in_stages) return;
  if (forcing_changed_ || force_terms_.differ(middle, moved)) {
    evaluate_forcing(middle, state_);
    apply_forcing();
  } else if (boundaries_vary_) {
    set_boundary_values(middle);
  }
}

StepReport ShallowWater::step_on_surface(double dt, StageClock& clock) {
  const bool may = can_take_stages();
  step_.clock = &clock;
  step_.forces_vary = vary_in_stages(StepInstant::middle(time_, dt));
  step_.in_stages = may && step_.forces_vary;
  if (!has_moved_ && !surface_.has_motion()) rest(dt, clock);
  prepare_forces(dt);
  has_moved_ = false;
  if (!step_.in_stages) step_.in_stages = may && books_in_stages();
  const bool has_flux = has_open_flux();
  // Reset in every step, so that a long run loses no digits to a large sum.
  if (has_flux) state_[discretization().boundary_volume()].setZero();
  step_.source.setZero();
  if (has_velocity()) state_[discretization().source_volume()].setZero();
  limit_sinks(dt * assembly_->setting.integrator.euler_part / substeps());
  if (!step_.in_stages && (work_ || measures_power() || (takes_water() && assembly_->setting.ledger))) {
    const auto stage = clock.measure(Stage::work);
    before_step_ = state_;
  }
  step_.dt = dt;
  step_.parts_done = 0;
  if (sums_sources()) {
    sources_ = state_;
    sources_.q.setZero();
  }
  begin_work();
  if (StepReport report = assembly_->splitting.step(flows_, dt, assembly_->parts); !report.ok) {
    step_.books_work = false;
    return report;
  }
  end_work();
  stop_on_dry_land();
  renew(clock);
  // A step of a scheme's own may remove water, too.
  if (step_.in_stages || forces().has_inflow || has_flux || assembly_->setting.integrator.calls_own_step)
    book_source(dt, clock);  // with the geometry of the step
  if (surface_.has_target()) end_move(dt, clock);
  time_ += dt;
  if (inertial_forcing_.smooths()) {
    inertial_forcing_.end_step();
    forcing_changed_ = true;
  }
  if (measures_power()) add_power(dt, clock);
  update_boundary_values();
  return {};
}

void ShallowWater::stop_on_dry_land() {
  if (const DryLand* dry = offered<DryLand>(discretization()); dry && has_velocity() && !holds_velocity())
    dry->stop_on_dry_land(state_, forces(), scratch());
}

/// Sets the limits of sinks and mixing for Euler steps of length dt.
void ShallowWater::limit_sinks(double dt) {
  Forces& forces = assembly_->right_side.forces();
  forces.sink_rate = assembly_->options.sink_part / dt;
  forces.steps_per_second = 1 / dt;
}

/// Adds water between two integrator steps.
void ShallowWater::add_water(double dt, const Forces& forces) {
  const double lacking = discretization().limited_inflow(volume(), forces, taken_, scratch());
  assembly_->integrator->volume_added(taken_, dt);
  if (has_velocity()) return discretization().add_rates(state_, forces, Term::source, dt, state_, scratch());
  state_[discretization().volume()] += dt * taken_;
  step_.source += dt * Eigen::Vector2d(sum(surface_.mesh(), discretization().cells(), taken_), lacking);
}

void ShallowWater::exchange(const Vector& volume, const Points& impulse) {
  assembly_->require_that_mass_is_kept("sources");
  if (volume.size() != discretization().cells().count())
    throw Error("exchange: " + std::to_string(volume.size()) + " volumes for " +
                std::to_string(discretization().cells().count()) + " cells");
  if (impulse.size() && impulse.cols() != surface_.mesh().face_count())
    throw Error("exchange: " + std::to_string(impulse.cols()) + " impulses for " +
                std::to_string(surface_.mesh().face_count()) + " triangles");
  if (impulse.size() && !has_velocity())
    throw Refusal(assembly_->setting.integrator.name + " carries no velocity for an impulse");
  const double before = assembly_->setting.ledger ? energy().total() : 0;
  Forces water;
  water.has_inflow = true;
  water.inflow = volume;
  water.sink_rate = 1;  // may remove all of the water at once
  water.shore = &forces();
  step_.source.setZero();
  if (has_velocity()) state_[discretization().source_volume()].setZero();
  add_water(1, water);
  book_mass();
  if (impulse.size()) {
    Values depth;
    discretization().sample(state_, forces(), "depth_at_faces", depth, scratch());
    const Vector& area = discretization().find_output("depth_at_faces")->area();
    Points velocity = impulse;
    for (Index k = 0; k < velocity.cols(); ++k) {
      const double of_volume = 1 / (area[k] * depth(0, k));  // infinite for subnormal depths, too
      velocity.col(k) *= depth(0, k) > 0 && std::isfinite(of_volume) ? of_volume : 0;
    }
    discretization().add_velocity(velocity, state_);
  }
  if (assembly_->setting.ledger) ledger_.work_source += energy().total() - before;
}

Domain ShallowWater::domain() const {
  const Mesh& triangles = discretization().triangles();
  return {geometry().x, triangles.edges, triangles.faces};
}

std::vector<OutputInfo> ShallowWater::outputs() const {
  std::vector<OutputInfo> outputs{discretization().outputs().begin(), discretization().outputs().end()};
  if (!has_velocity())  // only what is of the depth alone
    std::erase_if(outputs, [](const OutputInfo& output) { return !output.name.starts_with("depth_at_"); });
  return outputs;
}

void ShallowWater::sample(const std::string& name, Values& values) const {
  discretization().sample(state_, forces(), name, values, scratch());
}

void ShallowWater::save(Archive& archive) const {
  archive.put("state", layout(), state_.q);
  archive.put("time", time_);
  surface_.save(archive);
  archive.put("surface/instant", instant_);
  archive.put("surface/span", span_);
  archive.put("surface/step", step_.dt);
  archive.put("surface/has_moved", has_moved_);
  ledger_.save(archive);
  force_terms_.save(surface_.mesh(), archive);
  archive.put("forcing/changed", forcing_changed_);
  inertial_forcing_.save(archive);
  if (passive_) archive.put("advecting", layout(), advecting_.q);
  const bool has_memory = advects() || assembly_->setting.integrator.calls_own_step;
  if (Vector* memory = has_memory ? discretization().memory(scratch()) : nullptr)
    archive.put("memory", *memory);
  assembly_->integrator->save(archive);
}

void ShallowWater::restore(const Archive& archive) {
  if (!archive.has("state") || archive.vector("state").size() != state_.q.size() ||
      archive.vector("positions").size() != geometry().x.size())
    throw Error("the checkpoint belongs to another model: its unknowns are different");
  const bool absorbed = Sponge::is_in(constant_forcing().boundaries);
  force_terms_.restore_base(surface_.mesh(), archive);
  check_sizes(constant_forcing());
  record_boundaries();
  if (absorbed || Sponge::is_in(constant_forcing().boundaries)) make_flows();
  time_ = archive.number("time");
  instant_ = archive.number("surface/instant");
  span_ = archive.number("surface/span");
  step_.dt = archive.number("surface/step");
  has_moved_ = archive.number("surface/has_moved") != 0;
  if (assembly_->moving) refresh_at(archive.points("positions"));
  surface_.restore(archive);
  inertial_forcing_.restore(archive);
  if (work_) work_->refresh();
  StageClock unused;
  if (assembly_->advection) assembly_->advection->refresh(unused);
  force_terms_.restore_sum({discretization(), geometry(), state_, forces()}, archive);
  apply_forcing();
  state_.q = archive.vector("state");
  renew();
  assembly_->integrator->restore(archive);
  update_boundary_values();
  ledger_.restore(archive);
  passive_ = archive.has("advecting");
  if (passive_) advecting_.q = archive.vector("advecting");
  forcing_changed_ = archive.number("forcing/changed") != 0;
  if (archive.has("memory")) *discretization().memory(scratch()) = archive.vector("memory");
}

}  // namespace shoal
