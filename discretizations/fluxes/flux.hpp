// A numerical flux of finite volumes: what flows across an edge between the states on its two sides.
//
//     struct MyFlux {
//       EdgeFlux operator()(const EdgeState& left, const EdgeState& right, double gravity) const;
//       double speed(const EdgeState& own, const EdgeState& other, double gravity) const;
//       static Options<MyFlux> describe();  // of its parameters, which are its members; absent: none
//     };
//     DiscretizationEntry my_flux() { return describe_finite_volume<MyFlux>("my-flux", "…"); }
//
// It is all that differs between the schemes of discretizations/finite_volume.hpp. Conditions are better written as
// `a < b ? a : b` than as branches: the loop over edges is then vectorised.
#pragma once

#include <concepts>

namespace shoal {

/// The water on one side of an edge, in the frame of the edge: the normal from left to right, and the tangent,
/// which is that normal turned by 90° to the left.
struct EdgeState {
  double depth;       ///< η ≥ 0, m
  double normal;      ///< u, m/s
  double tangential;  ///< w, m/s

  double volume_flux() const { return depth * normal; }  ///< ηu, m²/s
  double momentum_flux(double gravity) const {           ///< ηu² + ½gη², m³/s²
    return depth * (normal * normal + 0.5 * gravity * depth);
  }
  /// As in a mirror that stands on the edge.
  EdgeState mirrored() const { return {depth, -normal, tangential}; }
};

/// From left to right, per length of the edge.
struct EdgeFlux {
  double volume;      ///< of η, m²/s
  double momentum;    ///< of ηu, with the pressure, m³/s²
  double tangential;  ///< of ηw, m³/s²
};

/// Numerical fluxes F(L, R), for g = |aₙ| > 0. The conformance tests hold every listed one to:
///
/// consistency     F(U, U) = (ηu, ηu² + ½gη², ηuw),
/// conservation    F(R mirrored, L mirrored) = F(L, R) with both mass and tangential momentum reversed,
/// dry land        finite where one side or both have η = 0, whatever the velocity there; 0 where both have,
/// speed(L, R)     a bound s of the speeds of L's side: forward Euler is stable for Δt ≤ min A/Σ l s, and where
///                 the entry says `positive` no more than s η_L leaves, F_η(L, R) ≤ s η_L. It must not fall
///                 where a depth grows: it is asked for the depths before the cut at the bed.
template <class Flux>
concept NumericalFlux = requires(const Flux flux, const EdgeState& state, double gravity) {
  { flux(state, state, gravity) } -> std::same_as<EdgeFlux>;
  { flux.speed(state, state, gravity) } -> std::same_as<double>;
};

}  // namespace shoal
