// Work by the difference of two sets of rates.
#include "solvers/force_work.hpp"

namespace shoal {

ForceWork::ForceWork(const DiscretizationEntry& scheme, const Discretization& discretization, Terms terms,
                     double gravity)
    : discretization_(discretization),
      // Advection and rotation do no work; they only exchange energy between terms.
      terms_(terms.without(Term::advection | Term::coriolis | Term::source) | Term::gravity |
             scheme.inseparable),
      waves_(Terms(Term::gravity) | scheme.inseparable),
      advection_(terms & (Term::advection | Term::coriolis)),
      gravity_{Vector::Constant(discretization.mesh().vertex_count, -gravity), gravity} {
  refresh();
}

void ForceWork::end_step(const Forces& forces, const State& state, double dt) {
  before_.q = 0.5 * (before_.q + state.q);
  add(forces, before_, dt);
}

void ForceWork::add(const Forces& forces, const State& state, double dt) {
  mean_ = state;
  rates_.q.setZero(mean_.q.size());
  // On a mesh that moves advection has parts that do work: those of the mesh's own strain in its head.
  const Terms advection = forces.moves ? advection_ : Terms();
  discretization_.add_rates(mean_, forces, terms_ | advection, 1, rates_);
  discretization_.add_rates(mean_, under_gravity_, waves_ | advection.without(Term::coriolis), -1, rates_);
  Block velocity = mean_[discretization_.velocity()], rate = rates_[discretization_.velocity()];
  velocity_ = velocity;
  velocity = velocity_ + rate;
  const double with = discretization_.kinetic_energy(mean_);
  velocity = velocity_ - rate;
  total_ += 0.5 * dt * (with - discretization_.kinetic_energy(mean_));
}

}  // namespace shoal
