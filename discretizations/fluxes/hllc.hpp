// hllc: the flux of Harten, Lax & van Leer with its contact wave restored (Toro 2001, Shock-Capturing Methods for
// Free-Surface Shallow Flows, §10.4; Toro et al. 1994, doi:10.1007/BF01414629). Depth and normal momentum are constant
// between the fastest waves to the left and to the right; tangential momentum travels with the mass:
//
//     F = (S⁺ f(L) − S⁻ f(R) + S⁺S⁻ (U_R − U_L)) / (S⁺ − S⁻) for (η, ηu),    F_w = F_η · (w_L if F_η > 0, else w_R),
//     S⁻ = min(0, u_L − c_L, û − ĉ),    S⁺ = max(0, u_R + c_R, û + ĉ),
//
// c = √(gη), with Roe averages û, ĉ² = ½g(η_L + η_R) (Einfeldt 1988, doi:10.1137/0725021). These speeds need no exception
// beside dry land. Positive: F_η ≤ η_L max(u_L, S⁺) ≤ s η_L with s = max(|u_L|, |u_R|) + max(c_L, c_R).
#pragma once

#include "discretizations/fluxes/flux.hpp"

#include <cmath>

namespace shoal {

struct Hllc {
  EdgeFlux operator()(const EdgeState& left, const EdgeState& right, double gravity) const {
    const double root_left = std::sqrt(left.depth), root_right = std::sqrt(right.depth),
                 root_gravity = std::sqrt(gravity), roots = root_left + root_right;
    const double c_left = root_gravity * root_left, c_right = root_gravity * root_right;
    const double u = (root_left * left.normal + root_right * right.normal) / (roots > 0 ? roots : 1);
    const double c = std::sqrt(0.5 * gravity * (left.depth + right.depth));
    const double minus = smaller(0, smaller(left.normal - c_left, u - c)),
                 plus = -smaller(0, smaller(-right.normal - c_right, -u - c));
    const double width = plus - minus, scale = 1 / (width > 0 ? width : 1);

    const double from = left.volume_flux(), to = right.volume_flux();
    const double volume = scale * (plus * from - minus * to + plus * minus * (right.depth - left.depth));
    const double momentum = scale * (plus * left.momentum_flux(gravity) -
                                     minus * right.momentum_flux(gravity) + plus * minus * (to - from));
    return {volume, momentum, volume * (volume > 0 ? left.tangential : right.tangential)};
  }

  double speed(const EdgeState& own, const EdgeState& other, double gravity) const {
    return most(std::abs(own.normal), std::abs(other.normal)) +
           std::sqrt(gravity * most(own.depth, other.depth));
  }

 private:
  static double smaller(double a, double b) { return a < b ? a : b; }
  static double most(double a, double b) { return a > b ? a : b; }
};

}  // namespace shoal
