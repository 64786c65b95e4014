// Shallow water on a surface that may move: combines scheme, integrator, advection and splitting and advances
// them step by step. The harness runs it on scenes; an application moves its mesh and calls the same
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
  double volume = 0;                  ///< volume of the water, m³
  double total() const { return kinetic + potential; }
};

/// Per frame: set_forcing() if the forcing changes, move_to() if the surface moves and its motion is not
/// known beforehand, then step().
///
/// The forcing is a sum of terms that depend on time (force_terms.hpp). If it changes within a step,
/// integrators with stages at several times evaluate it at each of them, and so are work and water recorded;
/// the order is that of the integrator. Other integrators evaluate it once, at the middle of the step;
/// boundary values are means over the step.
///
/// On a moving surface with carried_velocity = circulation, a step consists of half the move, the step on the
/// mean geometry with ẋ as a field on it, and the other half of the move: second order in time. If the motion
/// is known and one integrator includes all terms in its stages, each stage has its own geometry instead, and
/// the order is that of the integrator. The models of Angst 2007 apply the whole move and then the step:
/// first order.
class ShallowWater final : public Model {
 public:
  /// Starts on the surface with positions x [3, nV], in the state that `initial` returns for the scheme.
  /// `mesh` must outlive this. Throws Refusal if surface, scheme and setting are incompatible.
  ShallowWater(const Mesh& mesh, const Points& x, ScalarField bed_depth, const Forcing& forcing,
               const ShallowWaterSetting& setting,
               const std::function<State(const Discretization&, const Forces&)>& initial);
  ~ShallowWater() override;
  ShallowWater(const ShallowWater&) = delete;
  ShallowWater& operator=(const ShallowWater&) = delete;

  // Before the first step, for the choice of Δt.
  /// The stable step of the scheme, s, for the present state on the surface at x, with the present forcing
  /// and without inertia. Throws like move_to().
  double stable_dt_at(const Points& x);
  /// The stable step of the scheme, s, for the present velocity of the water in space and the velocity that
  /// the surface gains within a step of dt.
  double stable_dt_within(double dt);
  /// `per_renewal`: see ShallowWaterSetting::substeps_per_renewal.
  void set_substeps(int substeps, int per_renewal = 0);
  /// Sets the motion of the surface from time() on; step() then moves it. The water initially moves along as
  /// estimated over `dt`; with onset = sudden it starts at rest. Stages have their own geometry only if the
  /// motion is `smooth`; use false if the velocity jumps, as between the frames of a sequence: each step then
  /// uses two half moves.
  void follow(Motion motion, double dt, bool smooth = true);
  /// Says that derivatives of the motion may jump at the end of the last step, `time`.
  void motion_bends(double time) { surface_.add_corner(time); }
  /// Adds a term to the forcing. `term` must outlive this.
  void add_term(ForceTerm& term);
  /// Whether the next step has stages with their own geometry.
  bool moves_in_stages() const;

  /// Sets the constant part of the forcing from the next step on.
  void set_forcing(const Forcing& forcing);
  const Forcing& constant_forcing() const { return force_terms_.base(); }
  /// The last evaluated forcing, including terms.
  const Forcing& forcing() const { return force_terms_.sum(); }
  /// The forcing, constant over the step, of a step of dt from the present state and surface.
  const Forcing& forcing_of_step(double dt);
  /// Reports that a term has changed other than by time; it is evaluated again before the next step.
  void terms_have_changed() { forcing_changed_ = true; }
  /// Moves the surface to x [3, nV] by the end of the next step, which has length dt. Without a call the
  /// surface is at rest. Volumes are unchanged; velocities are converted. Throws Error if a triangle has no
  /// area, Refusal if the scheme does not exist there; the surface then keeps its positions.
  void move_to(const Points& x, double dt, StageClock& clock);
  /// Makes the velocity a passive field that is transported by this flow; no other term acts. Throws Refusal
  /// if the advection can transport the velocity only by itself.
  void set_advecting_velocity(const VectorField& velocity);
  /// Sets the velocity of the water and holds it: from now on only the depth changes, by the scheme's own mass flux. Throws Refusal if
  /// the integrator solves for the velocity, or if an advection, friction or the Coriolis force would change it.
  void hold_velocity(const VectorField& velocity);
  /// Adds `volume` [cells], m³, to the cells instantaneously (negative: removes it, limited by the water
  /// present), with the velocity of the water there; then applies `impulse` [3, nF], m⁴/s (impulse divided by
  /// ρ), to the water on each triangle; empty: none. Throws Refusal if an impulse is given and the integrator
  /// carries no velocity.
  void exchange(const Vector& volume, const Points& impulse);
  /// Changes parts or parameters from the next step on (live changes). If only options change, all unknowns
  /// are kept bit for bit; with other parts, volumes are kept if cells and bed are the same, and an
  /// integrator's history and reference depth start anew. Otherwise elevation and velocity are resampled with
  /// the same mass, and inflow into individual cells ends. The jump of the energy is recorded as work_change,
  /// and that of the mass by another density as mass_source. Another bed depth H, m, uniform, shifts the
  /// elevation and keeps the unknowns; the bed must be uniform before. Throws Refusal or Error, and changes
  /// nothing, if the parts are incompatible or the velocity is a passive field.
  void change(const ShallowWaterSetting& setting, std::optional<double> uniform_bed = {});

  /// The elements of the scheme's own triangulation, if it has one.
  Domain domain() const override;
  /// The outputs of the scheme.
  std::vector<OutputInfo> outputs() const override;
  void sample(const std::string& name, Values& values) const override;
  double stable_dt() const override;
  StepReport step(double dt, StageClock& clock) override;
  void save(Archive& archive) const override;
  void restore(const Archive& archive) override;

  const Layout& layout() const { return assembly_->integrator->layout(); }
  /// Steps keep the storage of its array, so that views of it stay valid until change() or restore().
  const State& state() const { return state_; }
  double time() const { return time_; }  ///< s, since the start
  Ledger ledger() const;
  const Geometry& geometry() const { return surface_.geometry(); }
  const Discretization& discretization() const { return *assembly_->discretization; }
  const Forces& forces() const { return assembly_->right_side.forces(); }
  /// The work arrays of this run, including start values of the scheme's iterations.
  Scratch& scratch() const { return assembly_->right_side.scratch(); }
  /// The number of elements at which each limit of the scheme is active.
  std::vector<ClampCount> clamp_counts() const {
    return discretization().clamp_counts(state_, forces(), scratch());
  }
  /// [3, nV] ẋ, m/s, to which velocities are relative; empty if the surface is at rest or the model neglects
  /// ẋ.
  const Points& surface_velocity() const { return surface_.velocity(); }
  const SplittingEntry& splitting() const { return assembly_->splitting; }
  int substeps() const { return assembly_->setting.substeps; }
  double density() const { return assembly_->setting.density; }  ///< kg/m³
  /// [cells] m³
  ConstBlock volume() const { return state_[discretization().volume()]; }
  /// Whether advection is a rate of the scheme.
  bool advects() const { return assembly_->advects(); }
  bool has_velocity() const { return assembly_->has_velocity(); }
  bool holds_velocity() const { return assembly_->right_side.holds_velocity(); }

  double total_volume() const;  ///< of the water, m³
  double total_area() const;    ///< Σ A of the cells, m²
  double bed_volume() const;    ///< Σ A H, m³, volume of the water at rest with h = 0
  /// Kinetic energy divided by ρ of a state of this model, m⁵/s².
  double kinetic_energy(const State& state) const { return assembly_->integrator->kinetic_energy(state); }
  Energy energy() const;
  Energy potential_energy() const;  ///< without the kinetic part
  /// largest speed of a vertex so far, m/s
  double largest_speed() const { return surface_.largest_speed(); }
  /// Adds the inertia of the surface and of the flow over it, as of the last step, to aₙ [nV].
  void add_inertial_acceleration(Vector& normal_acceleration) const;
  /// The number of vertices at which the inertia of the last move was limited.
  Index limited_inertia() const {
    return total(surface_.mesh(), inertial_forcing_.limited(own(surface_.mesh(), Location::vertex)));
  }
  /// The number of vertices at which acceleration_limit acts on the forces evaluated last.
  Index limited_accelerations() const {
    return total(surface_.mesh(),
                 inertial_forcing_.limited_accelerations(own(surface_.mesh(), Location::vertex)));
  }

 private:
  class Stages;
  struct Before;

  /// The current step.
  struct Step {
    StageClock* clock = nullptr;
    double dt = 0;             // s
    int parts_done = 0;        // integrator steps done
    bool in_stages = false;    // stages evaluate their own forces
    bool forces_vary = false;  // they differ between the stages
    bool books_work = false;   // the work of forces is measured from begin to end of the step
    Eigen::Vector2d source = Eigen::Vector2d::Zero();  // m³ added by sources; m³ that sinks could not remove
  };

  // Construction and change of parts.
  void make_flows();
  void initialize(State projected);
  void install(std::unique_ptr<Assembly> assembly, State projected);
  void exchange_parts(const ShallowWaterSetting& setting, bool other_bed);
  void put_back(Before& before);
  /// Updates the entries of the state that other processes own.
  void renew() {
    StageClock unused;
    renew(unused);
  }
  void renew(StageClock& clock) { shoal::renew(assembly_->renewal.get(), state_, clock); }

  // Forcing.
  void check_sizes(const Forcing& forcing) const;
  void record_boundaries();
  void evaluate_forcing(const StepInstant& at, const State& state);
  void apply_forcing();
  void set_boundary_values(const StepInstant& at);
  void update_boundary_values();
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
  bool sums_sources() const;
  void rest(double dt, StageClock& clock);
  void prepare_forces(double dt);
  StepReport step_on_surface(double dt, StageClock& clock);
  StepReport integrate(double dt);
  FrictionLaw bed_friction(bool in_stages) const;
  void apply_friction(double dt);
  void add_source(double dt);
  void stop_on_dry_land();
  void add_water(double dt, const Forces& forces);

  // Mass and energy budget (shallow_water_ledger.cpp).
  bool measures_work() const;
  bool measures_power() const;
  bool has_open_flux() const {
    return !forces().open_boundary.flux_sets.empty();
  }  // flux in the term gravity
  /// Whether water may enter or leave through the boundary; whether it may through sources too.
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
      1.0 / 128;  // spacing of finite differences of powers, as a fraction of the step

  ScalarField bed_depth_;
  MovingSurface surface_;
  std::unique_ptr<Assembly> assembly_;
  SplitFlows flows_;  // flows of the parts, as arguments of the splitting
  InertialForcing inertial_forcing_;
  ForceTerms force_terms_;
  bool boundaries_vary_ = false;                      // in time
  bool forcing_changed_ = false, has_moved_ = false;  // since the last step
  double instant_ = 0, span_ = 0;                     // s: instant of the current positions; step length
  State state_;
  double time_ = 0;
  State advecting_;  // advecting flow if the velocity is a passive field
  bool passive_ = false;
  EnergyLedger ledger_;
  std::unique_ptr<ForceWork> work_;  // null unless forces act on a velocity
  std::unique_ptr<Stages> stages_;
  StageFriction friction_;
  Step step_;
  State before_step_, now_, mean_, ahead_;
  State sources_;  // what sources have changed in this step, if sums_sources()
  Vector taken_;   // [cells] m³/s
  Points next_points_, velocity_ahead_;
  mutable std::optional<Eigen::Vector2d> rest_sums_;  // Σ A, Σ A H on the current surface
};

}  // namespace shoal
