// Work by the difference of two sets of rates.
#include "solvers/force_work.hpp"

namespace shoal {

ForceWork::ForceWork(const DiscretizationEntry& scheme, const Discretization& discretization, Terms terms,
                     double gravity)
    : discretization_(discretization),
      opening_(offered<OpensBoundaries>(discretization)),
      // Advection and rotation do no work; they only exchange energy between terms.
      terms_(terms.without(Term::advection | Term::coriolis | Term::source) | Term::gravity |
             scheme.inseparable),
      waves_(Terms(Term::gravity) | scheme.inseparable),
      advection_(terms & (Term::advection | Term::coriolis)),
      gravity_{Vector::Constant(discretization.mesh().vertex_count, -gravity), gravity} {
  refresh();
}

void ForceWork::end_step(const Forces& forces, const State& state, double dt, double place, WorkSums& sums) {
  Block volume = before_[discretization_.volume()];
  volume_ = (1 - place) * volume + place * state[discretization_.volume()];
  before_.q = 0.5 * (before_.q + state.q);
  if (place != 0.5) volume = volume_;
  add(forces, before_, dt, sums);
}

void ForceWork::add(const Forces& forces, const State& state, double dt, WorkSums& sums) {
  mean_ = state;
  rates_.q.setZero(mean_.q.size());
  // On a mesh that moves advection has parts that do work: those of the mesh's own strain in its head.
  const Terms advection = forces.moves ? advection_ : Terms();
  under_gravity_.open_boundary = forces.open_boundary;
  add_inner_rates(forces, terms_ | advection, 1);
  add_inner_rates(under_gravity_, waves_ | advection.without(Term::coriolis), -1);
  sums.total += dt * power();
  if (terms_.has(Term::friction))
    sums.friction -= 2 * dt * forces.friction * discretization_.kinetic_energy(mean_);
  if (!forces.moves || forces.surface_force.size() == 0) return;
  see_surface(forces);
  rates_.q.setZero();
  add_inner_rates(on_surface_, terms_.without(Term::friction) | advection, 1);
  add_inner_rates(under_gravity_, waves_ | advection.without(Term::coriolis), -1);
  sums.surface += dt * power();
}

/// What comes through open boundaries is no work of forces: there the pressure of the water before them stands in its place.
void ForceWork::add_inner_rates(const Forces& forces, Terms terms, double scale) {
  discretization_.add_rates(mean_, forces, terms, scale, rates_);
  if (!forces.open_boundary.flux_sets.empty()) opening_->add_boundary_rates(mean_, forces, -scale, rates_);
}

double ForceWork::power() {
  Block velocity = mean_[discretization_.velocity()];
  const Block rate = rates_[discretization_.velocity()];
  velocity_ = velocity;
  velocity = velocity_ + rate;
  const double with = discretization_.kinetic_energy(mean_);
  velocity = velocity_ - rate;
  const double without = discretization_.kinetic_energy(mean_);
  velocity = velocity_;
  return 0.5 * (with - without);
}

/// Field by field: those that are empty under gravity alone keep their storage.
void ForceWork::see_surface(const Forces& forces) {
  on_surface_.root_acceleration = under_gravity_.root_acceleration;
  on_surface_.site_root_acceleration = under_gravity_.site_root_acceleration;
  on_surface_.edge_acceleration = under_gravity_.edge_acceleration;
  on_surface_.moves = on_surface_.rotates = on_surface_.has_force = on_surface_.has_body_force = true;
  on_surface_.force = on_surface_.body_force = forces.surface_force;
  on_surface_.coriolis = forces.coriolis;
  on_surface_.open_boundary = forces.open_boundary;
  on_surface_.drift_head = forces.drift_head;
  on_surface_.drift_rotation = forces.drift_rotation;
}

}  // namespace shoal
