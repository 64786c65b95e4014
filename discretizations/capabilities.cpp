#include "discretizations/capabilities.hpp"

namespace shoal {

void MovesWithSurface::to_circulation(const Points& surface_velocity, State& state, Scratch& scratch) const {
  if (surface_velocity.size()) add_surface_velocity(surface_velocity, 1, state, scratch);
  lower(state);
}

void MovesWithSurface::to_velocity(const Points& surface_velocity, State& state, Scratch& scratch) const {
  raise(state);
  if (surface_velocity.size()) add_surface_velocity(surface_velocity, -1, state, scratch);
}

void MovesWithSurface::separate_motion(const Forces& forces, const Forces& under_gravity,
                                       Forces& of_motion) const {
  if (!of_motion.own) of_motion.own = under_gravity.own;
  of_motion.moves = of_motion.rotates = of_motion.has_body_force = true;
  of_motion.body_force = of_motion.surface_force = forces.surface_force;
  of_motion.rotation = forces.rotation;
  of_motion.coriolis = forces.coriolis;
  of_motion.open_boundary = forces.open_boundary;
}

}  // namespace shoal
