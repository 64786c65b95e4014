// Work by the difference of two sets of rates.
#include "solvers/force_work.hpp"

namespace shoal {

ForceWork::ForceWork(const DiscretizationEntry& scheme, const Mesh& mesh, const Geometry& geometry,
                     const ScalarField& bed_depth, const Parameters& parameters, double gravity)
    : under_gravity_(scheme.make(mesh, geometry, bed_depth, parameters)),
      gravity_{Vector::Constant(mesh.vertex_count, -gravity), gravity} {
  under_gravity_->set_forcing(gravity_);
}

void ForceWork::refresh() {
  under_gravity_->refresh(none_);
  under_gravity_->set_forcing(gravity_);
}

void ForceWork::end_step(const Discretization& discretization, const State& state, double dt) {
  mean_.volume = 0.5 * (before_.volume + state.volume);
  mean_.flow = 0.5 * (before_.flow + state.flow);
  rates_.volume.setZero(mean_.volume.size());
  rates_.flow.setZero(mean_.flow.size());
  discretization.add_rates(mean_, 1, rates_);
  under_gravity_->add_rates(mean_, -1, rates_);
  flow_ = mean_.flow;
  mean_.flow = flow_ + rates_.flow;
  const double with = discretization.kinetic_energy(mean_);
  mean_.flow = flow_ - rates_.flow;
  total_ += 0.5 * dt * (with - discretization.kinetic_energy(mean_));
}

}  // namespace shoal
