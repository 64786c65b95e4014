#include "discretizations/operators/boundary_flux.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {
namespace {

/// A state at or outside a boundary, with outward velocity u.
struct Water {
  double depth, u;
};

double celerity(double depth, double a) {
  return std::sqrt(a * std::max(0.0, depth));
}

/// The decrease of velocity across a wave that runs into water of depth η and leaves depth b behind: if b < η a rarefaction,
/// across which u + 2c is constant, otherwise a bore (Rankine–Hugoniot). Constant u + 2c for bores too would exert a pressure
/// of u⁴/32a on a film that meets a boundary, however thin the film.
double fall(double depth, double b, double a) {
  if (b <= depth) return 2 * (celerity(b, a) - celerity(depth, a));
  return (b - depth) * std::sqrt(0.5 * a * (1 / b + 1 / depth));
}

double fall_slope(double depth, double b, double a) {
  if (b <= depth) return std::sqrt(a / b);
  const double root = std::sqrt(0.5 * a * (1 / b + 1 / depth));
  return root - (b - depth) * a / (4 * b * b * root);
}

/// The critical state u = c in a rarefaction into `inside`, where u < c.
Water critical(Water inside, double a) {
  const double c = std::max(0.0, (inside.u + 2 * celerity(inside.depth, a)) / 3);
  return {c * c / a, c};
}

/// The state at a boundary with prescribed depth b. Water enters at most with critical velocity and leaves at least with the
/// critical depth; water faster than the wave that b would send inward leaves unchanged.
Water with_depth(Water inside, double b, double a) {
  if (b > inside.depth) {
    const double u = inside.u - fall(inside.depth, b, a);
    if (b * u >= inside.depth * inside.u) return inside;  // the flow carries the bore outward
    return {b, std::max(u, -celerity(b, a))};
  }
  if (inside.u >= celerity(inside.depth, a)) return inside;
  const Water sonic = critical(inside, a);
  if (b <= sonic.depth) return sonic;
  return {b, std::max(inside.u - fall(inside.depth, b, a), -celerity(b, a))};
}

/// The state of largest outward flux for this water: the critical state or, if the water is faster than waves, the arriving
/// state.
Water with_max_flux(Water inside, double a) {
  return inside.u >= celerity(inside.depth, a) ? inside : critical(inside, a);
}

/// The state at a boundary with flux q into the domain, m²/s; an outward flux is limited to what the water can supply. Water
/// that would enter faster than its waves enters in the critical state.
Water with_flux(Water inside, double q, double a) {
  if (const Water limit = with_max_flux(inside, a); q < 0 && -q >= limit.depth * limit.u) return limit;
  const double c = std::cbrt(a * std::abs(q));
  if (enters_critically(q, inside.depth, inside.u, a)) return {c * c / a, -c};
  // f(b) = b (u − fall(b)) is concave, and its root right of the maximum is required: Newton's method from the right.
  const double outgoing = std::max(0.0, 0.5 * inside.u + celerity(inside.depth, a));
  double b = outgoing * outgoing / a;  // f ≤ 0 there, and above the height of an unlimited bore
  if (inside.u > 0) b = std::min(b, inside.depth + inside.u * std::sqrt(2 * inside.depth / a));
  if (q > 0) b = std::max({b, inside.depth, c * c / a});
  if (b <= 0) return {0, 0};
  const auto excess = [&](double depth) { return depth * (inside.u - fall(inside.depth, depth, a)) + q; };
  while (excess(b) > 0) b *= 2;
  for (int i = 0; i < 100; ++i) {
    const double slope = inside.u - fall(inside.depth, b, a) - b * fall_slope(inside.depth, b, a);
    const double next = std::max(b - excess(b) / slope, 0.5 * b);
    if (std::abs(next - b) <= 1e-15 * b) break;
    b = next;
  }
  return {b, -q / b};
}

/// The state of the Riemann problem between both at the boundary (Toro 2001, chapters 5 and 6): a supercritical inflow enters
/// as prescribed unless the water inside is so deep that a bore runs outward against it.
Water with_outside(Water inside, Water outside, double a) {
  const double c = celerity(inside.depth, a), c_outside = celerity(outside.depth, a);
  // u between the waves is inside.u − fall(inside, b) and outside.u + fall(outside, b); the difference increases with b.
  const double rarefied = 0.25 * (inside.u + 2 * c - outside.u + 2 * c_outside);
  double b =
      inside.depth > 0 && rarefied > 0 ? rarefied * rarefied / a : 0;  // where both waves are rarefactions
  for (int i = 0; i < 100 && b > 0; ++i) {
    const double rest = fall(inside.depth, b, a) + fall(outside.depth, b, a) - inside.u + outside.u;
    const double next =
        std::max(b - rest / (fall_slope(inside.depth, b, a) + fall_slope(outside.depth, b, a)), 0.1 * b);
    if (std::abs(next - b) <= 1e-15 * b) break;
    b = next;
  }
  const double u = outside.u + fall(outside.depth, b, a), wave = celerity(b, a);
  if (u >= 0) {
    if (b > inside.depth ? b * u >= inside.depth * inside.u : inside.u >= c) return inside;
    return b > inside.depth || u <= wave ? Water{b, u} : critical(inside, a);
  }
  if (b > outside.depth ? b * u <= outside.depth * outside.u : outside.u <= -c_outside) return outside;
  if (b > outside.depth || u >= -wave) return {b, u};
  const Water sonic = critical({outside.depth, -outside.u}, a);
  return {sonic.depth, -sonic.u};
}

}  // namespace

bool enters_critically(double inflow, double depth, double u, double acceleration) {
  if (!(inflow > 0)) return false;
  const double c = std::cbrt(acceleration * inflow);
  return u - fall(depth, c * c / acceleration, acceleration) <= -c;
}

BoundaryWater boundary_water(BoundaryKind kind, const OpenBoundary::Value& value, double bed, double depth,
                             double u, double acceleration) {
  const double a = acceleration;
  const Water inside = {depth, u};
  Water water = inside;
  if (kind == BoundaryKind::discharge) {
    const Water limit = with_max_flux(inside, a);
    const double discharge = std::max(value.value, -limit.depth * limit.u);
    water = with_flux(inside, discharge, a);
    return {water.depth, water.u, -discharge, discharge - value.value};
  }
  if (kind == BoundaryKind::inflow) {
    water = with_outside(inside, {value.value, -value.speed}, a);
  } else if (kind == BoundaryKind::level) {
    water = with_depth(inside, std::max(0.0, value.value + bed), a);
  } else if (const double c = celerity(depth, a);
             u < c || depth <= 0) {  // u − 2c comes from still water outside
    const double between = 0.25 * (u + 2 * c) + 0.5 * celerity(bed, a);
    water = with_depth(inside, between > 0 ? between * between / a : 0, a);
  }
  return {water.depth, water.u, water.u * water.depth, 0};
}

BoundaryFlux boundary_flux(BoundaryKind kind, const OpenBoundary::Value& value, double bed, double depth,
                           double u, double w, double acceleration) {
  const double a = acceleration;
  const BoundaryWater water = boundary_water(kind, value, bed, depth, u, a);
  const double flux = water.flux;
  const double along = flux > 0 ? w : kind == BoundaryKind::inflow ? -value.tangential : 0;
  return {flux, flux * water.velocity + 0.5 * a * water.depth * water.depth, flux * along,
          std::abs(water.velocity) + celerity(water.depth, a), water.lacking};
}

}  // namespace shoal
