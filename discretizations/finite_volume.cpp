#include "discretizations/finite_volume.hpp"

namespace shoal {

void FiniteVolume::compute_fluxes(const FaceWater& water, const Forces& forces, EdgeLosses& losses) const {
  const Vector& a = edge_acceleration(forces);
  compute_inner_fluxes(water, a, losses);
  for (Index e = inner_edges_; e < mesh_.edge_count(); ++e) {
    const EdgeState inside = state_left(water, e);
    set_wall_loss(e, length_[e] * edge_flux(inside, inside.mirrored(), a[e]).momentum, losses);
  }
}

void FiniteVolume::compute_speeds(const FaceWater& water, const Forces& forces, Vector& speed) const {
  const Vector& a = edge_acceleration(forces);
  speed.setZero(cells_.count());
  compute_inner_speeds(water, a, speed);
  for (Index e = inner_edges_; e < mesh_.edge_count(); ++e) {
    const EdgeState inside = state_left(water, e);
    speed[left_[e]] += length_[e] * edge_speed(inside, inside.mirrored(), a[e]);
  }
}

}  // namespace shoal
