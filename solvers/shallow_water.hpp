// Shallow water on a surface that may move: scheme, integrator, advection and splitting put together and
// advanced step by step. The harness runs it on scenes; an application moves its mesh and calls the same
// functions.
#pragma once

#include "solvers/advection/advection.hpp"
#include "solvers/force_terms.hpp"
#include "solvers/force_work.hpp"
#include "solvers/inertia.hpp"
#include "solvers/model.hpp"
#include "solvers/splitting.hpp"
#include "solvers/surface_motion.hpp"

#include <optional>

namespace shoal {

struct Energy {
  double kinetic = 0, potential = 0;  ///< J
  double mean_elevation = 0;          ///< h̄, m
  double total() const { return kinetic + potential; }
};

/// What the equations are solved with. All of it must outlive the ShallowWater.
struct ShallowWaterSetting {
  const DiscretizationEntry& discretization;
  const IntegratorEntry& integrator;
  const LinearSolverEntry* linear_solver = nullptr;  ///< null for integrators that solve nothing
  const AdvectionEntry* advection = nullptr;         ///< null where there is none, or the scheme has its own
  const SplittingEntry* splitting = nullptr;         ///< null: default_splitting()
  Parameters parameters;                             ///< of all of them, and shallow_water_parameters()
  int substeps = 1;                                  ///< of each step
  double density = 1000;                             ///< kg/m³
  bool forced = false;  ///< whether anything but aₙ = −g will act: its work is measured
  bool ledger = true;   ///< whether work is measured at all, at a cost beyond the step
  /// The initial velocity is that in space, not relative to a mesh that moves from the start.
  bool starts_absolute = false;
};

struct ShallowWaterOptions {
  double friction = 0;        ///< 1/s
  double sink_part = 0.5;     ///< of the water in a cell, that sinks take in a substep or stage at most
  bool flow_inertia = false;  ///< aₙ is less by 2 vᵅ n·∂_αẋ + II(v, v), of the water as it flows
  MovingSurfaceOptions surface;
  InertiaOptions inertia;
  static Options<ShallowWaterOptions> describe();
};

/// "" or the reason why an integrator does not go with these boundaries.
std::string boundary_incompatibility(const IntegratorEntry& integrator, const BoundaryConditions& conditions);

/// Parameters of every run in addition to those of its parts: `sink_part`, and `friction` and `flow_inertia` where the
/// integrator carries a velocity.
ParameterInfos shallow_water_parameters(const IntegratorEntry& integrator);

/// Frame by frame: set_forcing() where that changes, move_to() where the surface moves and its motion is not
/// known beforehand, step().
///
/// What acts is one sum (force_terms.hpp), and a function of the time. An integrator whose stages lie at several times
/// takes it at each of them where it changes within the step, and so are its order and the work and the water that are
/// booked. Others take it once, in the middle of the step; boundaries as their means over it.
///
/// With carried_velocity = circulation a step on a surface that moves is half the move, the step on the mean
/// geometry with ẋ as a field on it, and the other half, of second order in time; or, where the motion is known
/// and one integrator takes all terms in stages, each stage with its own geometry, of the integrator's order.
/// With the models of Angst 2007 it is the whole move and then the step, of first order.
class ShallowWater final : public Model {
 public:
  /// On the surface with these positions [3, nV], from the state that `initial` makes of the scheme. `mesh`
  /// must outlive this. Throws Refusal where surface, scheme and setting cannot go together.
  ShallowWater(const Mesh& mesh, const Points& x, ScalarField bed_depth, const Forcing& forcing,
               const ShallowWaterSetting& setting,
               const std::function<State(const Discretization&, const Forces&)>& initial);
  ~ShallowWater() override;
  ShallowWater(const ShallowWater&) = delete;
  ShallowWater& operator=(const ShallowWater&) = delete;

  // Before the first step, where a run chooses its steps.
  /// The scheme's stable step, s, were the present state on the surface at x, under what acts on it now
  /// and without inertia. Throws as move_to() does.
  double stable_dt_at(const Points& x);
  void set_substeps(int substeps);
  /// The surface moves like this from time() on, where it is now; step() takes it along. It has moved so before
  /// too, as seen over `dt`; with onset = sudden it has been at rest. Stages have their own geometry only where the
  /// motion is `smooth`: one whose velocity jumps, as between the frames of a sequence, goes by half moves.
  void follow(Motion motion, double dt, bool smooth = true);
  /// From now on this acts as well. `term` must outlive this.
  void add_term(ForceTerm& term);
  /// Whether the next step has stages with their own geometry.
  bool moves_in_stages() const;

  /// What acts on the fluid from the next step on, besides the terms.
  void set_forcing(const Forcing& forcing);
  const Forcing& constant_forcing() const { return force_terms_.base(); }
  /// What acted last, terms included.
  const Forcing& forcing() const { return force_terms_.sum(); }
  /// What a step of dt from here would take as constant, on the surface as it is.
  const Forcing& forcing_of_step(double dt);
  /// A term has other values than those that follow from the time; it is asked again before the next step.
  void terms_have_changed() { forcing_changed_ = true; }
  /// The surface will be at x [3, nV] at the end of the next step, which lasts dt. Without a call the surface
  /// is taken to be at rest. Volumes stay and velocities are carried along. Throws Error where a triangle has
  /// no area, Refusal where the scheme does not exist there; the surface then stays at its former positions.
  void move_to(const Points& x, double dt, StageClock& clock);
  /// The velocity becomes a passive field that this flow carries, and nothing else happens. Throws Refusal
  /// where the advection can transport the velocity only with itself.
  void set_advecting_velocity(const VectorField& velocity);
  /// Adds `volume` [cells], m³, of water to the cells at once (negative: takes it away, as far as it is there), which
  /// comes with the velocity of the water there, and then gives the water on each triangle the impulse `impulse` [3, nF],
  /// m⁴/s per density; empty: none. Throws Refusal where the integrator carries no velocity that an impulse
  /// could change.
  void exchange(const Vector& volume, const Points& impulse);
  /// From the next step on with other parts or other parameters: the live change, `configure` of whatever is
  /// described as an option. A change of options alone keeps every unknown to the last bit, and volumes stay
  /// as they are with other parts too, where cells and bed do; an integrator's history and its reference
  /// depth begin anew. Else elevation and velocity are resampled, with the same mass, and inflow into other
  /// cells ends. The jump of the energy is booked as work_change. Throws Refusal, and leaves all as it was,
  /// where the parts cannot go together or the velocity is a passive field.
  void change(const ShallowWaterSetting& setting);

  const Layout& layout() const override { return integrator_->layout(); }
  const State& state() const override { return state_; }
  double time() const override { return time_; }
  double stable_dt() const override;
  StepReport step(double dt, StageClock& clock) override;
  const std::vector<Output>& outputs() const override { return discretization_->outputs(); }
  void sample(const std::string& output, Values& values) const override;
  Ledger ledger() const override;
  void save(Archive& archive) const override;
  void restore(const Archive& archive) override;

  const Geometry& geometry() const { return geometry_; }
  const Discretization& discretization() const { return *discretization_; }
  const Integrator& integrator() const { return *integrator_; }
  const Forces& forces() const { return forces_; }
  /// [3, nV] ẋ, m/s, that velocities are relative to; empty where the surface is at rest or the model has none.
  const Points& surface_velocity() const { return surface_velocity_; }
  const SplittingEntry& splitting() const { return splitting_; }
  int substeps() const { return setting_->substeps; }
  double density() const { return setting_->density; }  ///< kg/m³
  /// [cells] m³
  ConstBlock volume() const { return state_[discretization_->volume()]; }
  /// Whether the scheme's own rate of advection acts.
  bool advects() const { return setting_->advection && setting_->advection->is_rate; }
  bool has_velocity() const { return setting_->integrator.carries_velocity; }

  Energy energy() const;
  Energy potential_energy() const;                         ///< the same without the kinetic part
  double largest_speed() const { return largest_speed_; }  ///< that a vertex has moved with, m/s
  /// Adds to aₙ [nV] what it has of the surface's motion and of the flow over it, as of the last step.
  void add_felt_acceleration(Vector& normal_acceleration) const;
  /// Vertices at which the inertia of the last move was cut.
  Index limited_inertia() const { return inertia_ ? inertia_->limited() : 0; }

 private:
  struct Parts;
  void make_parts();
  void take_parts(const ShallowWaterSetting& setting, State projected);
  void check_sizes(const Forcing& forcing) const;
  void note_boundaries();
  void evaluate_forcing(const StepInstant& at, const State& state);
  bool vary_in_stages(const StepInstant& step) const;
  bool can_take_stages() const;
  bool books_in_stages() const;
  void apply_forcing();
  void set_boundary_values(const StepInstant& at);
  void see_boundaries();
  void smooth_normal_acceleration();
  void note_flow();
  void refresh_at(const Points& x);
  class Stages;
  void begin_from(State projected);
  bool carries_circulation() const {
    return has_velocity() && options_.surface.carried_velocity == CarriedVelocity::circulation;
  }
  void carry_to(const Points& x, const Points& surface_velocity, const StepInstant& at, StageClock& clock);
  void end_move(double dt, StageClock& clock);
  void begin_to_move(double dt, StageClock& clock);
  void choose_frame(const Points& surface_velocity);
  void seen_from_frame(const Points& velocity, Points& seen) const;
  StepReport step_on_surface(double dt, StageClock& clock);
  void require_that_mass_is_kept() const;
  void require_that_boundaries_fit() const;
  bool has_open_flux() const { return !forces_.open_boundary.places.empty(); }  // held by the term gravity
  /// Whether steps take water from sources or through the boundary.
  bool opens() const { return has_open_flux() || !forces_.open_boundary.sources.empty(); }
  bool takes_water() const { return opens() || (forces_.has_inflow && terms_.has(Term::source)); }
  void limit_sinks(double dt);
  void add_water(double dt, const Forces& forces);
  void note_source(double dt, StageClock& clock);
  void note_mass();
  double source_power(const State& at, double delta);
  double measured_energy(StageClock& clock) const;
  void stop_on_dry_land();
  void begin_work();
  void end_work();
  Energy energy_of_move(StageClock& clock) const;
  void book_move(const Energy& before, StageClock& clock);
  void add_power(double dt, StageClock& clock);
  State resampled(const State& state, const Discretization& from, const Discretization& to) const;

  const Mesh& mesh_;
  const ScalarField bed_depth_;
  std::optional<ShallowWaterSetting> setting_;  // always set; replaced as a whole
  ShallowWaterOptions options_;
  Points rest_;  // [3, nV] where the scheme was made; empty while the surface has not moved
  Geometry geometry_, ahead_;
  std::unique_ptr<Discretization> discretization_;
  SplittingEntry splitting_;
  Terms terms_;    // that the integrator's steps take
  int parts_ = 1;  // of a step, each with its own transport
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Advection> advection_;
  std::optional<Inertia> inertia_;
  ForceTerms force_terms_;
  Forcing total_forcing_;  // their sum with inertia and friction
  Forces forces_;
  bool boundaries_vary_ = false;                      // in time
  bool forcing_changed_ = false, has_moved_ = false;  // since the last step
  std::unique_ptr<ForceWork> work_;                   // where forces act on a velocity
  Points before_move_;
  Motion motion_;  // where it is known
  bool smooth_motion_ = true;
  // With carried_velocity = circulation: ẋ that velocities are relative to, and of the step before; where the
  // surface is in the middle and will be at the end of the step under way.
  Points surface_velocity_, mean_velocity_, velocity_before_, end_velocity_, middle_, target_, work_points_,
      next_points_;
  bool has_target_ = false;
  double dt_before_ = 0;
  Vector3 frame_ = Vector3::Zero();  // m/s, of an observer
  Points seen_velocity_;             // ẋ as the observer sees it
  double instant_ = 0, span_ = 0;    // s, of the surface where it is now; of a step
  Points acceleration_, normals_;
  Vector smooth_normal_,
      smooth_normal_before_;  // [nV] m/s², with normal_smoothing: aₙ as it is felt, and in the step before
  // With flow_inertia: what is felt of the flow, [nV] m/s², at the beginning of this step and of the one before.
  FlowAcceleration felt_;
  Vector flow_acceleration_, flow_acceleration_before_, felt_of_flow_;
  Values flow_;
  double flow_time_ = 0, flow_time_before_ = 0;
  State advecting_;  // where the velocity is a passive field
  bool passive_ = false;
  State state_, before_step_, now_, mean_;
  std::unique_ptr<Stages> stages_;
  bool measures_power_ = false;  // of forces and drag on a depth rate
  double time_ = 0;
  double mass_source_ = 0, mass_lacking_ = 0, work_source_ = 0, work_change_ = 0;
  double work_geometry_ = 0, work_geometry_kinetic_ = 0, work_friction_ = 0, work_depth_rate_ = 0,
         largest_speed_ = 0;
  // Of forces, per density, under the parts before the last change().
  double work_earlier_ = 0, work_surface_earlier_ = 0, work_friction_earlier_ = 0;
  SplitFlows flows_;
  // Of the step under way:
  StageClock* clock_ = nullptr;
  double step_ = 0;                                        // s
  int parts_done_ = 0;                                     // by the integrator
  Eigen::Vector2d step_source_ = Eigen::Vector2d::Zero();  // m³ that sources have added, that sinks lacked
  Vector taken_;                                           // [cells] m³/s
  bool work_begun_ = false, in_stages_ = false, forces_vary_ = false;
};

}  // namespace shoal
