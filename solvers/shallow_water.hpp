// Shallow water on a surface that may move: scheme, integrator, advection and splitting put together and
// advanced step by step. The harness runs it on scenes; an application moves its mesh and calls the same
// functions.
#pragma once

#include "discretizations/common/ranks.hpp"
#include "solvers/assembly.hpp"
#include "solvers/force_terms.hpp"
#include "solvers/force_work.hpp"
#include "solvers/model.hpp"
#include "solvers/moving_surface.hpp"

namespace shoal {

struct Energy {
  double kinetic = 0, potential = 0;  ///< J
  double mean_elevation = 0;          ///< h̄, m
  double volume = 0;                  ///< of the water, m³
  double total() const { return kinetic + potential; }
};

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

  /// Faces and edges of the scheme's own triangulation, where it has one.
  Domain domain() const override;
  /// Those of the scheme.
  std::vector<OutputInfo> outputs() const override;
  void sample(const std::string& name, Values& values) const override;
  double stable_dt() const override;
  StepReport step(double dt, StageClock& clock) override;
  void save(Archive& archive) const override;
  void restore(const Archive& archive) override;

  const Layout& layout() const { return assembly_->integrator->layout(); }
  const State& state() const { return state_; }
  double time() const { return time_; }  ///< s, since the start
  Ledger ledger() const;
  const Geometry& geometry() const { return surface_.geometry(); }
  const Discretization& discretization() const { return *assembly_->discretization; }
  const Forces& forces() const { return assembly_->right_side.forces(); }
  /// Of the run, with the last answers of the scheme's iterations.
  Scratch& scratch() const { return assembly_->right_side.scratch(); }
  /// How often the scheme's thresholds take effect at the present state.
  std::vector<ClampCount> clamp_counts() const {
    return discretization().clamp_counts(state_, forces(), scratch());
  }
  /// [3, nV] ẋ, m/s, that velocities are relative to; empty where the surface is at rest or the model has none.
  const Points& surface_velocity() const { return surface_.velocity(); }
  const SplittingEntry& splitting() const { return assembly_->splitting; }
  int substeps() const { return assembly_->setting.substeps; }
  double density() const { return assembly_->setting.density; }  ///< kg/m³
  /// [cells] m³
  ConstBlock volume() const { return state_[discretization().volume()]; }
  /// Whether the scheme's own rate of advection acts.
  bool advects() const { return assembly_->advects(); }
  bool has_velocity() const { return assembly_->has_velocity(); }

  double total_volume() const;  ///< of the water, m³
  double total_area() const;    ///< Σ A of the cells, m²
  double bed_volume() const;    ///< Σ A H, m³, that of the water at rest up to h = 0
  /// Of a state of this model, per density, m⁵/s².
  double kinetic_energy(const State& state) const { return assembly_->integrator->kinetic_energy(state); }
  Energy energy() const;
  Energy potential_energy() const;                                   ///< the same without the kinetic part
  double largest_speed() const { return surface_.largest_speed(); }  ///< that a vertex has moved with, m/s
  /// Adds to aₙ [nV] what it has of the surface's motion and of the flow over it, as of the last step.
  void add_felt_acceleration(Vector& normal_acceleration) const;
  /// Vertices at which the inertia of the last move was cut.
  Index limited_inertia() const { return felt_.limited(); }

 private:
  class Stages;
  struct Before;

  /// The step under way.
  struct Step {
    StageClock* clock = nullptr;
    double dt = 0;                                     // s
    int parts_done = 0;                                // by the integrator
    bool in_stages = false;                            // with their own forces
    bool forces_vary = false;                          // between the stages
    bool books_work = false;                           // of the forces, from its beginning to its end
    Eigen::Vector2d source = Eigen::Vector2d::Zero();  // m³ that sources have added, that sinks lacked
  };

  // The parts.
  void make_flows();
  void initialize(State projected);
  void install(std::unique_ptr<Assembly> assembly, State projected);
  void put_back(Before& before);
  /// What other processes own of the state.
  void renew() {
    if (renewal_) (*renewal_)(state_.q.data());
  }

  // What acts.
  void check_sizes(const Forcing& forcing) const;
  void record_boundaries();
  void evaluate_forcing(const StepInstant& at, const State& state);
  void apply_forcing();
  void set_boundary_values(const StepInstant& at);
  void see_boundaries();
  void record_flow();
  void limit_sinks(double dt);

  // The surface.
  bool carries_circulation() const { return assembly_->carries_circulation(); }
  void refresh_at(const Points& x);
  void carry_to(const Points& x, const Points& surface_velocity, const StepInstant& at, StageClock& clock);
  void begin_to_move(double dt, StageClock& clock);
  void end_move(double dt, StageClock& clock);

  // The step.
  bool vary_in_stages(const StepInstant& step) const;
  bool can_take_stages() const;
  bool books_in_stages() const;
  void rest(double dt, StageClock& clock);
  void prepare_forces(double dt);
  StepReport step_on_surface(double dt, StageClock& clock);
  StepReport integrate(double dt);
  void apply_friction(double dt);
  void add_source(double dt);
  void stop_on_dry_land();
  void add_water(double dt, const Forces& forces);

  // The account (shallow_water_ledger.cpp).
  bool measures_work() const;
  bool measures_power() const;
  bool has_open_flux() const {
    return !forces().open_boundary.flux_sets.empty();
  }  // held by the term gravity
  /// Whether steps take water from sources or through the boundary.
  bool opens() const { return has_open_flux() || !forces().open_boundary.source_sets.empty(); }
  bool takes_water() const { return opens() || (forces().has_inflow && assembly_->terms.has(Term::source)); }
  const Eigen::Vector2d& rest_sums() const;
  Energy measured_energy(StageClock& clock) const;
  void book_move(const Energy& before, StageClock& clock);
  void begin_work();
  void end_work();
  void add_power(double dt, StageClock& clock);
  void book_source(double dt, StageClock& clock);
  void book_mass();
  double source_power(const State& at, double dt);
  static constexpr double power_delta =
      1.0 / 128;  // part of a step: spacing of the differences that measure powers

  const ScalarField bed_depth_;
  MovingSurface surface_;
  std::unique_ptr<Assembly> assembly_;
  SplitFlows flows_;  // of the assembly's parts, for its splitting
  FeltForcing felt_;
  ForceTerms force_terms_;
  bool boundaries_vary_ = false;                      // in time
  bool forcing_changed_ = false, has_moved_ = false;  // since the last step
  double instant_ = 0, span_ = 0;                     // s, of the surface where it is now; of a step
  State state_;
  std::unique_ptr<Renewal> renewal_;  // null: the surface is whole
  double time_ = 0;
  State advecting_;  // where the velocity is a passive field
  bool passive_ = false;
  EnergyLedger ledger_;
  std::unique_ptr<ForceWork> work_;  // where forces act on a velocity
  std::unique_ptr<Stages> stages_;
  Step step_;
  State before_step_, now_, mean_;
  Vector taken_;  // [cells] m³/s
  Points next_points_, velocity_ahead_;
  mutable std::optional<Eigen::Vector2d> rest_sums_;  // Σ A, Σ A H where the surface is now
};

}  // namespace shoal
