// Transport of the velocity by the flow, split from the waves (Angst 2007, §5.2): a step, or each of its
// substeps, begins with it.
#pragma once

#include "solvers/integrators/integrator.hpp"

namespace shoal {

class Advection {
 public:
  virtual ~Advection() = default;
  /// Carries the velocity of `state` along `advecting_velocity`, a flow of the same scheme and maybe the same
  /// one, for the time dt; the depth stays. Time goes into the stage `advection`.
  virtual void advect(const Vector& advecting_velocity, double dt, State& state, StageClock& clock) = 0;
  /// The geometry has changed. Time goes into the stage `flattening`.
  virtual void refresh(StageClock& clock) = 0;
};

/// One row of the list of advections.
struct AdvectionEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  bool carries_other_fields = true;  ///< otherwise the advecting velocity must be the velocity itself
  /// Empty if it works between such a scheme and such an integrator, else the reason why it does not.
  std::function<std::string(const DiscretizationEntry&, const IntegratorEntry&)> incompatibility;
  std::function<std::unique_ptr<Advection>(const Discretization&, const Parameters&)> make;
};

AdvectionEntry semi_lagrangian();
AdvectionEntry bfecc();
AdvectionEntry vector_invariant();

/// All advections; the first is none, whose `make` gives null.
const std::vector<AdvectionEntry>& advections();
/// Throws Error with the nearest name.
const AdvectionEntry& find_advection(const std::string& name);

/// The parameter that says what a step is for the advection: "frame", the whole step, or "substep".
ParameterInfo advection_interval_parameter();

}  // namespace shoal
