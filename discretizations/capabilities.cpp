#include "discretizations/capabilities.hpp"

namespace shoal {

void MovesWithSurface::to_circulation(const Points& surface_velocity, State& state) const {
  if (surface_velocity.size()) add_surface_velocity(surface_velocity, 1, state);
  lower(state);
}

void MovesWithSurface::to_velocity(const Points& surface_velocity, State& state) const {
  raise(state);
  if (surface_velocity.size()) add_surface_velocity(surface_velocity, -1, state);
}

}  // namespace shoal
