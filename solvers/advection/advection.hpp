// Transport of the velocity by the flow (Angst 2007, §5.2): either a rate, which an integrator may include
// with all other terms, or a map over a time, which a splitting combines with the integrator's steps.
#pragma once

#include "solvers/integrators/integrator.hpp"

namespace shoal {

/// The map of an advection.
class Advection {
 public:
  virtual ~Advection() = default;
  /// Transports the velocity of `state` with the velocity of `advecting`, a state of the same scheme and
  /// possibly the same object, for the time dt; the depth is unchanged unless the scheme leaves it to the
  /// transport. Time is booked under the stage `advection`.
  virtual StepReport advect(const State& advecting, double dt, State& state, StageClock& clock) = 0;
  /// Call after a change of the geometry. Time is booked under the stage `flattening`.
  virtual void refresh(StageClock& clock) = 0;
};

/// One row of the list of advections.
struct AdvectionEntry {
  std::string name;
  std::string summary;
  ParameterInfos parameters;
  bool carries_other_fields = true;  ///< false: the advecting velocity must be the velocity itself
  /// The domain of dependence of the map at Courant numbers below 1, in layers of triangles.
  std::function<int(const DiscretizationEntry&)> reach = [](const DiscretizationEntry&) { return 0; };
  bool is_rate = false;  ///< the term advection of the scheme itself, without a map
  /// "" if it supports such a scheme and such an integrator under these options, else the reason why not.
  std::function<std::string(const DiscretizationEntry&, const IntegratorEntry&, const Parameters&)>
      incompatibility;
  /// The map; null for `none`.
  std::function<std::unique_ptr<Advection>(const RightSide&, const Parameters&)> make;
};

/// "" or the reason why these are incompatible under these options; `advection` is null if there is none or
/// the scheme's own flux advects the velocity.
std::string advection_incompatibility(const AdvectionEntry* advection, const DiscretizationEntry& scheme,
                                      const IntegratorEntry& integrator, const Parameters& options);

/// Options of every advection: whether a map precedes each step or each substep.
struct AdvectionIntervalOptions {
  bool per_substep = false;
  static Options<AdvectionIntervalOptions> describe();
};

}  // namespace shoal
