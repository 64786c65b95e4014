// Transport of the velocity by the flow (Angst 2007, §5.2). A rate, which an integrator may take with all
// other terms at once, or a map over a time, which a splitting joins to the integrator's steps.
#pragma once

#include "solvers/integrators/integrator.hpp"

namespace shoal {

/// The map of an advection.
class Advection {
 public:
  virtual ~Advection() = default;
  /// Transports the velocity of `state` with that of `advecting`, a state of the same scheme, possibly the
  /// same one, for the time dt; the depth is unchanged. Time goes into the stage `advection`.
  virtual StepReport advect(const State& advecting, double dt, State& state, StageClock& clock) = 0;
  /// The geometry has changed. Time goes into the stage `flattening`.
  virtual void refresh(StageClock& clock) = 0;
};

/// One row of the list of advections.
struct AdvectionEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  bool carries_other_fields = true;  ///< otherwise the advecting velocity must be the velocity itself
  /// Layers of triangles around a place that its map depends on, below a Courant number of 1.
  std::function<int(const DiscretizationEntry&)> reach = [](const DiscretizationEntry&) { return 0; };
  bool is_rate = false;  ///< the scheme's own term advection, which needs no map
  /// Empty if it works between such a scheme and such an integrator under these options, else the reason why
  /// it does not.
  std::function<std::string(const DiscretizationEntry&, const IntegratorEntry&, const Parameters&)>
      incompatibility;
  /// The map; null for `none`.
  std::function<std::unique_ptr<Advection>(const RightSide&, const Parameters&)> make;
};

/// "" or the reason why these cannot go together under these options; `advection` is null where there is
/// none, or the scheme's own flux advects the velocity.
std::string advection_incompatibility(const AdvectionEntry* advection, const DiscretizationEntry& scheme,
                                      const IntegratorEntry& integrator, const Parameters& options);

/// Options of every advection: whether a map precedes each step or each substep.
struct AdvectionIntervalOptions {
  bool per_substep = false;
  static Options<AdvectionIntervalOptions> describe();
};

}  // namespace shoal
