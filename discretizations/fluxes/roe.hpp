// roe: the flux of Roe (1981, doi:10.1016/0021-9991(81)90128-5; shallow water: Glaister 1988,
// doi:10.1080/00221688809499213), the exact solution of the equations linearised between both sides:
//
//     F = ½(f(L) + f(R)) − ½ Σ |λᵢ| αᵢ rᵢ,    λ = û ∓ ĉ,    r = (1, λ),    for (η, ηu),
//     α = ½(Δη ∓ (Δ(ηu) − ûΔη)/ĉ),    û = (√η_L u_L + √η_R u_R)/(√η_L + √η_R),    ĉ² = ½g(η_L + η_R),
//
// and tangential momentum travels with the mass, F_w = F_η · (w_L if F_η > 0, else w_R), so that w stays between the
// neighbouring values (Larrouturou 1991, doi:10.1016/0021-9991(91)90253-H). Steady shocks and shears are preserved exactly.
//
// Entropy fix, ε = `entropy_fix`. Without it, the reverse of a shock is preserved as well, although it gains energy. The fix
// keeps |λ| from vanishing inside a fan: |λ| → ½(λ²/δ + δ) where |λ| < δ = ε max(0, λ − λ(L), λ(R) − λ) (Harten & Hyman
// 1983, doi:10.1016/0021-9991(83)90066-9). Between two fans, the linearisation underestimates the depth, which becomes
// negative for u_R − u_L > 2ĉ (Einfeldt et al. 1991, doi:10.1016/0021-9991(91)90211-3), and velocities grow without bound.
// If its middle depth η_L + α₁ is below both depths, |λ| is therefore blended with that of the HLLE flux,
//
//     |λ| → (1 − θ)|λ| + θ ((S⁺ + S⁻)λ − 2S⁺S⁻)/(S⁺ − S⁻),    θ = ε (1 − middle/min(η_L, η_R)), within [0, ε],
//     S⁻ = min(0, u_L − c_L, û − ĉ),    S⁺ = max(0, u_R + c_R, û + ĉ),
//
// whose middle states are means of the exact solution. With ε = 1 the flux is HLLE, which is positive, where the middle depth
// of the linearisation is zero or negative; ε = 0 disables the fix.
//
// The flux does not claim to be positive: without the fix, a thin layer that flows away from deep water loses more water than
// it has, 7 times the bound (tests/unit/discretizations/fluxes.cpp). With ε = 1, a search over depths of 1e-3 to 1e3 and
// velocities up to 50, with g = 1, found no such pair, which is no proof. Negative depths are reported in the outcome of the
// run and not clipped.
#pragma once

#include "discretizations/common/options.hpp"
#include "discretizations/fluxes/flux.hpp"

#include <cmath>

namespace shoal {

struct Roe {
  double entropy_fix = 1;
  static Options<Roe> describe() {
    return Options<Roe>().number("entropy_fix", "1", &Roe::entropy_fix, 0, 1,
                                 "lower limit of |u ± c| of a wave as a multiple of its increase across the "
                                 "edge (Harten), and the weight of HLLE between two rarefactions, where "
                                 "Roe's linearisation gives too little water; 0: neither");
  }

  EdgeFlux operator()(const EdgeState& left, const EdgeState& right, double gravity) const {
    const double root_left = std::sqrt(left.depth), root_right = std::sqrt(right.depth),
                 root_gravity = std::sqrt(gravity), roots = root_left + root_right;
    const double part = root_left / (roots > 0 ? roots : 1);
    const double u = right.normal + part * (left.normal - right.normal);
    const double c = std::sqrt(0.5 * gravity * (left.depth + right.depth)), inverse_c = c > 0 ? 1 / c : 0;
    const double c_left = root_gravity * root_left, c_right = root_gravity * root_right;

    const double from = left.volume_flux(), to = right.volume_flux();
    const double rise = right.depth - left.depth, push = ((to - from) - u * rise) * inverse_c;
    const double alpha_1 = 0.5 * (rise - push), alpha_3 = 0.5 * (rise + push);
    const double lower = smaller(left.depth, right.depth), missing = lower - (left.depth + alpha_1);
    const double theta =
        entropy_fix * most(0, missing < lower ? missing / (lower > 0 ? lower : 1) : (missing > 0 ? 1 : 0));
    const double minus = smaller(0, smaller(left.normal - c_left, u - c)),
                 plus = most(0, most(right.normal + c_right, u + c));
    const double width = plus - minus, scale = theta / (width > 0 ? width : 1);
    const auto size = [&](double lambda, double lambda_left, double lambda_right) {
      return (1 - theta) * fixed(lambda, lambda_left, lambda_right) +
             scale * ((plus + minus) * lambda - 2 * plus * minus);
    };
    const double wave_1 = alpha_1 * size(u - c, left.normal - c_left, right.normal - c_right),
                 wave_3 = alpha_3 * size(u + c, left.normal + c_left, right.normal + c_right);

    const double volume = 0.5 * (from + to - wave_1 - wave_3);
    return {volume,
            0.5 * (left.momentum_flux(gravity) + right.momentum_flux(gravity) - (u - c) * wave_1 -
                   (u + c) * wave_3),
            volume * (volume > 0 ? left.tangential : right.tangential)};
  }

  double speed(const EdgeState& own, const EdgeState& other, double gravity) const {
    return most(std::abs(own.normal), std::abs(other.normal)) +
           std::sqrt(gravity * most(own.depth, other.depth));
  }

 private:
  /// |λ|, increased inside a fan.
  double fixed(double lambda, double lambda_left, double lambda_right) const {
    const double delta = entropy_fix * most(0, most(lambda - lambda_left, lambda_right - lambda));
    const double size = std::abs(lambda);
    return size < delta ? 0.5 * (lambda * lambda / (delta > 0 ? delta : 1) + delta) : size;
  }
  static double smaller(double a, double b) { return a < b ? a : b; }
  static double most(double a, double b) { return a > b ? a : b; }
};

}  // namespace shoal
