// The order of what happens in a step.
#include "solvers/shallow_water.hpp"

#include "discretizations/components.hpp"
#include "discretizations/dry_land.hpp"
#include "discretizations/operators/p1.hpp"
#include "solvers/water_transfer.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <limits>
#include <sstream>

namespace shoal {
namespace {

/// Of a step: the length of the differences by which velocities of surfaces and powers are measured.
constexpr double velocity_delta = 1.0 / 16, acceleration_delta = 1.0 / 4, power_delta = 1.0 / 128;

/// Those whose rates the scheme will be asked for: v·∇v may be left out, or be left to a transport.
Terms equations(const ShallowWaterSetting& setting) {
  const bool advects =
      setting.discretization.transports_momentum() || (setting.advection && setting.advection->is_rate);
  return advects ? Terms::all() : Terms::all().without(Term::advection);
}

}  // namespace

Options<ShallowWaterOptions> ShallowWaterOptions::describe() {
  using O = ShallowWaterOptions;
  return Options<O>()
      .number("friction", "1/s", &O::friction, 0, std::numeric_limits<double>::infinity(),
              "linear friction: v_t loses this times v; joined to the step by the splitting. 1/c for the "
              "coefficient c of Angst 2007, table C.1, which lets velocities vanish where it is 0: c = 100 s "
              "is 0.01")
      .number("sink_part", "1", &O::sink_part, 0, 1,
              "what sinks, negative rain and outward discharges take of the water in a cell at most, in a "
              "substep or "
              "stage of it; the rest they lack, which is counted as mass_lacking")
      .choice("flow_inertia", &O::flow_inertia, {{"off", false}, {"on", true}},
              "whether aₙ feels that water flows over a surface that is curved or turns, by −2 vᵅ n·∂_αẋ − "
              "II(v, v); taken from the last two steps, so that the order in Δt is 2 at most")
      .part(&O::surface, MovingSurfaceOptions::describe())
      .part(&O::inertia, InertiaOptions::describe());
}

ParameterInfos shallow_water_parameters(const IntegratorEntry& integrator) {
  const ParameterInfos all = describe_options<ShallowWaterOptions>();
  if (!integrator.carries_velocity) return {all[1]};
  return {all[0], all[1], all[2]};
}

/// For integrators whose stages have their own forces and, where the motion is known, their own geometry.
class ShallowWater::Stages final : public StageWorld {
 public:
  explicit Stages(ShallowWater& water) : water_(water) {}

  /// `varies`: what acts, between the stages.
  StepReport step(double dt, bool varies) {
    dt_ = dt;
    moves_ = water_.moves_in_stages();
    varies_ = varies;
    if (moves_) {
      water_.begin_to_move(dt, *water_.clock_);
      water_.choose_frame(water_.surface_velocity_);
      water_.seen_from_frame(water_.surface_velocity_, water_.seen_velocity_);
    }
    at_ = std::numeric_limits<double>::quiet_NaN();
    state_.q = water_.state_.q;  // the model's own may hold another while energies are measured
    const StepReport report =
        water_.integrator_->step_in_stages(state_, water_.forces_, dt, *this, *water_.clock_);
    water_.state_.q = state_.q;
    return report;
  }

  void enter(double offset, State& state, double weight) override {
    arrive(offset, state);
    if (!water_.setting_->ledger) return;
    const auto stage = water_.clock_->measure(Stage::work);
    if (water_.work_) water_.work_->add(water_.forces_, state, weight);
    if (water_.takes_water()) water_.work_source_ += weight * water_.source_power(state, power_delta * dt_);
    if (moves_) book_move(state, weight);
  }
  void leave(State& state) const override {
    if (moves_) water_.discretization_->to_circulation(water_.seen_velocity_, state);
  }
  void finish(double offset, State& state) override {
    if (moves_) arrive(offset, state);
  }

 private:
  void arrive(double offset, State& state) {
    const auto stage = water_.clock_->measure(Stage::animation);
    if (moves_ && offset != at_) {
      place(offset);
      if (water_.work_) water_.work_->refresh();
      water_.largest_speed_ =
          std::max(water_.largest_speed_, water_.surface_velocity_.colwise().norm().maxCoeff());
    }
    at_ = offset;
    to_velocity(state);
    if (!varies_) return;
    const double time = water_.time_ + offset;
    water_.instant_ = time;
    water_.evaluate_forcing(StepInstant::stage(time, water_.time_, dt_), state);
    water_.apply_forcing();
  }

  void to_velocity(State& state) const {
    if (moves_) water_.discretization_->to_velocity(water_.seen_velocity_, state);
  }

  /// The work of the surface is how the energy changes with it alone, volumes and circulations held.
  void book_move(const State& state, double weight) {
    circulation_.q = state.q;
    leave(circulation_);
    const double delta = power_delta * dt_;
    const auto energy_at = [&](double offset) {
      place(offset);
      water_.state_.q = circulation_.q;
      to_velocity(water_.state_);
      return water_.energy();
    };
    const Energy after = energy_at(at_ + delta), before = energy_at(at_ - delta);
    water_.work_geometry_ += weight * (after.total() - before.total()) / (2 * delta);
    water_.work_geometry_kinetic_ += weight * (after.kinetic - before.kinetic) / (2 * delta);
    place(at_);
  }

  void place(double offset) {
    const double time = water_.time_ + offset;
    water_.instant_ = time;
    water_.span_ = dt_;
    water_.motion_(time, water_.work_points_);
    water_.refresh_at(water_.work_points_);
    shoal::surface_velocity(water_.motion_, time, velocity_delta * dt_, water_.work_points_,
                            water_.surface_velocity_);
    water_.seen_from_frame(water_.surface_velocity_, water_.seen_velocity_);
  }

  ShallowWater& water_;
  double dt_ = 0, at_ = 0;
  bool moves_ = false;   // the surface, with the stages
  bool varies_ = false;  // what acts, which is the step's otherwise
  State state_, circulation_;
};

ShallowWater::~ShallowWater() = default;

ShallowWater::ShallowWater(const Mesh& mesh, const Points& x, ScalarField bed_depth, const Forcing& forcing,
                           const ShallowWaterSetting& setting,
                           const std::function<State(const Discretization&, const Forces&)>& initial)
    : mesh_(mesh),
      bed_depth_(std::move(bed_depth)),
      setting_(setting),
      options_(read_options<ShallowWaterOptions>(setting.parameters)),
      geometry_(make_geometry(mesh, x)),
      discretization_(
          setting.discretization.make(mesh, geometry_, bed_depth_, setting.parameters, equations(setting))) {
  if (options_.inertia.inertia) inertia_.emplace(options_.inertia, x);
  set_forcing(forcing);
  make_parts();
  apply_forcing();
  begin_from(initial(*discretization_, forces_));
}

void ShallowWater::begin_from(State projected) {
  if (advects()) discretization_->admit(Term::advection, projected);
  if (const DryLand* dry = offered<DryLand>(*discretization_)) dry->stop_on_dry_land(projected);
  state_ = integrator_->start(std::move(projected), forces_);
}

/// All but the discretization. The integrator has yet to be started or restored.
void ShallowWater::make_parts() {
  const IntegratorEntry& integrator = setting_->integrator;
  splitting_ =
      setting_->splitting ? *setting_->splitting : default_splitting(integrator, setting_->advection);
  std::string reason = advection_incompatibility(setting_->advection, setting_->discretization, integrator,
                                                 setting_->parameters);
  if (!reason.empty()) throw Refusal(reason);
  reason = splitting_incompatibility(splitting_, integrator, setting_->advection);
  if (!reason.empty()) throw Refusal("splitting = " + splitting_.name + ": " + reason);
  terms_ = integrated_terms(splitting_, setting_->discretization, integrator, setting_->advection);

  advection_.reset();
  if (setting_->advection && (splitting_.splits || !setting_->advection->is_rate))
    advection_ = setting_->advection->make(*discretization_, setting_->parameters);
  integrator_ = make_integrator(integrator, setting_->discretization,
                                {*discretization_, setting_->parameters, setting_->linear_solver, terms_});
  set_substeps(setting_->substeps);
  work_.reset();
  measures_power_ = setting_->ledger && !integrator.carries_velocity &&
                    (setting_->forced || inertia_ || integrator_->has_drag());

  flows_ = {};
  if (advection_)
    flows_.transport = [this](double dt) {
      advection_->advect(passive_ ? advecting_ : state_, forces_, dt, state_, *clock_);
    };
  if (integrator.carries_velocity && splitting_.splits) {
    flows_.turn = [this](double dt) {
      if (passive_ || !forces_.rotates) return;
      const auto stage = clock_->measure(Stage::velocity);
      discretization_->turn_velocity(dt, forces_, state_);
    };
    flows_.damp = [this](double dt) {
      if (passive_ || forces_.friction == 0) return;
      // What friction takes is booked apart: the work of forces is that of the flow without it.
      if (parts_done_ == parts_) end_work();
      const double before = setting_->ledger ? discretization_->kinetic_energy(state_) : 0;
      state_[discretization_->velocity()] *= std::exp(-forces_.friction * dt);
      if (setting_->ledger) work_friction_ += discretization_->kinetic_energy(state_) - before;
      if (parts_done_ == 0) begin_work();
    };
  }
  if (!terms_.has(Term::source))
    flows_.supply = [this](double dt) {
      if (passive_ || !forces_.has_inflow) return;
      const double before = measured_energy(*clock_);
      limit_sinks(dt);
      add_water(dt, forces_);
      work_source_ += measured_energy(*clock_) - before;
    };
  flows_.integrate = [this](double dt) {
    ++parts_done_;
    if (passive_) return StepReport{};
    limit_sinks(dt * parts_ / setting_->substeps);
    if (!in_stages_) {
      StepReport report = integrator_->step(state_, forces_, dt, *clock_);
      if (report.ok && splitting_.splits) stop_on_dry_land();  // before other flows carry it elsewhere
      return report;
    }
    if (!stages_) stages_ = std::make_unique<Stages>(*this);
    return stages_->step(dt, forces_vary_);
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
  const auto go_back = [&] {
    refresh_at(here);
    apply_forcing();
    state_ = state;
  };
  double dt = 0;
  try {
    if (carries_circulation()) discretization_->lower(state_);
    refresh_at(x);
    if (carries_circulation()) discretization_->raise(state_);
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
  motion_ = std::move(motion);
  smooth_motion_ = smooth;
  const bool continued = options_.inertia.continued;
  if (inertia_ && continued) {
    motion_(time_ - dt, work_points_);
    inertia_->set_past(work_points_, dt);
  }
  if (!carries_circulation()) return;
  span_ = dt;
  instant_ = time_;
  if (continued)
    shoal::surface_velocity(motion_, time_, velocity_delta * dt, work_points_, surface_velocity_);
  if (setting_->starts_absolute && surface_velocity_.size())
    discretization_->add_surface_velocity(surface_velocity_, -1, state_);
  apply_forcing();
}

namespace {

void check_inflow(const BoundaryCondition& condition) {
  const auto least = [](const TimeSeries& series) {
    return *std::min_element(series.values().begin(), series.values().end());
  };
  const auto refuse = [&](const char* what, double value, const char* wanted) {
    std::ostringstream text;
    text << "boundaries: the " << what << ' ' << value << " of the inflow at '" << condition.set << "' is "
         << wanted;
    throw SettingError("boundaries", text.str());
  };
  if (!(least(condition.value) > 0)) refuse("depth", least(condition.value), "not above zero");
  if (least(condition.speed) < 0)
    refuse("speed", least(condition.speed),
           "below zero: it points into the domain; water leaves through an outflow, a level or a negative "
           "discharge");
}

}  // namespace

void ShallowWater::check_sizes(const Forcing& forcing) const {
  const auto check = [](const char* name, Eigen::Index size, Index wanted, bool may_be_empty) {
    if (size == wanted || (may_be_empty && size == 0)) return;
    throw Error(std::string("forcing: ") + name + " has " + std::to_string(size) + " values, " +
                std::to_string(wanted) + " are needed");
  };
  check("normal_acceleration", forcing.normal_acceleration.size(), mesh_.vertex_count, false);
  check("body_acceleration", forcing.body_acceleration.cols(), mesh_.vertex_count, true);
  check("inflow", forcing.inflow.size(), discretization_->cells().count(), true);
  const Points& x = rest_.size() ? rest_ : geometry_.x;  // where the bed was sampled
  for (const BoundaryCondition& condition : forcing.boundaries) {
    const Index set = find_boundary_set(mesh_, condition.set);
    if (condition.kind == BoundaryKind::inflow) check_inflow(condition);
    if (condition.kind != BoundaryKind::level) continue;
    const std::vector<double>& levels = condition.value.values();
    const double lowest = *std::min_element(levels.begin(), levels.end());
    for (const Index edge : mesh_.boundary_sets.begin()[set].edges)
      for (int end = 0; end < 2; ++end) {
        const double bed = bed_depth_(x.col(mesh_.edges(end, edge)));
        if (!(lowest + bed > 0))
          throw SettingError("boundaries", "boundaries: the level " + std::to_string(lowest) + " m at '" +
                                               condition.set + "' is not above the bed, at " +
                                               std::to_string(-bed) + " m");
      }
  }
}

void ShallowWater::set_forcing(const Forcing& forcing) {
  check_sizes(forcing);
  force_terms_.set_base(forcing);
  note_boundaries();
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
  force_terms_.evaluate(at, {*discretization_, geometry_, state, forces_});
}

void ShallowWater::note_boundaries() {
  const BoundaryConditions& conditions = constant_forcing().boundaries;
  boundaries_vary_ = std::any_of(conditions.begin(), conditions.end(),
                                 [](const BoundaryCondition& one) { return one.varies(); });
}

/// aₙ, the normal part of the body acceleration included, becomes (1−σ) aₙ + σ aₙ of the step before.
void ShallowWater::smooth_normal_acceleration() {
  const double kept = options_.inertia.normal_smoothing;
  Vector& normal = total_forcing_.normal_acceleration;
  const Points& body = total_forcing_.body_acceleration;
  smooth_normal_ = normal;
  if (body.size()) {
    vertex_normals(mesh_, geometry_, normals_);
    smooth_normal_ += body.cwiseProduct(normals_).colwise().sum().transpose();
  }
  if (smooth_normal_before_.size() == 0) smooth_normal_before_ = smooth_normal_;
  normal -= smooth_normal_;  // the normal part of the body acceleration, which the scheme adds
  smooth_normal_ = (1 - kept) * smooth_normal_ + kept * smooth_normal_before_;
  normal += smooth_normal_;
}

void ShallowWater::apply_forcing() {
  const Forcing& acting = force_terms_.sum();
  const bool on_moving_mesh = carries_circulation() && surface_velocity_.size();
  if (inertia_ && on_moving_mesh && motion_ && options_.inertia.smoothing == 0) {
    surface_acceleration(motion_, instant_, acceleration_delta * span_, work_points_, acceleration_);
    inertia_->set(acceleration_);
  }
  const bool feels = inertia_ && inertia_->acceleration().size();
  const bool moves = feels && !carries_circulation();
  const bool feels_flow = options_.flow_inertia && flow_acceleration_.size();
  const bool smooths = options_.inertia.normal_smoothing > 0;
  if (moves || on_moving_mesh || feels_flow || smooths || options_.friction > 0) {
    Points kept;  // the storage that the copy would give up
    kept.swap(total_forcing_.surface_velocity);
    total_forcing_ = acting;
    kept.swap(total_forcing_.surface_velocity);
    if (on_moving_mesh) {
      seen_from_frame(surface_velocity_, total_forcing_.surface_velocity);
      total_forcing_.observer = frame_;
    } else {
      total_forcing_.surface_velocity.resize(3, 0);  // what was kept is of a mesh that moved
    }
    if (on_moving_mesh && feels) {  // along the surface it is in the circulation
      vertex_normals(mesh_, geometry_, normals_);
      total_forcing_.normal_acceleration +=
          inertia_->acceleration().cwiseProduct(normals_).colwise().sum().transpose();
    }
    if (feels_flow) {
      felt_of_flow_ = flow_acceleration_;
      if (flow_acceleration_before_.size())
        felt_of_flow_ += (instant_ - flow_time_) / (flow_time_ - flow_time_before_) *
                         (flow_acceleration_ - flow_acceleration_before_);
      total_forcing_.normal_acceleration -= felt_of_flow_;
    }
    total_forcing_.friction += options_.friction;
    if (moves && acting.body_acceleration.size())
      total_forcing_.body_acceleration += inertia_->acceleration();
    else if (moves)
      total_forcing_.body_acceleration = inertia_->acceleration();
    if (smooths) smooth_normal_acceleration();
    discretization_->derive(total_forcing_, forces_);
    if (on_moving_mesh) forces_.surface_velocity = surface_velocity_;  // for outputs, whoever observes
  } else {
    discretization_->derive(acting, forces_);
  }
  if (boundaries_vary_) set_boundary_values(force_terms_.evaluated());
  if (forces_.rotates && !setting_->integrator.carries_velocity)
    throw Refusal(setting_->integrator.name +
                  " carries no velocity that the Coriolis force could turn; use coriolis = 0");
  if (forces_.friction > 0 && !setting_->integrator.carries_velocity)
    throw Refusal(setting_->integrator.name +
                  " carries no velocity that friction could slow down; it may have a drag "
                  "of its own");
  if (forces_.has_own_velocity && !setting_->integrator.carries_velocity)
    throw Refusal(
        setting_->integrator.name +
        " carries no velocity that rain with one of its own could change; with rain_velocity = water it "
        "comes with that of the water there");
  if (forces_.has_inflow) require_that_mass_is_kept();
  require_that_boundaries_fit();
  const bool damped = terms_.has(Term::friction) && forces_.friction > 0;
  if (!work_ && setting_->ledger && has_velocity() &&
      (setting_->forced || inertia_ || damped || on_moving_mesh || options_.flow_inertia))
    work_ = std::make_unique<ForceWork>(setting_->discretization, *discretization_,
                                        advects() ? terms_ | Term::advection | Term::coriolis
                                                  : terms_,  // a splitting takes them apart from terms_
                                        acting.gravity);
  integrator_->refresh(forces_);
  forcing_changed_ = false;
}

void ShallowWater::add_felt_acceleration(Vector& normal_acceleration) const {
  if (inertia_ && inertia_->acceleration().size()) {
    Points normals;
    vertex_normals(mesh_, geometry_, normals);
    normal_acceleration += inertia_->acceleration().cwiseProduct(normals).colwise().sum().transpose();
  }
  if (options_.flow_inertia && flow_acceleration_.size()) normal_acceleration -= flow_acceleration_;
}

/// Stages take the values at their own instants where all series are linear over the step, and otherwise the means over it:
/// in both cases the step takes the integrals of the series.
void ShallowWater::set_boundary_values(const StepInstant& at) {
  const Forcing& acting = force_terms_.sum();
  if (std::isnan(at.time)) return discretization_->set_boundary_values(acting, time_, 0, forces_);
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
    discretization_->set_boundary_values(acting, at.time, 0, forces_);
  else
    discretization_->set_boundary_values(acting, at.begin, at.step, forces_);
}

/// Outputs are those of time_, also where the last stage was earlier.
void ShallowWater::see_boundaries() {
  if (boundaries_vary_) set_boundary_values(StepInstant::alone(time_));
}

/// The state is at time_, on the surface as it is there.
void ShallowWater::note_flow() {
  if (!options_.flow_inertia || passive_ || (flow_acceleration_.size() && flow_time_ == time_)) return;
  flow_acceleration_before_.swap(flow_acceleration_);
  flow_time_before_ = flow_time_;
  flow_time_ = time_;
  const Mesh* own = discretization_->own_triangulation();
  discretization_->sample(state_, forces_, "velocity", flow_);
  vertex_normals(mesh_, geometry_, normals_);
  felt_.measure(own ? *own : mesh_, geometry_.x, normals_, surface_velocity_, flow_, flow_acceleration_);
}

void ShallowWater::require_that_mass_is_kept() const {
  const std::string reason = setting_->integrator.mass_drift(setting_->parameters);
  if (!reason.empty()) throw Refusal(setting_->integrator.name + " takes no sources: " + reason);
}

std::string boundary_incompatibility(const IntegratorEntry& integrator,
                                     const BoundaryConditions& conditions) {
  const bool follow_state = std::any_of(conditions.begin(), conditions.end(),
                                        [](const BoundaryCondition& one) { return one.follows_state(); });
  if (!follow_state || integrator.explicit_terms.has(Term::gravity)) return "";
  return integrator.name +
         " takes gravity implicitly and knows no flux through a boundary that follows the water: of the "
         "boundaries only wall and discharge go with it";
}

void ShallowWater::require_that_boundaries_fit() const {
  const std::string reason = boundary_incompatibility(setting_->integrator, constant_forcing().boundaries);
  if (!reason.empty()) throw Refusal("boundaries: " + reason);
}

/// Geometry and what is on it; leaves all as it was where that cannot be.
void ShallowWater::refresh_at(const Points& x) {
  State* carried = has_velocity() && !carries_circulation() ? &state_ : nullptr;
  if (rest_.size() == 0) rest_ = geometry_.x;
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

/// The observer of a step goes with the surface as a whole. He must not matter; but of what all points have in common no
/// rounding is left.
void ShallowWater::choose_frame(const Points& surface_velocity) {
  frame_.setZero();
  if (!surface_velocity.size()) return;
  CentroidVelocity velocity(geometry_.x.col(0));
  for (Index k = 0; k < mesh_.face_count(); ++k) velocity.add(mesh_, geometry_, k, surface_velocity);
  frame_ = velocity.value();
}

void ShallowWater::seen_from_frame(const Points& velocity, Points& seen) const {
  if (velocity.size())
    seen = velocity.colwise() - frame_;
  else
    seen = (-frame_).replicate(1, frame_.isZero(0) ? 0 : geometry_.x.cols());
}

/// The surface to x, where it moves with `surface_velocity`; the absolute circulation stays. What acts is what a step takes
/// there, or stays where no step does.
void ShallowWater::carry_to(const Points& x, const Points& surface_velocity, const StepInstant& at,
                            StageClock& clock) {
  instant_ = at.time;
  const Energy before = energy_of_move(clock);
  {
    const auto stage = clock.measure(Stage::animation);
    seen_from_frame(surface_velocity_, seen_velocity_);
    discretization_->to_circulation(seen_velocity_, state_);
    try {
      refresh_at(x);
    } catch (...) {
      discretization_->to_velocity(seen_velocity_, state_);
      throw;
    }
    surface_velocity_ = surface_velocity;
    seen_from_frame(surface_velocity_, seen_velocity_);
    discretization_->to_velocity(seen_velocity_, state_);
    if (work_) work_->refresh();
    if (at.step > 0) evaluate_forcing(at, state_);
    apply_forcing();
  }
  if (advection_) advection_->refresh(clock);
  book_move(before, clock);
}

void ShallowWater::move_to(const Points& x, double dt, StageClock& clock) {
  note_flow();
  if (carries_circulation()) {
    compute_geometry(mesh_, x, ahead_);  // which half a move may not yet show
    mean_velocity_ = (x - geometry_.x) / dt;
    largest_speed_ = std::max(largest_speed_, mean_velocity_.colwise().norm().maxCoeff());
    target_ = x;
    has_target_ = true;
    middle_ = 0.5 * (x + geometry_.x);
    choose_frame(mean_velocity_);
    span_ = dt;
    if (inertia_) inertia_->move_to(x, dt);
    carry_to(middle_, mean_velocity_, StepInstant::middle(time_, dt), clock);
  } else {
    const Energy before = energy_of_move(clock);
    {
      const auto stage = clock.measure(Stage::animation);
      refresh_at(x);
      largest_speed_ = std::max(largest_speed_, (x - before_move_).colwise().norm().maxCoeff() / dt);
      if (inertia_) inertia_->move_to(x, dt);
      if (work_) work_->refresh();
      evaluate_forcing(StepInstant::middle(time_, dt), state_);
      apply_forcing();
    }
    if (advection_) advection_->refresh(clock);
    book_move(before, clock);
  }
  has_moved_ = true;
}

/// The surface's velocity at the beginning of a step, where it jumps: the absolute circulation stays, and the jump of the
/// energy is work of the surface.
void ShallowWater::begin_to_move(double dt, StageClock& clock) {
  constexpr double rounding = 1e-6;  // of velocities as differences
  shoal::surface_velocity(motion_, time_, velocity_delta * dt, work_points_, end_velocity_);
  const double largest = end_velocity_.cwiseAbs().maxCoeff();
  const double change =
      surface_velocity_.size() ? (end_velocity_ - surface_velocity_).cwiseAbs().maxCoeff() : largest;
  if (!(change > rounding * largest)) return;
  choose_frame(end_velocity_);
  carry_to(geometry_.x, end_velocity_, StepInstant::alone(time_), clock);
}

/// The other half of a move. Its velocity at the end is that of the motion where it is known, else what the
/// last two steps lead to.
void ShallowWater::end_move(double dt, StageClock& clock) {
  if (motion_) {
    const auto stage = clock.measure(Stage::animation);
    shoal::surface_velocity(motion_, time_ + dt, velocity_delta * dt, work_points_, end_velocity_);
  } else if (dt_before_ > 0) {
    end_velocity_ = mean_velocity_ + dt / (dt + dt_before_) * (mean_velocity_ - velocity_before_);
  } else {
    end_velocity_ = mean_velocity_;
  }
  velocity_before_ = mean_velocity_;
  dt_before_ = dt;
  carry_to(target_, end_velocity_, StepInstant::alone(time_ + dt), clock);
  has_target_ = false;
}

bool ShallowWater::moves_in_stages() const {
  return motion_ && smooth_motion_ && carries_circulation() && setting_->integrator.stages_in_time &&
         !splitting_.splits && !advection_ && !passive_;
}

/// Whether what acts is another at each stage of a step.
bool ShallowWater::vary_in_stages(const StepInstant& step) const {
  return moves_in_stages() || boundaries_vary_ || force_terms_.vary_within(step, false);
}

/// Where forces are split off, or the surface is held in the middle of its move, the order is 2 at most, and so it is with
/// what acts in the middle of the step.
bool ShallowWater::can_take_stages() const {
  return moves_in_stages() || (setting_->integrator.stages_in_time && !splitting_.splits && !advection_ &&
                               !passive_ && !has_moved_);
}

/// Whether work and sources are to be booked at the stages: at the mean of both ends of the step they are of second order.
bool ShallowWater::books_in_stages() const {
  return setting_->ledger && (work_ || takes_water()) && setting_->integrator.claims.order > 2 &&
         !options_.flow_inertia;
}

double ShallowWater::measured_energy(StageClock& clock) const {
  if (!setting_->ledger) return 0;
  const auto stage = clock.measure(Stage::work);
  return energy().total();
}

Energy ShallowWater::energy_of_move(StageClock& clock) const {
  if (!setting_->ledger) return {};
  const auto stage = clock.measure(Stage::work);
  return energy();
}

void ShallowWater::book_move(const Energy& before, StageClock& clock) {
  const Energy after = energy_of_move(clock);
  work_geometry_ += after.total() - before.total();
  work_geometry_kinetic_ += after.kinetic - before.kinetic;
}

void ShallowWater::set_advecting_velocity(const VectorField& velocity) {
  if (!advection_ || !setting_->advection->carries_other_fields)
    throw Refusal((setting_->advection ? setting_->advection->name : "none") +
                  " transports a velocity along itself, not along another flow");
  advecting_ = discretization_->project({{}, velocity});
  passive_ = true;
}

StepReport ShallowWater::step(double dt, StageClock& clock) {
  if (!motion_) return step_on_surface(dt, clock);
  try {
    if (!moves_in_stages()) {
      {
        const auto stage = clock.measure(Stage::animation);
        motion_(time_ + dt, next_points_);
      }
      move_to(next_points_, dt, clock);
    }
    return step_on_surface(dt, clock);
  } catch (const SettingError& error) {  // names itself
    return {false, error.what()};
  } catch (const Error& error) {
    std::ostringstream reason;
    reason << "the surface at t = " << std::setprecision(6) << time_ + dt << " s: " << error.what();
    return {false, reason.str()};
  }
}

StepReport ShallowWater::step_on_surface(double dt, StageClock& clock) {
  const StepInstant middle = StepInstant::middle(time_, dt);
  const bool may = can_take_stages();
  forces_vary_ = vary_in_stages(middle);
  in_stages_ = may && forces_vary_;
  if (!has_moved_ && !motion_) {  // without a call the surface is taken to be at rest
    if (inertia_) {
      inertia_->move_to(geometry_.x, dt);
      forcing_changed_ = true;
    }
    if (surface_velocity_.size()) {
      choose_frame(surface_velocity_);
      carry_to(geometry_.x, {}, StepInstant::alone(time_), clock);
    }
    dt_before_ = 0;
  }
  const bool moved = has_moved_ || motion_;
  has_moved_ = false;
  if (options_.flow_inertia) {
    note_flow();
    if (!in_stages_) {
      instant_ = time_ + 0.5 * dt;
      forcing_changed_ = true;
    }
  }
  if (!in_stages_) {
    if (forcing_changed_ || force_terms_.differ(middle, moved)) {
      evaluate_forcing(middle, state_);
      apply_forcing();
    } else if (boundaries_vary_) {
      set_boundary_values(middle);
    }
    in_stages_ = may && books_in_stages();
  }
  const bool has_flux = has_open_flux();
  // Of this step alone, so that a long run loses no digits to a large sum.
  if (has_flux) state_[discretization_->boundary_volume()].setZero();
  step_source_.setZero();
  if (has_velocity()) state_[discretization_->source_volume()].setZero();
  limit_sinks(dt / setting_->substeps);
  if (!in_stages_ && (work_ || measures_power_ || (takes_water() && setting_->ledger))) {
    const auto stage = clock.measure(Stage::work);
    before_step_ = state_;
  }
  clock_ = &clock;
  step_ = dt;
  parts_done_ = 0;
  begin_work();
  if (StepReport report = splitting_.step(flows_, dt, parts_); !report.ok) {
    work_begun_ = false;
    return report;
  }
  end_work();
  stop_on_dry_land();
  if (in_stages_ || forces_.has_inflow || has_flux) note_source(dt, clock);  // in the geometry of the step
  if (has_target_) end_move(dt, clock);
  time_ += dt;
  if (options_.inertia.normal_smoothing > 0) {
    smooth_normal_before_ = smooth_normal_;
    forcing_changed_ = true;
  }
  if (measures_power_) add_power(dt, clock);
  see_boundaries();
  return {};
}

void ShallowWater::stop_on_dry_land() {
  if (const DryLand* dry = offered<DryLand>(*discretization_); dry && has_velocity())
    dry->stop_on_dry_land(state_);
}

void ShallowWater::begin_work() {
  if (!work_ || in_stages_) return;
  const auto stage = clock_->measure(Stage::work);
  work_->begin_step(state_);
  work_begun_ = true;
}

void ShallowWater::end_work() {
  if (!work_begun_) return;
  const auto stage = clock_->measure(Stage::work);
  work_->end_step(forces_, state_, step_, integrator_->place_of_forces());
  work_begun_ = false;
}

/// Of the mean of both ends of the step: with newmark's rule and a constant η₀ exactly what the energy has
/// grown by.
void ShallowWater::add_power(double dt, StageClock& clock) {
  const auto stage = clock.measure(Stage::work);
  before_step_.q = 0.5 * (before_step_.q + state_.q);
  work_depth_rate_ += dt * integrator_->force_power(before_step_, forces_, constant_forcing().gravity);
}

/// Of a substep or stage of this length.
void ShallowWater::limit_sinks(double dt) {
  forces_.sink_rate = options_.sink_part / dt;
  forces_.steps_per_second = 1 / dt;
}

/// Between two steps.
void ShallowWater::add_water(double dt, const Forces& forces) {
  const double lacking = discretization_->limited_inflow(volume(), forces, taken_);
  integrator_->volume_added(taken_, dt);
  if (has_velocity()) return discretization_->add_rates(state_, forces, Term::source, dt, state_);
  state_[discretization_->volume()] += dt * taken_;
  step_source_ += dt * Eigen::Vector2d(taken_.sum(), lacking);
}

/// Mass as the stages took it, and where the integrator takes sources as a rate the energy that the mean state of the step
/// gains from them and through the boundary.
void ShallowWater::note_source(double dt, StageClock& clock) {
  if (passive_) return;
  note_mass();
  if (has_open_flux()) mass_source_ += setting_->density * state_[discretization_->boundary_volume()].sum();
  if (!setting_->ledger || !takes_water() || in_stages_) return;  // whose stages measure it
  const auto stage = clock.measure(Stage::work);
  now_ = state_;
  mean_.q = 0.5 * (before_step_.q + now_.q);
  work_source_ += dt * source_power(mean_, 0.5 * dt);
  state_ = now_;
}

void ShallowWater::note_mass() {
  if (has_velocity()) step_source_ = state_[discretization_->source_volume()];
  mass_source_ += setting_->density * step_source_[0];
  mass_lacking_ += setting_->density * step_source_[1];
}

/// By which sources and what crosses the boundary change the energy of the state `at`, W, as a difference over
/// 2 `delta` s. Leaves another state_.
double ShallowWater::source_power(const State& at, double delta) {
  const Terms apart = advects() ? Term::advection | Term::coriolis : Terms(Term::coriolis);
  const double of_openings =
      opens() && has_velocity() ? setting_->density * discretization_->opening_power(at, forces_, apart) : 0;
  const auto energy_after = [&](double dt) {
    state_ = at;
    if (has_open_flux()) discretization_->add_boundary_rates(at, forces_, dt, state_);
    if (forces_.has_inflow && terms_.has(Term::source))
      discretization_->add_rates(at, forces_, Term::source, dt, state_);
    return energy().total();
  };
  const double after = energy_after(delta);
  return (after - energy_after(-delta)) / (2 * delta) + of_openings;
}

void ShallowWater::exchange(const Vector& volume, const Points& impulse) {
  require_that_mass_is_kept();
  if (volume.size() != discretization_->cells().count())
    throw Error("exchange: " + std::to_string(volume.size()) + " volumes for " +
                std::to_string(discretization_->cells().count()) + " cells");
  if (impulse.size() && impulse.cols() != mesh_.face_count())
    throw Error("exchange: " + std::to_string(impulse.cols()) + " impulses for " +
                std::to_string(mesh_.face_count()) + " triangles");
  if (impulse.size() && !has_velocity())
    throw Refusal(setting_->integrator.name + " carries no velocity that an impulse could change");
  const double before = setting_->ledger ? energy().total() : 0;
  Forces water;
  water.has_inflow = true;
  water.inflow = volume;
  water.sink_rate = 1;  // of all that is there, at once
  step_source_.setZero();
  if (has_velocity()) state_[discretization_->source_volume()].setZero();
  add_water(1, water);
  note_mass();
  if (impulse.size()) {
    Values depth;
    discretization_->sample(state_, forces_, "depth_at_faces", depth);
    const Vector& area = discretization_->find_output("depth_at_faces")->area();
    Points velocity = impulse;
    for (Index k = 0; k < velocity.cols(); ++k)
      velocity.col(k) *= depth(0, k) > 0 ? 1 / (area[k] * depth(0, k)) : 0;
    discretization_->add_velocity(velocity, state_);
  }
  if (setting_->ledger) work_source_ += energy().total() - before;
}

namespace {

/// The triangles that velocities refer to.
const Mesh& triangles(const Discretization& scheme, const Mesh& mesh) {
  return scheme.own_triangulation() ? *scheme.own_triangulation() : mesh;
}

bool same_cells(const Discretization& from, const Discretization& to, const Mesh& mesh) {
  return from.cells().location == to.cells().location && from.cells().of_element == to.cells().of_element &&
         triangles(from, mesh).faces == triangles(to, mesh).faces;
}

bool same_unknowns(const Layout& from, const Layout& to) {
  return std::equal(from.fields().begin(), from.fields().end(), to.fields().begin(), to.fields().end(),
                    [](const Field& a, const Field& b) {
                      return a.name == b.name && a.unit == b.unit && a.location == b.location &&
                             a.components == b.components && a.offset == b.offset && a.size == b.size &&
                             !a.of_elements == !b.of_elements &&
                             (!a.of_elements || *a.of_elements == *b.of_elements);
                    });
}

/// Whether a state of one of them is valid, with the same meaning, for the other.
bool same_places(const Discretization& from, const Discretization& to, const Mesh& mesh) {
  return same_cells(from, to, mesh) && from.cells().bed == to.cells().bed &&
         from.cells().area == to.cells().area && same_unknowns(from.layout(), to.layout());
}

}  // namespace

/// What change() replaces, so that it can be put back.
struct ShallowWater::Parts {
  std::optional<ShallowWaterSetting> setting;
  ShallowWaterOptions options;
  std::unique_ptr<Discretization> discretization;
  SplittingEntry splitting;
  Terms terms;
  int parts;
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Advection> advection;
  std::optional<Inertia> inertia;
  Vector smooth_normal_before;
  std::unique_ptr<ForceWork> work;
  ForceTerms force_terms;
  bool forcing_changed;
  Forces forces;
  State state;
  bool measures_power;
  SplitFlows flows;
};

void ShallowWater::change(const ShallowWaterSetting& setting) {
  if (passive_) throw Refusal("a passive velocity cannot be taken over by another scheme or integrator");
  const double before = energy().total(), work = work_ ? work_->total() : 0,
               work_surface = work_ ? work_->surface() : 0, work_friction = work_ ? work_->friction() : 0;
  State projected = integrator_->finish(state_, forces_);
  Parts old{setting_,
            options_,
            nullptr,
            splitting_,
            terms_,
            parts_,
            std::move(integrator_),
            std::move(advection_),
            inertia_,
            smooth_normal_before_,
            std::move(work_),
            force_terms_,
            forcing_changed_,
            forces_,
            state_,
            measures_power_,
            flows_};
  try {
    ParameterInfos declared = setting.discretization.parameters;
    for (const ParameterInfo& info : describe_options<MovingSurfaceOptions>()) declared.push_back(info);
    const auto value = [](const Parameters& parameters, const ParameterInfo& info) {
      const Value* given = parameters.value(info.name);
      return given ? *given : info.fallback;
    };
    const bool same = setting.discretization.name == setting_->discretization.name &&
                      equations(setting) == equations(*setting_) &&
                      std::all_of(declared.begin(), declared.end(), [&](const ParameterInfo& info) {
                        return value(setting.parameters, info) == value(old.setting->parameters, info);
                      });
    bool kept = same;
    if (!same) {
      const Points here = geometry_.x;
      std::unique_ptr<Discretization> next;
      try {
        // Where the bed was sampled and a scheme's own cells were chosen.
        compute_geometry(mesh_, rest_.size() ? rest_ : here, geometry_);
        next =
            setting.discretization.make(mesh_, geometry_, bed_depth_, setting.parameters, equations(setting));
        compute_geometry(mesh_, here, geometry_);
        next->refresh(nullptr);
      } catch (...) {
        compute_geometry(mesh_, here, geometry_);
        throw;
      }
      kept = same_places(*discretization_, *next, mesh_);
      if (!kept) projected = resampled(projected, *discretization_, *next);
      if (next->cells().count() != discretization_->cells().count()) force_terms_.drop_inflow();
      old.discretization = std::move(discretization_);
      discretization_ = std::move(next);
      forces_ = {};
    }
    take_parts(setting, std::move(projected));
    // A depth rate is kept as well: converted to a velocity and back it would be that of another flow.
    // (Another integrator may ask for that: a rate of implicit-euler need not keep the mass.)
    if (kept && setting.integrator.name == old.setting->integrator.name) state_ = old.state;
  } catch (...) {
    setting_.emplace(*old.setting);
    options_ = old.options;
    if (old.discretization) discretization_ = std::move(old.discretization);
    splitting_ = std::move(old.splitting);
    terms_ = old.terms;
    parts_ = old.parts;
    integrator_ = std::move(old.integrator);
    advection_ = std::move(old.advection);
    inertia_ = std::move(old.inertia);
    smooth_normal_before_ = std::move(old.smooth_normal_before);
    work_ = std::move(old.work);
    force_terms_ = std::move(old.force_terms);
    forcing_changed_ = old.forcing_changed;
    forces_ = std::move(old.forces);
    state_ = std::move(old.state);
    measures_power_ = old.measures_power;
    flows_ = std::move(old.flows);
    throw;
  }
  work_earlier_ += work;
  work_surface_earlier_ += work_surface;
  work_friction_earlier_ += work_friction;
  work_change_ += energy().total() - before;
}

void ShallowWater::take_parts(const ShallowWaterSetting& setting, State projected) {
  setting_.emplace(setting);
  options_ = read_options<ShallowWaterOptions>(setting.parameters);
  if (!options_.inertia.inertia)
    inertia_.reset();
  else if (inertia_)
    inertia_->configure(options_.inertia);
  else
    inertia_.emplace(options_.inertia, geometry_.x);
  if (options_.inertia.normal_smoothing == 0) smooth_normal_before_.resize(0);
  if (!carries_circulation())
    surface_velocity_.resize(3, 0);
  else if (motion_ && surface_velocity_.size() == 0)
    shoal::surface_velocity(motion_, time_, velocity_delta * step_, work_points_, surface_velocity_);
  make_parts();
  evaluate_forcing(StepInstant::alone(time_), projected);  // not what acted over the last step
  apply_forcing();
  see_boundaries();
  forcing_changed_ = true;  // terms may add something else to other cells
  begin_from(std::move(projected));
}

/// Still water stays still over any bed and beside dry land, with the same mass (water_transfer.hpp); velocities of triangles
/// stay, or go through vertices where the triangles are others.
State ShallowWater::resampled(const State& state, const Discretization& from,
                              const Discretization& to) const {
  const Mesh &mesh_from = triangles(from, mesh_), &mesh_to = triangles(to, mesh_);
  const ConstBlock volume = state[from.volume()];
  const Cells &cells_from = from.cells(), &cells_to = to.cells();
  const Output &velocity = *from.find_output("velocity"), &velocity_to = *to.find_output("velocity");
  State result = zero_state(to.layout());
  const bool cells_stay = same_cells(from, to, mesh_);
  if (cells_stay && cells_from.bed == cells_to.bed && cells_from.area == cells_to.area)
    result[to.volume()] = volume;
  else
    result[to.volume()] = transferred_volume({mesh_from, cells_from, velocity.area()}, volume,
                                             {mesh_to, cells_to, velocity_to.area()}, cells_stay);
  Values vectors;
  velocity.evaluate(state, forces_, vectors);
  Points at_faces = vectors;
  if (mesh_from.faces != mesh_to.faces) {
    Points sum = Points::Zero(3, mesh_.vertex_count);
    Vector area = Vector::Zero(mesh_.vertex_count);
    for (Index k = 0; k < mesh_from.face_count(); ++k)
      for (int c = 0; c < 3; ++c) {
        sum.col(mesh_from.faces(c, k)) += velocity.area()[k] * at_faces.col(k);
        area[mesh_from.faces(c, k)] += velocity.area()[k];
      }
    for (Index k = 0; k < mesh_to.face_count(); ++k) {
      at_faces.col(k).setZero();
      for (int c = 0; c < 3; ++c)
        at_faces.col(k) += sum.col(mesh_to.faces(c, k)) / (3 * area[mesh_to.faces(c, k)]);
    }
  }
  to.add_velocity(at_faces, result);
  return result;
}

void ShallowWater::sample(const std::string& output, Values& values) const {
  discretization_->sample(state_, forces_, output, values);
}

Energy ShallowWater::potential_energy() const {
  const Cells& cells = discretization_->cells();
  const auto elevation = volume().array() / cells.area.array() - cells.bed.array();
  Energy result;
  result.mean_elevation = (cells.area.array() * elevation).sum() / cells.area.sum();
  result.potential = 0.5 * setting_->density * constant_forcing().gravity *
                     (cells.area.array() * (elevation - result.mean_elevation).square()).sum();
  return result;
}

Energy ShallowWater::energy() const {
  Energy result = potential_energy();
  result.kinetic = setting_->density * integrator_->kinetic_energy(state_);
  return result;
}

Ledger ShallowWater::ledger() const {
  return {.mass_source = mass_source_,
          .mass_lacking = mass_lacking_,
          .work_geometry = work_geometry_,
          .work_geometry_kinetic = work_geometry_kinetic_,
          .work_forces = setting_->density *
                         (work_earlier_ + (work_ ? work_->total() : 0) + work_depth_rate_ + work_friction_),
          .work_surface = setting_->density * (work_surface_earlier_ + (work_ ? work_->surface() : 0)),
          .work_friction =
              setting_->density * (work_friction_earlier_ + (work_ ? work_->friction() : 0) + work_friction_),
          .work_source = work_source_,
          .work_change = work_change_};
}

namespace {

/// What terms change of a forcing.
void save_forcing(const Forcing& forcing, const std::string& prefix, Archive& archive) {
  archive.put(prefix + "normal_acceleration", forcing.normal_acceleration);
  archive.put_points(prefix + "body_acceleration", forcing.body_acceleration);
  archive.put(prefix + "inflow", forcing.inflow);
  Vector discharges(static_cast<Index>(forcing.distributed_inflows.size()));
  for (Index i = 0; i < discharges.size(); ++i)
    discharges[i] = forcing.distributed_inflows.begin()[i].discharge;
  archive.put(prefix + "discharges", discharges);
}

void restore_forcing(const Archive& archive, const std::string& prefix, Forcing& forcing) {
  forcing.normal_acceleration = archive.vector(prefix + "normal_acceleration");
  forcing.body_acceleration = archive.points(prefix + "body_acceleration");
  forcing.inflow = archive.vector(prefix + "inflow");
  const Vector& discharges = archive.vector(prefix + "discharges");
  if (discharges.size() != static_cast<Index>(forcing.distributed_inflows.size()))
    throw Error("the saved state is that of another model: it has " + std::to_string(discharges.size()) +
                " inflows in space, this one " + std::to_string(forcing.distributed_inflows.size()));
  for (Index i = 0; i < discharges.size(); ++i)
    forcing.distributed_inflows.begin()[i].discharge = discharges[i];
}

}  // namespace

void ShallowWater::save(Archive& archive) const {
  archive.put("state", state_.q);
  archive.put("time", time_);
  archive.put_points("positions", geometry_.x);
  archive.put_points("surface/velocity", surface_velocity_);
  archive.put_points("surface/velocity_before", velocity_before_);
  archive.put_points("surface/target", has_target_ ? target_ : Points(3, 0));
  archive.put("surface/dt_before", dt_before_);
  archive.put("surface/frame", Vector(frame_));
  Vector sums(17);
  sums << mass_source_, work_source_, work_change_, work_geometry_, work_friction_, work_depth_rate_,
      mass_lacking_, largest_speed_, work_ ? work_->total() : 0, has_moved_, work_earlier_, passive_,
      work_geometry_kinetic_, work_ ? work_->surface() : 0, work_ ? work_->friction() : 0,
      work_surface_earlier_, work_friction_earlier_;
  archive.put("ledger", sums);
  archive.put("surface/instant", instant_);
  archive.put("surface/span", span_);
  archive.put("surface/step", step_);
  const Forcing& constant = constant_forcing();
  save_forcing(constant, "forcing/", archive);
  archive.put("forcing/rotation", Vector(constant.rotation));
  archive.put("forcing/gravity", constant.gravity);
  archive.put("forcing/friction", constant.friction);
  archive.put("forcing/changed", forcing_changed_);
  for (std::size_t i = 0; i < constant.boundaries.size(); ++i) {
    const BoundaryCondition& condition = constant.boundaries[i];
    const std::string name = "forcing/boundaries/" + std::to_string(i);
    archive.put(name, Vector(Eigen::Vector2d(find_boundary_set(mesh_, condition.set),
                                             static_cast<int>(condition.kind))));
    for (const auto& [part, series] : {std::pair("", &condition.value), std::pair("/speed", &condition.speed),
                                       std::pair("/tangential", &condition.tangential)}) {
      const auto put = [&](const char* what, const std::vector<double>& values) {
        archive.put(name + part + what,
                    Eigen::Map<const Vector>(values.data(), static_cast<Index>(values.size())));
      };
      put("/times", series->times());
      put("/values", series->values());
    }
  }
  save_forcing(force_terms_.sum(), "acting/", archive);
  const StepInstant& evaluated = force_terms_.evaluated();
  archive.put("acting/instant",
              Vector(Eigen::Vector4d(evaluated.time, evaluated.begin, evaluated.step, evaluated.of_stage)));
  if (options_.flow_inertia) {
    archive.put("flow/acceleration", flow_acceleration_);
    archive.put("flow/acceleration_before", flow_acceleration_before_);
    archive.put("flow/time", flow_time_);
    archive.put("flow/time_before", flow_time_before_);
  }
  if (options_.inertia.normal_smoothing > 0) archive.put("normal_acceleration_before", smooth_normal_before_);
  if (passive_) archive.put("advecting", advecting_.q);
  if (Vector* memory = advects() ? discretization_->memory() : nullptr) archive.put("memory", *memory);
  if (inertia_) inertia_->save(archive);
  integrator_->save(archive);
}

void ShallowWater::restore(const Archive& archive) {
  if (!archive.has("state") || archive.vector("state").size() != state_.q.size() ||
      archive.vector("positions").size() != geometry_.x.size())
    throw Error("the saved state is that of another model: its unknowns are not those of this one");
  Forcing forcing = constant_forcing();  // whose functions in space stay
  restore_forcing(archive, "forcing/", forcing);
  forcing.rotation = archive.vector("forcing/rotation");
  forcing.gravity = archive.number("forcing/gravity");
  forcing.friction = archive.number("forcing/friction");
  forcing.boundaries.clear();
  for (int i = 0; archive.has("forcing/boundaries/" + std::to_string(i)); ++i) {
    const std::string name = "forcing/boundaries/" + std::to_string(i);
    const auto series = [&](const std::string& part) {
      const Vector &times = archive.vector(name + part + "/times"),
                   &values = archive.vector(name + part + "/values");
      return TimeSeries({times.begin(), times.end()}, {values.begin(), values.end()});
    };
    const Vector& which = archive.vector(name);
    const auto set = static_cast<Index>(which[0]);
    if (set < 0 || set >= static_cast<Index>(mesh_.boundary_sets.size()))
      throw Error("the saved state is that of another model: this mesh has no boundary " +
                  std::to_string(set));
    forcing.boundaries.push_back({mesh_.boundary_sets.begin()[set].name,
                                  static_cast<BoundaryKind>(static_cast<int>(which[1])), series(""),
                                  series("/speed"), series("/tangential")});
  }
  check_sizes(forcing);
  const Vector& saved = archive.vector("acting/instant");
  const StepInstant evaluated{saved[0], saved[1], saved[2], saved[3] != 0};
  force_terms_.restore(forcing, forcing, evaluated);
  time_ = archive.number("time");
  instant_ = archive.number("surface/instant");
  span_ = archive.number("surface/span");
  step_ = archive.number("surface/step");
  note_boundaries();
  refresh_at(archive.points("positions"));
  surface_velocity_ = archive.points("surface/velocity");
  velocity_before_ = archive.points("surface/velocity_before");
  target_ = archive.points("surface/target");
  has_target_ = target_.size() > 0;
  dt_before_ = archive.number("surface/dt_before");
  frame_ = archive.vector("surface/frame");
  if (inertia_) inertia_->restore(archive);
  if (archive.has("flow/time")) {
    flow_acceleration_ = archive.vector("flow/acceleration");
    flow_acceleration_before_ = archive.vector("flow/acceleration_before");
    flow_time_ = archive.number("flow/time");
    flow_time_before_ = archive.number("flow/time_before");
  }
  if (archive.has("normal_acceleration_before"))
    smooth_normal_before_ = archive.vector("normal_acceleration_before");
  if (work_) work_->refresh();
  StageClock unused;
  if (advection_) advection_->refresh(unused);
  if (!std::isnan(evaluated.time)) evaluate_forcing(evaluated, state_);  // fields in space as of that instant
  Forcing acting = force_terms_.sum();
  restore_forcing(archive, "acting/", acting);
  force_terms_.restore(forcing, acting, evaluated);
  apply_forcing();
  state_.q = archive.vector("state");
  integrator_->restore(archive, forces_);
  see_boundaries();
  const Vector& sums = archive.vector("ledger");
  mass_source_ = sums[0];
  work_source_ = sums[1];
  work_change_ = sums[2];
  work_geometry_ = sums[3];
  work_friction_ = sums[4];
  work_depth_rate_ = sums[5];
  mass_lacking_ = sums[6];
  largest_speed_ = sums[7];
  if (work_) work_->set_totals(sums[8], sums[13], sums[14]);
  has_moved_ = sums[9] != 0;
  work_earlier_ = sums[10];
  passive_ = sums[11] != 0;
  work_geometry_kinetic_ = sums[12];
  work_surface_earlier_ = sums[15];
  work_friction_earlier_ = sums[16];
  if (passive_) advecting_.q = archive.vector("advecting");
  forcing_changed_ = archive.number("forcing/changed") != 0;
  if (archive.has("memory")) *discretization_->memory() = archive.vector("memory");
}

}  // namespace shoal
