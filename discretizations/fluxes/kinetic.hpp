// kinetic: the flux of a kinetic scheme (Audusse & Bristeau 2005, doi:10.1016/j.jcp.2004.12.016; Angst 2007,
// §4.3.3). Particles move normal to the edge with velocities uniformly distributed in u ± √3c̃, c̃ = √(gη/2). Those with
// positive velocity come from the left, the others from the right: F = F⁺(L) + F⁻(R), where F⁻ is the mirror image of
//
//     F⁺(η,u) = η/(2√3 c̃) · ( ½(b²−a²), ⅓(b³−a³) ),   a = max(0, u−√3c̃), b = max(0, u+√3c̃),
//
// and tangential momentum travels with the mass. Positive: F⁺_η ≤ η (|u| + √3 c̃).
#pragma once

#include "discretizations/fluxes/flux.hpp"

#include <cmath>

namespace shoal {

struct Kinetic {
  EdgeFlux operator()(const EdgeState& left, const EdgeState& right, double gravity) const {
    const Half out = half(left.depth, left.normal, gravity), in = half(right.depth, -right.normal, gravity);
    return {out.mass - in.mass, out.momentum + in.momentum,
            out.mass * left.tangential - in.mass * right.tangential};
  }

  double speed(const EdgeState& own, const EdgeState&, double gravity) const {
    return std::abs(own.normal) + std::sqrt(1.5 * gravity * own.depth);
  }

 private:
  /// Flux of mass and normal momentum of the particles of (η, u) that move in direction +n.
  struct Half {
    double mass, momentum;
  };
  static Half half(double depth, double u, double gravity) {
    const double reach = std::sqrt(1.5 * gravity * depth);  // √3 c̃
    const double density = reach / (3 * gravity);           // η/(2√3 c̃), finite as η → 0
    const double a = positive(u - reach), b = positive(u + reach);
    return {density * 0.5 * (b * b - a * a), density * (1.0 / 3.0) * (b * b * b - a * a * a)};
  }
  static double positive(double x) { return x > 0 ? x : 0; }
};

}  // namespace shoal
