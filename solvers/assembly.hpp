// The parts that shallow water is solved with, made and checked against one another.
#pragma once

#include "solvers/advection/advection.hpp"
#include "solvers/felt_forcing.hpp"
#include "solvers/splitting.hpp"

namespace shoal {

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
  FeltOptions felt() const { return {friction, flow_inertia, inertia}; }
};

/// Parameters of every run in addition to those of its parts: `sink_part`, and `friction` and `flow_inertia` where the
/// integrator carries a velocity.
ParameterInfos shallow_water_parameters(const IntegratorEntry& integrator);

/// "" or the reason why an integrator does not support these boundaries.
std::string boundary_incompatibility(const IntegratorEntry& integrator, const BoundaryConditions& conditions);

/// The layers of triangles around its own ones that a process needs for a step like this (part.hpp).
int layers_of_step(const ShallowWaterSetting& setting, const BoundaryConditions& boundaries);

/// "" or the reason why a setting does not work on parts of a surface.
std::string part_incompatibility(const ShallowWaterSetting& setting, const Discretization& scheme);

/// The scheme of a setting. Throws Refusal where it does not exist on this surface.
std::shared_ptr<Discretization> make_discretization(const ShallowWaterSetting& setting, const Mesh& mesh,
                                                    const Geometry& geometry, const ScalarField& bed_depth);

/// Whether make_discretization() would make the same scheme of both settings.
bool same_discretization(const ShallowWaterSetting& a, const ShallowWaterSetting& b);

struct Assembly {
  /// Throws Refusal where the parts cannot be combined. The integrator has yet to be started or restored.
  Assembly(const ShallowWaterSetting& setting, std::shared_ptr<Discretization> discretization,
           RightSide right_side);

  void set_substeps(int substeps);
  /// Throws Refusal where the integrator does not support what acts.
  void require_support(const BoundaryConditions& boundaries) const;
  /// Throws Refusal where the scheme is for surfaces at rest.
  MovesWithSurface& motion() const;
  /// Throws Refusal where it does not keep the mass.
  void require_that_mass_is_kept() const;

  /// Whether the scheme's own rate of advection acts.
  bool advects() const { return setting.advection && setting.advection->is_rate; }
  bool has_velocity() const { return setting.integrator.carries_velocity; }
  bool carries_circulation() const {
    return has_velocity() && options.surface.carried_velocity == CarriedVelocity::circulation;
  }
  /// Whether steps can be made of stages with their own forces.
  bool has_stages() const { return setting.integrator.stages_in_time && !splitting.splits && !advection; }

  ShallowWaterSetting setting;
  ShallowWaterOptions options;
  std::shared_ptr<Discretization> discretization;
  RightSide right_side;      ///< of it, with what acts
  MovesWithSurface* moving;  ///< its capabilities, or null
  const TurnsVelocity* turning;
  SplittingEntry splitting;
  Terms terms;    ///< that the integrator's steps take
  int parts = 1;  ///< of a step, each with its own transport
  std::unique_ptr<Integrator> integrator;
  std::unique_ptr<Advection> advection;  ///< null: none, or a rate that the integrator takes
};

}  // namespace shoal
