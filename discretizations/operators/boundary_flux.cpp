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
/// by Newton's method. Where the water cannot give a flux outwards, or would enter faster than its waves, it is critical.
BoundaryState with_flux(BoundaryState inside, double inflow, double acceleration) {
  const double outgoing = inside.u + 2 * inside.c, critical = std::cbrt(acceleration * std::abs(inflow));
  if (inflow < 0 && outgoing <= 3 * critical) return {critical, critical};
  if (inflow > 0 && outgoing <= critical) return {-critical, critical};
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

/// The state between the outgoing characteristic and that which comes from outside, of water that flows in with the speed
/// −outside.u: all of it where neither side's waves leave, none where all leave.
BoundaryState with_outside(BoundaryState inside, BoundaryState outside) {
  if (outside.u <= -outside.c) return outside;
  const double outgoing = inside.u + 2 * inside.c, incoming = outside.u - 2 * outside.c;
  const BoundaryState between = {0.5 * (outgoing + incoming), 0.25 * (outgoing - incoming)};
  if (between.u >= between.c) return inside;
  if (between.u <= -between.c) return {incoming / 3, -incoming / 3};  // a fan through the critical state
  return between;
}

}  // namespace

bool enters_critically(double inflow, double depth, double u, double acceleration) {
  return inflow > 0 && u + 2 * std::sqrt(acceleration * depth) <= std::cbrt(acceleration * inflow);
}

BoundaryFlux boundary_flux(BoundaryKind kind, const OpenBoundary::Value& value, double bed, double depth,
                           double u, double w, double acceleration) {
  const BoundaryState inside = {u, std::sqrt(acceleration * depth)};
  const auto celerity = [&](double eta) { return std::sqrt(acceleration * std::max(0.0, eta)); };
  BoundaryState state = inside;
  const double discharge = std::max(value.value, -largest_outflow(inside, acceleration));
  if (kind == BoundaryKind::discharge)
    state = discharge != 0 ? with_flux(inside, discharge, acceleration)
                           : BoundaryState{0, std::max(0.0, 0.5 * inside.u + inside.c)};
  else if (kind == BoundaryKind::inflow)
    state = with_outside(inside, {-value.speed, celerity(value.value)});
  else if (kind == BoundaryKind::level)
    state = with_celerity(inside, celerity(value.value + bed));
  else  // u − 2c comes from the still water outside
    state = with_celerity(inside, 0.25 * (inside.u + 2 * inside.c) + 0.5 * celerity(bed));
  const double depth_there = state.c * state.c / acceleration;
  const double flux = kind == BoundaryKind::discharge ? -discharge : state.u * depth_there;
  const double along = flux > 0 ? w : kind == BoundaryKind::inflow ? -value.tangential : 0;
  return {flux, flux * state.u + 0.5 * acceleration * depth_there * depth_there, flux * along,
          std::abs(state.u) + state.c, kind == BoundaryKind::discharge ? discharge - value.value : 0};
}

}  // namespace shoal
