// Limiters for the slopes of the linear reconstruction.
//
//     struct MyLimiter {
//       static constexpr LimitedAt at = LimitedAt::edges;
//       double operator()(double room, double change) const;
//     };
//     LimiterEntry my_limiter() { return describe_limiter<MyLimiter>("my-limiter", "…"); }
//
// and a line in discretizations/limiters/list.def. The factor of a slope is the least over the midpoints of the cell's edges,
// or over its vertices with at = LimitedAt::vertices; change ≥ 0 is the difference from the mean that the slope gives there, and
// room ≥ 0 that of the farthest neighbour's mean in the same direction. Of velocities both are multiplied by |change|, so that
// only their ratio counts. Write conditions as `a < b ? a : b`, so that the loop over cells is vectorised.
#pragma once

#include "discretizations/common/list.hpp"
#include "discretizations/reconstructions/linear.hpp"

namespace shoal {

/// The largest factor with which a change stays within the room.
struct WithinRoom {
  double operator()(double room, double change) const { return change > room ? room / change : 1; }
};

/// One row of the list of limiters.
struct LimiterEntry {
  std::string name, summary;
  LimitedAt at;
  void (*extend)(const LinearReconstruction& slopes, const CellMeans& means,
                 const Array<OpenBoundary::Place>& open, Traces& traces);
};

template <class Limiter>
LimiterEntry describe_limiter(std::string name, std::string summary) {
  return {
      std::move(name), std::move(summary), Limiter::at,
      [](const LinearReconstruction& slopes, const CellMeans& means, const Array<OpenBoundary::Place>& open,
         Traces& traces) { slopes.extend(Limiter(), means, open, traces); }};
}

/// The limiters, the default first.
const List<LimiterEntry>& limiters();

}  // namespace shoal
