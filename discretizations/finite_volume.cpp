#include "discretizations/finite_volume.hpp"

namespace shoal {

void FiniteVolume::compute_fluxes(const Forces& forces) const {
  compute_inner_fluxes(forces);
  for (Index e = inner_edges_; e < mesh_.edge_count(); ++e) {
    const EdgeState water = state_left(e);
    set_wall_loss(e, length_[e] * edge_flux(water, water.mirrored(), forces.edge_acceleration[e]).momentum);
  }
}

void FiniteVolume::compute_speeds(const Forces& forces) const {
  speed_.setZero(cells_.count());
  compute_inner_speeds(forces);
  for (Index e = inner_edges_; e < mesh_.edge_count(); ++e) {
    const EdgeState water = state_left(e);
    speed_[left_[e]] += length_[e] * edge_speed(water, water.mirrored(), forces.edge_acceleration[e]);
  }
}

}  // namespace shoal
