// The parts of a shallow-water solver, constructed and checked for compatibility.
#pragma once

#include "discretizations/bed_friction.hpp"
#include "solvers/advection/advection.hpp"
#include "solvers/inertial_forcing.hpp"
#include "solvers/splitting.hpp"

namespace shoal {

/// The choice of parts. All referenced entries must outlive the ShallowWater.
struct ShallowWaterSetting {
  const DiscretizationEntry& discretization;
  const IntegratorEntry& integrator;
  const LinearSolverEntry* linear_solver = nullptr;  ///< null for explicit integrators
  const AdvectionEntry* advection = nullptr;         ///< null: none, or included in the scheme's flux
  const SplittingEntry* splitting = nullptr;         ///< null: default_splitting()
  Parameters parameters = {};                        ///< of all parts, and shallow_water_parameters()
  int substeps = 1;                                  ///< per step
  /// On a part of a surface, the number of substeps for which its layers suffice; 0: for all. Ghosts are renewed after so many.
  int substeps_per_renewal = 0;
  double density = 1000;  ///< kg/m³
  bool forced = false;    ///< whether any force other than aₙ = −g will act; its work is measured
  bool ledger = true;     ///< whether work is measured, which adds to the cost of a step
  /// Whether the initial velocity is absolute rather than relative to a mesh that moves from the start.
  bool starts_absolute = false;
};

struct ShallowWaterOptions {
  double friction = 0;     ///< 1/s
  double manning = 0;      ///< n, s/m^(1/3); 0: none
  double chezy = 0;        ///< C, m^(1/2)/s; 0: none
  double sink_part = 0.5;  ///< largest fraction of the water in a cell that sinks remove per substep or stage
  bool flow_inertia = false;  ///< subtract 2 vᵅ n·∂_αẋ + II(v, v) from aₙ, with v the velocity of the water
  double acceleration_limit = 0;  ///< m/s²; 0: none
  MovingSurfaceOptions surface;
  InertiaOptions inertia;
  static Options<ShallowWaterOptions> describe();
  /// Throws SettingError if there are two laws.
  FrictionLaw bed_friction(double gravity) const;
  InertialForcingOptions inertial_forcing() const {
    return {friction, flow_inertia, acceleration_limit, inertia};
  }
};

/// Parameters of every run besides those of its parts: `sink_part` and `acceleration_limit`, and `friction`, `manning`, `chezy` and `flow_inertia` if
/// the integrator carries a velocity.
ParameterInfos shallow_water_parameters(const IntegratorEntry& integrator);

/// The parameters that a setting accepts: those of its parts, shallow_water_parameters(), and those of a moving surface and its
/// inertia.
ParameterInfos declared_parameters(const ShallowWaterSetting& setting);

/// The setting with these values of its parameters and the defaults of the others. Names that it does not accept are ignored;
/// throws Error for a value that is not allowed.
ShallowWaterSetting with_parameters(ShallowWaterSetting setting,
                                    const std::map<std::string, Value>& values = {});

/// "" or the reason why an integrator does not support these boundaries.
std::string boundary_incompatibility(const IntegratorEntry& integrator, const BoundaryConditions& conditions);

/// The number of layers of triangles around its own that a process needs for such a step (part.hpp).
int layers_of_step(const ShallowWaterSetting& setting, const BoundaryConditions& boundaries);

/// "" or the reason why a scheme does not work on parts of a surface.
std::string part_incompatibility(const DiscretizationEntry& scheme);

/// Constructs the scheme of a setting. Throws Refusal if it does not exist on this surface.
std::shared_ptr<Discretization> make_discretization(const ShallowWaterSetting& setting, const Mesh& mesh,
                                                    const Geometry& geometry, const ScalarField& bed_depth);

/// Whether make_discretization() gives the same scheme for both settings.
bool same_discretization(const ShallowWaterSetting& a, const ShallowWaterSetting& b);

struct Assembly {
  /// Throws Refusal if the parts are incompatible. The integrator is neither started nor restored yet.
  Assembly(const ShallowWaterSetting& setting, std::shared_ptr<Discretization> discretization,
           RightSide right_side);

  void set_substeps(int substeps, int per_renewal);
  /// Throws Refusal if the integrator does not support the forcing or the boundaries.
  void require_support(const Forcing& forcing) const;
  /// Throws Refusal if the scheme does not support moving surfaces.
  MovesWithSurface& motion() const;
  /// Throws Refusal if the integrator, which does not conserve mass, does not support `what`.
  void require_that_mass_is_kept(const std::string& what) const;

  /// Whether advection is a rate of the scheme.
  bool advects() const { return setting.advection && setting.advection->is_rate; }
  bool has_velocity() const { return setting.integrator.carries_velocity; }
  bool carries_circulation() const {
    return has_velocity() && options.surface.carried_velocity == CarriedVelocity::circulation;
  }
  /// Whether the stages of a step can have their own forces.
  bool has_stages() const { return setting.integrator.stages_in_time && !splitting.splits && !advection; }

  ShallowWaterSetting setting;
  ShallowWaterOptions options;
  std::shared_ptr<Discretization> discretization;
  RightSide right_side;      ///< of the discretization, with the current forces
  MovesWithSurface* moving;  ///< capability of the discretization, or null
  const TurnsVelocity* turning;
  const BedFriction* bed_friction;
  SplittingEntry splitting;
  Terms terms;    ///< terms included in the integrator's steps
  int parts = 1;  ///< parts of a step, each with its own transport
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Renewal> renewal;      // of its states on a part; null: the mesh is the whole surface
  std::unique_ptr<Advection> advection;  ///< null: none, or included in the integrator as a rate
};

}  // namespace shoal
