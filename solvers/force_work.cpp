// Work as the difference of two sets of rates.
#include "solvers/force_work.hpp"

namespace shoal {

ForceWork::ForceWork(const DiscretizationEntry& scheme, const RightSide& right_side, Terms terms,
                     double gravity)
    : right_side_(right_side),
      // Advection and rotation do no work; they only transfer energy between terms.
      terms_(terms.without(Term::advection | Term::coriolis | Term::source) | Term::gravity |
             scheme.inseparable),
      waves_(Terms(Term::gravity) | scheme.inseparable),
      advection_(terms & (Term::advection | Term::coriolis)),
      gravity_{Vector::Constant(right_side.mesh().vertex_count, -gravity), gravity},
      under_gravity_(right_side.under({})),
      of_motion_(right_side.under({})) {
  refresh();
}

void ForceWork::end_step(const State& state, double dt, double place, WorkSums& sums) {
  Block volume = before_[right_side_.volume()];
  volume_ = (1 - place) * volume + place * state[right_side_.volume()];
  before_.q = 0.5 * (before_.q + state.q);
  if (place != 0.5) volume = volume_;
  add(before_, dt, sums);
}

void ForceWork::add(const State& state, double dt, WorkSums& sums) {
  const Forces& forces = right_side_.forces();
  mean_ = state;
  begin_rates();
  // On a moving mesh, parts of the advection do work: those due to the strain of the mesh.
  const Terms advection = forces.moves ? advection_ : Terms();
  under_gravity_.forces().open_boundary = forces.open_boundary;
  // Both must close the same sites; otherwise the difference would contain work of the pressure there.
  under_gravity_.forces().shore = &forces;
  add_inner_rates(right_side_, terms_ | advection, 1);
  add_inner_rates(under_gravity_, waves_ | advection.without(Term::coriolis), -1);
  sums.total += dt * power();
  if (terms_.has(Term::friction))
    sums.friction -= 2 * dt * forces.friction * right_side_.kinetic_energy(mean_);
  if (!forces.moves || forces.surface_force.size() == 0) return;
  right_side_.offered<MovesWithSurface>()->separate_motion(forces, under_gravity_.forces(),
                                                           of_motion_.forces());
  of_motion_.forces().shore = &forces;
  begin_rates();
  add_inner_rates(of_motion_, terms_.without(Term::friction) | advection, 1);
  add_inner_rates(under_gravity_, waves_ | advection.without(Term::coriolis), -1);
  sums.surface += dt * power();
}

void ForceWork::begin_rates() {
  rates_.q.setZero(mean_.q.size());
  through_openings_ = 0;
}

/// Subtracts fluxes through open boundaries, which are not work of forces: they replace the pressure of the
/// water outside. The power of head and vorticity at openings is likewise recorded with the entering water.
void ForceWork::add_inner_rates(const RightSide& right_side, Terms terms, double scale) {
  right_side.add(mean_, terms, scale, rates_);
  const OpenBoundary& open = right_side.forces().open_boundary;
  if (!open.flux_sets.empty()) right_side.add_boundary_rates(mean_, -scale, rates_);
  if (open.any()) through_openings_ += scale * right_side.opening_power(mean_, terms);
}

double ForceWork::power() {
  Block velocity = mean_[right_side_.velocity()];
  const Block rate = rates_[right_side_.velocity()];
  velocity_ = velocity;
  velocity = velocity_ + rate;
  const double with = right_side_.kinetic_energy(mean_);
  velocity = velocity_ - rate;
  const double without = right_side_.kinetic_energy(mean_);
  velocity = velocity_;
  return 0.5 * (with - without) - through_openings_;
}

}  // namespace shoal
