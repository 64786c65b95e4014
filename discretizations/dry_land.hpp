// Places without water, which have no velocity: what whoever steps a state has to do about them.
#pragma once

#include "discretizations/state.hpp"

namespace shoal {

/// Capability: the scheme keeps a velocity where there may be no water.
class DryLand {
 public:
  virtual ~DryLand() = default;
  /// The velocity of places over which nothing flows becomes zero: what water left behind there when it went, and what
  /// the rates, which hold it from then on, cannot take away. Changes depths only if the scheme has been asked to,
  /// against the mass.
  virtual void stop_on_dry_land(State& state) const = 0;
  /// For linear systems, whose fluxes have one depth per velocity site: depth = 0 where land without water stands above
  /// the water beside it.
  virtual void close_dry_sites(VectorIn volume, Vector& depth) const = 0;
};

}  // namespace shoal
