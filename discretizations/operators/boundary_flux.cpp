#include "discretizations/operators/boundary_flux.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

/// Of a state with outward velocity u and celerity c = √(aη), at a boundary.
struct BoundaryState {
  double u, c;
};

/// The state at a boundary whose outgoing characteristic u + 2c comes from inside, where the celerity is
/// given. Water that leaves does so at most, water that enters at least, with the critical velocity |u| = c.
BoundaryState with_celerity(BoundaryState inside, double c) {
  if (inside.u >= inside.c) return inside;  // all characteristics leave
  const double outgoing = inside.u + 2 * inside.c;
  c = std::max(c, outgoing / 3);
  return {std::max(outgoing - 2 * c, -c), c};
}

/// The same where the flux q into the domain is given, m²/s: −q/η + 2c is the outgoing u + 2c, solved for c
/// by Newton's method. Where the water cannot give a flux outwards it is critical.
BoundaryState with_flux(BoundaryState inside, double inflow, double acceleration) {
  const double outgoing = inside.u + 2 * inside.c, critical = std::cbrt(acceleration * std::abs(inflow));
  if (inflow < 0 && outgoing <= 3 * critical) return {critical, critical};
  // f(c) = 2c − outgoing − a q/c²; for q > 0 it rises, for q < 0 it falls to its least value at c = critical.
  double c = std::max({inside.c, critical, 0.5 * outgoing});
  for (int i = 0; i < 50; ++i) {
    const double square = c * c;
    const double step =
        (2 * c - outgoing - acceleration * inflow / square) / (2 + 2 * acceleration * inflow / (square * c));
    const double next = std::max(c - step, 0.5 * c);
    if (std::abs(next - c) <= 1e-15 * c) break;
    c = next;
  }
  return {-acceleration * inflow / (c * c), c};
}

/// The largest flux that this water can give outwards, m²/s: that of the critical state.
double largest_outflow(BoundaryState inside, double acceleration) {
  const double c = std::max(0.0, (inside.u + 2 * inside.c) / 3);
  return c * c * c / acceleration;
}

}  // namespace

BoundaryFlux boundary_flux(BoundaryKind kind, double value, double bed, double depth, double u,
                           double acceleration) {
  const BoundaryState inside = {u, std::sqrt(acceleration * depth)};
  BoundaryState state = inside;
  double flux = 0, lacking = 0;
  if (kind == BoundaryKind::discharge) {
    if (const double most = largest_outflow(inside, acceleration); - value > most) {
      lacking = -value - most;
      value = -most;
    }
    flux = -value;
    state = value != 0 ? with_flux(inside, value, acceleration)
                       : BoundaryState{0, std::max(0.0, 0.5 * inside.u + inside.c)};
  } else {
    const double outside = std::sqrt(acceleration * std::max(0.0, value + bed));
    if (kind == BoundaryKind::level)
      state = with_celerity(inside, outside);
    else  // u − 2c comes from the still water outside
      state = with_celerity(inside, 0.25 * (inside.u + 2 * inside.c) + 0.5 * outside);
    flux = state.u * state.c * state.c / acceleration;
  }
  const double depth_there = state.c * state.c / acceleration;
  return {flux, flux * state.u + 0.5 * acceleration * depth_there * depth_there, lacking};
}

}  // namespace shoal
