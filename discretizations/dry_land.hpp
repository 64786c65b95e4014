// Places without water, which have no velocity: what whoever steps a state has to do about them.
#pragma once

#include "discretizations/state.hpp"

namespace shoal {

/// Capability: the scheme keeps a velocity where there may be no water.
class DryLand {
 public:
  virtual ~DryLand() = default;
  /// The velocity of dry places becomes zero: what water left behind there when it went, and what the rates, which hold
  /// it from then on, cannot take away. Does nothing unless the scheme has been asked to tell dry places. Changes depths
  /// only if it has been asked to, against the mass.
  virtual void stop_on_dry_land(State& state) const = 0;
};

}  // namespace shoal
