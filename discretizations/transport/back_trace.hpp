// Traces back in time along a velocity given per triangle, across edges and along the surface (Angst 2007, §5.2.1).
#pragma once

#include "discretizations/transport/tangent_frames.hpp"

#include <algorithm>
#include <limits>

namespace shoal {

/// The velocity that a trace follows: that of each triangle it crosses (Angst 2007); that of its starting point, rotated
/// across edges (Shi & Yu 2004), which gives a straight line on the unfolded surface; or such a line with the velocity at the
/// midpoint of a first one, which takes two traces instead of one call of trace_back.
enum class TraceVelocity { of_each_triangle, of_the_start, of_the_middle };

/// The end of a trace, and the rotation of vectors between its end and its start.
struct TracedPoint {
  Index face = 0;
  std::array<double, 3> weight{};  ///< barycentric
  Tangent turn = 1;                ///< over all crossed edges
  bool mirrored = false;           ///< an odd number of reflections at walls
  int crossings = 0;

  /// A vector at the end, in the frame of the start.
  Tangent carried(Tangent at_end) const {
    return mirrored ? turn * std::conj(at_end) : std::conj(turn) * at_end;
  }
  /// The inverse: a vector at the start, in the frame of the end.
  Tangent brought(Tangent at_start) const { return mirrored ? turn * std::conj(at_start) : turn * at_start; }
};

/// A visitor that ignores the parts of a trace.
struct NoVisit {
  void operator()(const TracedPoint&, const std::array<double, 3>&, const std::array<double, 3>&) const {}
};

/// A trace that uses less than `min_progress` of its time for this many crossings has reached a vertex to which all
/// velocities around it point.
constexpr int crossings_at_rest = 64;
constexpr double min_progress = 1e-12;
constexpr int max_crossings = 100'000;  // of one trace; beyond it the velocity counts as unbounded

/// Traces from the point of `face` with barycentric coordinates `weight` back by `time` along v = velocity(face), the rates
/// of each triangle. If the velocity of the triangle entered points back across the edge, the trace keeps that of the
/// triangle left, rotated. Walls reflect path and vector. A trace ends early at a vertex to which all velocities around it
/// point. A trace that crosses too many edges ends at NaN, so that the run ends as unstable. visit(point, from, to) is
/// called for each straight part with its weights in point.face, before the trace crosses the edge at its end.
template <TraceVelocity which, class Velocity, class Visit = NoVisit>
TracedPoint trace_back(const TangentFrames& frames, Index face, const std::array<double, 3>& weight,
                       BarycentricRates rates, double time, const Velocity& velocity,
                       const Visit& visit = {}) {
  TracedPoint point{.face = face, .weight = weight};
  auto& w = point.weight;
  const double whole = time;
  double left = time;  // remaining time at the last check of progress
  while (true) {
    const std::array<double, 3> inside = {w[0] - time * rates[0], w[1] - time * rates[1],
                                          w[2] - time * rates[2]};
    if (std::min({inside[0], inside[1], inside[2]}) >= 0) {
      visit(point, w, inside);
      w = inside;
      return point;
    }
    int exit = -1;
    double step = time;
    for (int c = 0; c < 3; ++c) {
      const double until = w[c] / rates[c];
      if (!(rates[c] > 0 && until < step)) continue;
      step = until;
      exit = c;
    }
    const std::array<double, 3> from = w;
    for (int c = 0; c < 3; ++c) w[c] -= step * rates[c];
    visit(point, from, w);
    time -= step;
    if (exit < 0) return point;
    if (++point.crossings > max_crossings) {
      w.fill(std::numeric_limits<double>::quiet_NaN());
      return point;
    }
    if (point.crossings % crossings_at_rest == 0) {
      if (left - time <= min_progress * whole) return point;
      left = time;
    }
    const TangentFrames::Face& here = frames[point.face];
    const Crossing& crossing = here.crossing[exit];
    const auto at = [](int corner) { return corner % 3; };
    const Tangent turn = frames.turn(here, exit);
    if (crossing.face == Mesh::none) {
      w[at(exit)] = 0;
      rates = here.rates(turn * std::conj(here.tangent(rates)));
      point.turn = turn * std::conj(point.turn);
      point.mirrored = !point.mirrored;
      continue;
    }
    std::array<double, 3> entered{};
    entered[at(crossing.corner + 1)] = w[at(exit + 2)];
    entered[at(crossing.corner + 2)] = w[at(exit + 1)];
    w = entered;
    const Tangent kept = turn * here.tangent(rates);
    point.face = crossing.face;
    point.turn *= turn;
    if constexpr (which == TraceVelocity::of_each_triangle) {
      rates = velocity(point.face);
      if (rates[crossing.corner] > 0) rates = frames[point.face].rates(kept);
    } else {
      rates = frames[point.face].rates(kept);
    }
  }
}

}  // namespace shoal
