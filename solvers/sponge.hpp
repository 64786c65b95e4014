// Absorbing layers before walls: the water relaxes towards still water outside. With d the distance from the boundary, W the width
// of the layer and L the level of the water outside,
//
//     h_t = … + σ (L − h),    u_t = … − σ u,    σ(x) = σ₀ (1 − d/W)² for d < W, else 0,
//
// where u is the scheme's own unknown of the velocity. A wave of speed c that crosses the layer, is reflected by the wall and comes
// back has lost the factor e^(−2σ₀W/3c) (Israeli & Orszag 1981, doi:10.1016/0021-9991(81)90082-6). Where the bed is above the level,
// the layer becomes dry.
#pragma once

#include "discretizations/discretization.hpp"

namespace shoal {

/// The sponges of all boundaries under one scheme. A condition "SET = sponge W σ₀ [L]" is a wall with the values W, σ₀ and L in the
/// order of BoundaryCondition; other walls have none. Distances are straight lines between the positions that it is made with; the
/// layer moves with the mesh.
class Sponge {
 public:
  static bool is_at(const BoundaryCondition& condition) {
    return condition.kind == BoundaryKind::wall &&
           !(condition.value.constant() && condition.value.at(0) == 0);
  }
  static bool is_in(const BoundaryConditions& conditions);
  /// Null if no condition is a sponge. `x`: [3, nV] positions of the vertices.
  static std::shared_ptr<Sponge> make(const BoundaryConditions& conditions, const Discretization& scheme,
                                      const Points& x);

  /// Advances volumes and velocity over [time, time + dt], exactly for the mean of L over it. Returns what it has added, [cells] m³.
  const Vector& apply(const BoundaryConditions& conditions, double time, double dt,
                      const Discretization& scheme, State& state);

 private:
  struct Layer {
    std::size_t condition;
    Vector at_cells, at_velocity;  // σ [cells], [entries of the velocity], 1/s
  };
  std::vector<Layer> layers_;
  Vector added_;
};

}  // namespace shoal
