// rusanov: the flux of Rusanov (1962, doi:10.1016/0041-5553(62)90062-9), or local Lax–Friedrichs flux: the mean of the
// fluxes of both sides, minus damping of every jump at the fastest wave speed,
//
//     F = ½(f(L) + f(R)) − ½ s (U_R − U_L),    s = max(|u_L| + √(gη_L), |u_R| + √(gη_R)),    U = (η, ηu, ηw).
//
// Positive: F_η ≤ ½ η_L (u_L + s) ≤ s η_L. It smears shear layers, even steady ones.
#pragma once

#include "discretizations/fluxes/flux.hpp"

#include <cmath>

namespace shoal {

struct Rusanov {
  EdgeFlux operator()(const EdgeState& left, const EdgeState& right, double gravity) const {
    const double s = speed(left, right, gravity), from = left.volume_flux(), to = right.volume_flux();
    return {0.5 * (from + to) - 0.5 * s * (right.depth - left.depth),
            0.5 * (left.momentum_flux(gravity) + right.momentum_flux(gravity)) - 0.5 * s * (to - from),
            0.5 * (from * left.tangential + to * right.tangential) -
                0.5 * s * (right.depth * right.tangential - left.depth * left.tangential)};
  }

  double speed(const EdgeState& own, const EdgeState& other, double gravity) const {
    const double a = std::abs(own.normal) + std::sqrt(gravity * own.depth),
                 b = std::abs(other.normal) + std::sqrt(gravity * other.depth);
    return a > b ? a : b;
  }
};

}  // namespace shoal
