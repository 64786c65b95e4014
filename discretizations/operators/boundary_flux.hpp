// The flux through an open boundary, of the state to which a wave leads from the water before it, as the given value asks for: a
// rarefaction, across which the outgoing u + 2c, c = √(aη), stays, or a bore. For schemes with fluxes across edges.
#pragma once

#include "discretizations/boundaries.hpp"

namespace shoal {

/// Outwards, per length: volume, m²/s; normal momentum with the pressure and tangential momentum, m³/s². And |u| + c at the
/// boundary, m/s.
struct BoundaryFlux {
  double volume, momentum, tangential, speed;
  double lacking =
      0;  ///< m²/s: what a discharge outwards exceeds the largest flux by that the water can give
};

/// `depth`, the outward velocity u and the velocity w along the edge, to the left of the outward normal, are those of the
/// cell, whose bed H goes on outside; `acceleration` a. Still water exerts its pressure ½aη² alone. Water that enters has
/// no w but that of an inflow.
BoundaryFlux boundary_flux(BoundaryKind kind, const OpenBoundary::Value& value, double bed, double depth,
                           double u, double w, double acceleration);

/// Whether the discharge `inflow`, m²/s, would enter faster than its waves, and is held at the critical velocity.
bool enters_critically(double inflow, double depth, double u, double acceleration);

}  // namespace shoal
