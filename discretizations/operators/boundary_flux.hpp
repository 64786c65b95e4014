// The flux through an open boundary, of the state that the outgoing characteristic u + 2c, c = √(aη), of the
// water before it and the given value make there: for schemes with fluxes across edges.
#pragma once

#include "discretizations/boundaries.hpp"

namespace shoal {

/// Outwards, per length: volume, m²/s, and normal momentum with the pressure, m³/s².
struct BoundaryFlux {
  double volume, momentum;
  double lacking =
      0;  ///< m²/s: what a discharge outwards exceeds the largest flux by that the water can give
};

/// `depth` and the outward velocity u are those of the cell, whose bed H goes on outside; `value` as in
/// OpenBoundary, `acceleration` a. Still water exerts its pressure ½aη² alone.
BoundaryFlux boundary_flux(BoundaryKind kind, double value, double bed, double depth, double u,
                           double acceleration);

}  // namespace shoal
