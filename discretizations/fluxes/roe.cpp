// roe: the flux of Roe (1981, doi:10.1016/0021-9991(81)90128-5; shallow water: Glaister 1988,
// doi:10.1080/00221688809499213), which solves the equations linearised between both sides exactly:
//
//     F = ½(f(L) + f(R)) − ½ Σ |λᵢ| αᵢ rᵢ,    λ = û − ĉ, û, û + ĉ,    r = (1, û − ĉ, ŵ), (0, 0, 1), (1, û + ĉ, ŵ),
//     α₁,₃ = ½(Δη ∓ (Δ(ηu) − ûΔη)/ĉ),    α₂ = Δ(ηw) − ŵΔη,
//     (û, ŵ) = (√η_L (u,w)_L + √η_R (u,w)_R)/(√η_L + √η_R),    ĉ² = ½g(η_L + η_R).
//
// Shocks and shears are kept exactly; so would be the reverse of a shock, which gains energy. The entropy fix of Harten
// keeps λ₁ and λ₃ from vanishing inside a fan, |λ| → ½(λ²/δ + δ) where |λ| < δ, with δ = ε max(0, λ − λ(L), λ(R) − λ), ε
// being `entropy_fix` (Harten & Hyman 1983, doi:10.1016/0021-9991(83)90066-9). ε = 0 is Roe's own flux.
//
// Not claimed to be positive: without the fix more leaves a thin layer that runs away from deep water than there is, 7 times
// the bound (tests/unit/discretizations/fluxes.cpp; Einfeldt et al. 1991, doi:10.1016/0021-9991(91)90211-3). With ε = 1 a
// search over depths of 1e-3 to 1e3 and velocities up to 50, with g = 1, found no such pair, which is no proof. A depth that
// falls below zero stands in the outcome of the run: nothing is cut off.
#include "discretizations/finite_volume.hpp"

#include <cmath>

namespace shoal {
namespace {

struct Roe {
  double entropy_fix = 1;
  static Options<Roe> describe() {
    return Options<Roe>().number(
        "entropy_fix", "1", &Roe::entropy_fix, 0, 1,
        "least |u ± c| of a wave in parts of its growth across the edge (Harten); 0: none");
  }

  EdgeFlux operator()(const EdgeState& left, const EdgeState& right, double gravity) const {
    const double root_left = std::sqrt(left.depth), root_right = std::sqrt(right.depth),
                 root_gravity = std::sqrt(gravity), roots = root_left + root_right;
    const double part = root_left / (roots > 0 ? roots : 1);
    const double u = right.normal + part * (left.normal - right.normal),
                 w = right.tangential + part * (left.tangential - right.tangential);
    const double c = std::sqrt(0.5 * gravity * (left.depth + right.depth)), inverse_c = c > 0 ? 1 / c : 0;
    const double c_left = root_gravity * root_left, c_right = root_gravity * root_right;
    const double speed_1 = fixed(u - c, left.normal - c_left, right.normal - c_right),
                 speed_3 = fixed(u + c, left.normal + c_left, right.normal + c_right);

    const double from = left.volume_flux(), to = right.volume_flux();
    const double rise = right.depth - left.depth, push = ((to - from) - u * rise) * inverse_c;
    const double wave_1 = 0.5 * speed_1 * (rise - push), wave_3 = 0.5 * speed_3 * (rise + push);
    const double shear =
        std::abs(u) * (right.depth * right.tangential - left.depth * left.tangential - w * rise);
    return {0.5 * (from + to - wave_1 - wave_3),
            0.5 * (left.momentum_flux(gravity) + right.momentum_flux(gravity) - (u - c) * wave_1 -
                   (u + c) * wave_3),
            0.5 * (from * left.tangential + to * right.tangential - w * (wave_1 + wave_3) - shear)};
  }

  double speed(const EdgeState& own, const EdgeState& other, double gravity) const {
    return most(std::abs(own.normal), std::abs(other.normal)) +
           std::sqrt(gravity * most(own.depth, other.depth));
  }

 private:
  /// |λ|, or more inside a fan.
  double fixed(double lambda, double lambda_left, double lambda_right) const {
    const double delta = entropy_fix * most(0, most(lambda - lambda_left, lambda_right - lambda));
    const double size = std::abs(lambda);
    return size < delta ? 0.5 * (lambda * lambda / (delta > 0 ? delta : 1) + delta) : size;
  }
  static double most(double a, double b) { return a > b ? a : b; }
};

}  // namespace

DiscretizationEntry roe() {
  DiscretizationEntry entry = describe_finite_volume<Roe>(
      "roe", "depth and momentum on triangles; finite volumes with Roe's flux, first order, well balanced");
  entry.order_limit = {2, "the sizes of the waves' speeds have kinks"};
  return entry;
}

}  // namespace shoal
