// Shallow water on a surface that may move: scheme, integrator and advection put together and advanced step
// by step. The harness runs it on scenes; an application moves its mesh and calls the same functions.
#pragma once

#include "solvers/advection/advection.hpp"
#include "solvers/force_work.hpp"
#include "solvers/inertia.hpp"
#include "solvers/integrators/integrator.hpp"

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
  const Parameters& parameters;                      ///< of all of them, and shallow_water_parameters()
  double density = 1000;                             ///< kg/m³
  bool forced = false;  ///< whether anything but aₙ = −g will ever act: its work is measured
};

/// What every run takes beside the parameters of its parts: `friction` where the integrator carries a
/// velocity.
ParameterInfos shallow_water_parameters(const IntegratorEntry& integrator);

/// Frame by frame: set_forcing() where that changes, move_to() where the surface moves, step().
class ShallowWater {
 public:
  /// On the surface with these positions [3, nV]. `mesh` must outlive this.
  /// Throws Refusal where surface and scheme cannot go together.
  ShallowWater(const Mesh& mesh, const Points& x, const ScalarField& bed_depth, const Forcing& forcing,
               const ShallowWaterSetting& setting);
  ShallowWater(const ShallowWater&) = delete;
  ShallowWater& operator=(const ShallowWater&) = delete;

  /// Before start(): the scheme's stable step, s, were `state` on the surface at x, under what acts on it now
  /// and without inertia. Throws as move_to() does.
  double stable_dt_at(const Points& x, const State& state);

  /// Takes over a state that discretization() has projected; steps of dt, s, from now on. `before`: the
  /// positions one step earlier, where the surface has not been at rest and the fluid feels it.
  void start(State state, double dt, int substeps, const Points& before = {});

  /// What acts on the fluid from the next step on.
  void set_forcing(const Forcing& forcing);
  /// The surface will be at x [3, nV] at the end of the next step; not called, it has come to rest. Volumes
  /// stay and velocities are carried along (Angst 2007, §6.4). Throws Error where a triangle has no area,
  /// Refusal where the scheme cannot live there; the surface is then where it was.
  void move_to(const Points& x, StageClock& clock);
  /// The velocity becomes a passive field that this flow carries, and nothing else happens. Throws Refusal
  /// where the advection knows no other flow than the velocity itself.
  void set_advecting_velocity(const VectorField& advecting_velocity);
  StepReport step(StageClock& clock);

  const Geometry& geometry() const { return geometry_; }
  const Discretization& discretization() const { return *discretization_; }
  const Integrator& integrator() const { return *integrator_; }
  const State& state() const { return state_; }

  Energy energy() const;
  Energy potential_energy() const;  ///< the same without the kinetic part
  /// Energy that the moving surface has given since the start, J: what the energy is on the new geometry,
  /// volumes and velocities carried along, less what it was on the old one.
  double work_geometry() const { return work_geometry_; }
  /// Work of all forces but gravity g since the start, J, friction and newmark's drag `rayleigh` included;
  /// not its other kinds of damping.
  double work_forces() const;
  /// The most that |work_geometry| + |work_forces| has been, J: what a surface gives it may take back.
  double largest_work() const { return largest_work_; }
  double largest_speed() const { return largest_speed_; }  ///< that a vertex has moved with, m/s
  /// Vertices at which the inertia of the last move was cut.
  Index limited_inertia() const { return inertia_ ? inertia_->limited() : 0; }

 private:
  void apply_forcing();
  void refresh_at(const Points& x);
  double measured_energy(StageClock& clock) const;
  void note_work();
  void add_power(StageClock& clock);

  const Mesh& mesh_;
  ShallowWaterSetting setting_;
  Geometry geometry_;
  std::unique_ptr<Discretization> discretization_;
  std::unique_ptr<Integrator> integrator_;
  std::unique_ptr<Advection> advection_;
  std::optional<Inertia> inertia_;
  Forcing forcing_, total_forcing_;                   // as it was set; with the inertia
  bool forcing_changed_ = false, has_moved_ = false;  // since the last step
  std::optional<ForceWork> work_;                     // where forces act on a velocity
  Points before_move_;
  Vector advecting_velocity_;
  State state_, before_step_;
  bool measures_power_ = false;  // of forces and drag on a depth rate
  double dt_ = 0, friction_ = 0;
  int parts_ = 1;  // of a step, each with its own advection
  double work_geometry_ = 0, work_friction_ = 0, work_depth_rate_ = 0, largest_work_ = 0, largest_speed_ = 0;
};

}  // namespace shoal
