// The flux through an open boundary, for schemes with fluxes across edges. The state at the boundary has the prescribed value
// and is connected to the water inside by a wave: a rarefaction, across which the outgoing u + 2c, c = √(aη), is constant, or a
// bore.
#pragma once

#include "discretizations/boundaries.hpp"

namespace shoal {

/// Outward fluxes per length: volume, m²/s; normal momentum including pressure, and tangential momentum, m³/s². `speed` is
/// |u| + c at the boundary, m/s.
struct BoundaryFlux {
  double volume, momentum, tangential, speed;
  double lacking =
      0;  ///< m²/s, the excess of a prescribed outward discharge over the largest flux that the water can supply
};

/// The water at the boundary: its depth, m, outward velocity, m/s, and outward flux, m²/s, which of a discharge is exactly the given
/// one; `lacking` as above. Arguments as below.
struct BoundaryWater {
  double depth, velocity, flux, lacking;
};
BoundaryWater boundary_water(BoundaryKind kind, const OpenBoundary::Value& value, double bed, double depth,
                             double u, double acceleration);

/// `depth`, the outward velocity u and the velocity w along the edge (positive to the left of the outward normal) are those of
/// the cell, whose bed H extends outside; `acceleration` is a. Still water exerts only its pressure ½aη². Entering water has
/// w = 0 unless an inflow prescribes it.
BoundaryFlux boundary_flux(BoundaryKind kind, const OpenBoundary::Value& value, double bed, double depth,
                           double u, double w, double acceleration);

/// Whether the discharge `inflow`, m²/s, would enter faster than its waves and is therefore limited to the critical velocity.
bool enters_critically(double inflow, double depth, double u, double acceleration);

}  // namespace shoal
