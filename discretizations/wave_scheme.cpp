// Rates and forces of the schemes with adjoint operators.
#include "discretizations/wave_scheme.hpp"

#include "discretizations/common/parallel.hpp"

namespace shoal {

void WaveScheme::add_rates(const State& state, const Forces& forces, Terms terms, double scale,
                           State& rate) const {
  add_depth_rate(state, forces, terms, scale, rate[volume()]);
  add_velocity_rate(state, forces, terms, scale, rate[velocity()]);
}

void WaveScheme::add_depth_rate(const State& state, const Forces& forces, Terms terms, double scale,
                                VectorOut rate) const {
  if (terms.has(Term::gravity)) add_mass_flux(state, scale, rate);
  if (terms.has(Term::source) && forces.has_inflow) rate += scale * forces.inflow;
}

void WaveScheme::add_velocity_rate(const State& state, const Forces& forces, Terms terms, double scale,
                                   VectorOut rate) const {
  if (terms.has(Term::gravity)) {
    pressure(state[volume()], forces, pressure_);
    add_gradient(pressure_, -scale, forces.site_root_acceleration, rate);
    if (forces.has_force && (terms.has(Term::force) || !forces.has_body_force))
      rate += scale * forces.force;
    else if (forces.has_force)
      rate += scale * (forces.force - forces.body_force);
  } else if (terms.has(Term::force) && forces.has_body_force) {
    rate += scale * forces.body_force;
  }
  if (terms.has(Term::advection) || (terms.has(Term::coriolis) && forces.rotates))
    add_rotation(state, forces, terms, scale, rate);
  if (terms.has(Term::friction) && forces.friction > 0) rate -= scale * forces.friction * state[velocity()];
}

double WaveScheme::stable_dt(const State& state, const Forces& forces, Terms terms) const {
  const bool advects = terms.has(Term::advection), turns = terms.has(Term::coriolis) && forces.rotates;
  const double friction = terms.has(Term::friction) ? forces.friction : 0;
  if (terms.has(Term::gravity) && !advects && !turns && friction == 0) return stable_wave_dt(state, forces);
  double frequency = terms.has(Term::gravity) ? 2 / stable_wave_dt(state, forces) : 0;
  if (advects) frequency += advection_frequency(state);
  if (turns) frequency += forces.coriolis.cwiseAbs().maxCoeff();
  frequency += friction;
  return 2 / frequency;
}

void WaveScheme::compute_cell_depth(VectorIn volume) const {
  cell_depth_.resize(volume.size());
  const double* __restrict v = volume.data();
  const double* __restrict inverse_area = inverse_area_.data();
  double* __restrict depth = cell_depth_.data();
  parallel_for(cells_.count(), [=](Index begin, Index end) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) depth[i] = v[i] * inverse_area[i];
  });
}

void WaveScheme::pressure(VectorIn volume, const Forces& forces, Vector& p) const {
  p.resize(volume.size());
  const double *__restrict v = volume.data(), *__restrict inverse_area = inverse_area_.data(),
                           *__restrict bed = cells_.bed.data(),
                           *__restrict root = forces.root_acceleration.data();
  double* __restrict value = p.data();
  parallel_for(cells_.count(), [=](Index begin, Index end) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) value[i] = root[i] * (v[i] * inverse_area[i] - bed[i]);
  });
}

void WaveScheme::site_depth(VectorIn volume, Vector& depth) const {
  compute_cell_depth(volume);
  site_mean(cell_depth_, depth);
  for (double& value : depth)
    if (value < 0) value = 0;  // a NaN stays one
}

std::vector<ClampCount> WaveScheme::clamp_counts(const State& state, const Forces& forces) const {
  std::vector<ClampCount> counts = Discretization::clamp_counts(state, forces);
  compute_cell_depth(state[volume()]);
  site_mean(cell_depth_, site_depth_);
  counts.push_back({"clamped_depths", static_cast<Index>((site_depth_.array() < 0).count())});
  return counts;
}

void WaveScheme::derive_forces(const Vector& normal_acceleration, const Forcing& forcing,
                               Forces& forces) const {
  if (forces.rotates) derive_coriolis(forcing.rotation, forces.coriolis);
  const double first = normal_acceleration[0];
  forces.has_force = forces.has_body_force;
  if (forces.has_body_force) {
    split_body_acceleration(forcing.body_acceleration, forces.body_force);
    forces.force = forces.body_force;
  }
  if ((normal_acceleration.array() == first)
          .all()) {  // the same root everywhere, to the last bit: rest is exact
    forces.root_acceleration.setConstant(cells_.count(), std::sqrt(-first));
    forces.site_root_acceleration.setConstant(sites(), std::sqrt(-first));
    return;
  }
  Vector& root = forces.root_acceleration;
  cell_acceleration(normal_acceleration, root);
  root = (-root.array()).sqrt();
  site_mean(root, forces.site_root_acceleration);
  // b = −s (G(√|a| H) − s G H)
  weighted_bed_ = root.cwiseProduct(cells_.bed);
  squared_ = forces.site_root_acceleration.cwiseAbs2();
  if (!forces.has_force) forces.force.setZero(velocity().size);
  forces.has_force = true;
  add_gradient(weighted_bed_, -1, forces.site_root_acceleration, forces.force);
  add_gradient(cells_.bed, 1, squared_, forces.force);
}

}  // namespace shoal
