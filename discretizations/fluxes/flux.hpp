// A numerical flux for finite volumes: the flux across an edge as a function of the states on its two sides.
//
//     struct MyFlux {
//       EdgeFlux operator()(const EdgeState& left, const EdgeState& right, double gravity) const;
//       double speed(const EdgeState& own, const EdgeState& other, double gravity) const;
//       static Options<MyFlux> describe();  // its parameters, which are members; absent if it has none
//     };
//     DiscretizationEntry my_flux() { return describe_finite_volume<MyFlux>("my-flux", "…"); }
//
// The schemes of discretizations/finite_volume.hpp differ only in their flux. Write conditions as `a < b ? a : b` instead of
// branches, so that the loop over edges is vectorised.
#pragma once

#include <concepts>

namespace shoal {

/// The water on one side of an edge, in the frame of the edge: the normal points from left to right, and the tangent is the
/// normal rotated by 90° to the left.
struct EdgeState {
  double depth;       ///< η ≥ 0, m
  double normal;      ///< u, m/s
  double tangential;  ///< w, m/s

  double volume_flux() const { return depth * normal; }  ///< ηu, m²/s
  double momentum_flux(double gravity) const {           ///< ηu² + ½gη², m³/s²
    return depth * (normal * normal + 0.5 * gravity * depth);
  }
  /// The state reflected at the edge.
  EdgeState mirrored() const { return {depth, -normal, tangential}; }
};

/// Fluxes from left to right per length of the edge.
struct EdgeFlux {
  double volume;      ///< of η, m²/s
  double momentum;    ///< of ηu, including the pressure, m³/s²
  double tangential;  ///< of ηw, m³/s²
};

/// Numerical fluxes F(L, R), for g = |aₙ| > 0. The conformance tests require of every listed flux:
///
/// consistency     F(U, U) = (ηu, ηu² + ½gη², ηuw),
/// conservation    F(R mirrored, L mirrored) = F(L, R) with both mass and tangential momentum reversed,
/// dry land        finite if η = 0 on one or both sides, for any velocity there; 0 if η = 0 on both,
/// speed(L, R)     a bound s of the wave speeds on L's side: forward Euler is stable for Δt ≤ min A/Σ l s, and if the
///                 entry claims `positive`, F_η(L, R) ≤ s η_L. It must not decrease when a depth increases, because it
///                 is evaluated with the depths before the cut at the bed.
template <class Flux>
concept NumericalFlux = requires(const Flux flux, const EdgeState& state, double gravity) {
  { flux(state, state, gravity) } -> std::same_as<EdgeFlux>;
  { flux.speed(state, state, gravity) } -> std::same_as<double>;
};

}  // namespace shoal
