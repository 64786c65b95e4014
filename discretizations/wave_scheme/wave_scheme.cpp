// Rates and forces of the schemes with adjoint operators.
#include "discretizations/wave_scheme/wave_scheme.hpp"

#include "discretizations/common/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

void WaveScheme::add_rates(const State& state, const Forces& forces, Terms terms, double scale,
                           State& rate) const {
  add_depth_rate(state, forces, terms, scale, rate);
  add_velocity_rate(state, forces, terms, scale, rate[velocity()]);
}

/// What crosses the boundary is measured before `rate`, which may be the state, changes.
void WaveScheme::add_depth_rate(const State& state, const Forces& forces, Terms terms, double scale,
                                State& rate) const {
  Block volume_rate = rate[volume()];
  const bool has_source = terms.has(Term::source) && forces.has_inflow;
  if (has_source) measure_discharges(state[volume()], forces);
  discharges_measured_ = has_source;
  if (terms.has(Term::gravity)) {
    const Array<OpenBoundary::Place>& places = forces.open_boundary.places;
    if (forces.open_boundary.flux_sets.empty()) {
      add_flux(state, forces, scale, volume_rate);
    } else {
      interior_inflow_.resize(places.size());
      for (Index i = 0; i < places.size(); ++i) interior_inflow_[i] = -volume_rate[places[i].at];
      measure_open_places(state, forces);
      add_flux(state, forces, scale, volume_rate);
      for (Index i = 0; i < places.size(); ++i) interior_inflow_[i] += volume_rate[places[i].at];
      find_supercritical(state, forces, scale);
      add_open_flux(forces, scale, rate);
    }
  }
  if (!has_source) return;
  add_inflow(state[volume()], forces, scale, rate);
  discharges_measured_ = false;
}

void WaveScheme::add_terms(const State& state, const Forces& forces, Terms terms, double scale,
                           VectorOut rate) const {
  if (terms.has(Term::gravity)) {
    pressure(state[volume()], forces, pressure_);
    if (has_shore_) shore_weight_ = opening_.cwiseProduct(forces.site_root_acceleration);
    add_gradient(pressure_, -scale, has_shore_ ? shore_weight_ : forces.site_root_acceleration, rate);
    if (forces.has_force && (terms.has(Term::force) || !forces.has_body_force)) {
      add_force(forces.force, scale, rate);
    } else if (forces.has_force) {
      add_force(forces.force, scale, rate);
      add_force(forces.body_force, -scale, rate);
    }
  } else if (terms.has(Term::force) && forces.has_body_force) {
    add_force(forces.body_force, scale, rate);
  }
  if (terms.has(Term::advection)) find_films(state, forces);
  if (terms.has(Term::advection) || (terms.has(Term::coriolis) && forces.rotates))
    add_rotation(state, forces, terms, scale, rate);
  if (terms.has(Term::friction) && forces.friction > 0) rate -= scale * forces.friction * state[velocity()];
  if (terms.has(Term::source) && forces.has_own_velocity) add_mixing(state, forces, scale, rate);
}

/// u_t = r (w − u)/η̄ of an inflow r with the velocity w, so that η̄u gains r w. In next to no water w at once.
void WaveScheme::add_mixing(const State& state, const Forces& forces, double scale, VectorOut rate) const {
  site_depth(state[volume()], site_depth_);
  const ConstBlock flow = state[velocity()];
  for (Index i = 0; i < flow.size(); ++i) {
    const double depth = site_depth_[i % sites()], inflow = forces.own_inflow[i];
    if (inflow <= 0) continue;
    const double mixing = inflow < forces.steps_per_second * depth ? inflow / depth : forces.steps_per_second;
    if (std::isfinite(mixing)) rate[i] += scale * mixing * (forces.own_velocity[i] - flow[i]);
  }
}

void WaveScheme::inflow_at_velocity(const Vector& inflow, Vector& at_velocity) const {
  inflow_depth_ = inflow.cwiseProduct(inverse_area_);
  site_mean(inflow_depth_, site_inflow_);
  at_velocity = site_inflow_.replicate(velocity().size / sites(), 1);
}

double WaveScheme::stable_dt(const State& state, const Forces& forces, Terms terms) const {
  const double emptying = terms.has(Term::gravity) ? emptying_rate(state) : 0;
  return std::min(stable_dt_of_terms(state, forces, terms), 1 / emptying);
}

namespace {

/// Of values on triangles or on cells of triangles.
Range own_faces(const Mesh& mesh, const Vector& values) {
  return mesh.part ? own(mesh, Location::face) : Range{0, static_cast<Index>(values.size())};
}

}  // namespace

double WaveScheme::stable_dt_of_terms(const State& state, const Forces& forces, Terms terms) const {
  const bool advects = terms.has(Term::advection), turns = terms.has(Term::coriolis) && forces.rotates;
  const double friction = terms.has(Term::friction) ? forces.friction : 0;
  const bool open = terms.has(Term::gravity) &&
                    !(forces.open_boundary.flux_sets.empty() && forces.open_boundary.source_sets.empty());
  if (terms.has(Term::gravity) && !advects && !turns && friction == 0 && !open)
    return stable_wave_dt(state, forces);
  const bool fast = terms.has(Term::gravity) && fills(state, forces);
  double frequency = terms.has(Term::gravity) ? 2 / stable_wave_dt(fast ? filled_ : state, forces) : 0;
  if (fast && advects) frequency *= 2;  // as u = c there
  if (open) frequency += boundary_frequency(state, forces);
  if (advects) frequency += advection_frequency(state);
  if (turns) frequency += max(mesh_, own_faces(mesh_, forces.coriolis), forces.coriolis.cwiseAbs());
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
    if (value < 0) value = 0;  // NaN is kept
}

std::vector<ClampCount> WaveScheme::clamp_counts(const State& state, const Forces& forces) const {
  std::vector<ClampCount> counts = Discretization::clamp_counts(state, forces);
  const bool has_shore = find_shore(state);
  site_mean(cell_depth_, site_depth_);
  counts.push_back({"clamped_depths", static_cast<Index>((site_depth_.array() < 0).count())});
  counts.push_back({"dry_sites", closed_sites_.size(), false});
  if (dry().closed) counts.push_back({"film_sites", has_shore ? count_films(state, forces) : 0, false});
  count_critical(forces.open_boundary.sources, counts, [&](const OpenBoundary::Place& place) {
    const double depth = cell_depth_[place.at], root = forces.root_acceleration[place.at];
    const double flux = forces.open_boundary.value[place.set].value;
    return flux > 0 && !(flux < depth * root * std::sqrt(std::max(depth, 0.0)));
  });
  return counts;
}

void WaveScheme::measure_vertex_normals() const {
  if (on_boundary_.size() == 0) {
    on_boundary_ = Array<Index>(mesh_.vertex_count, 0);
    for (Index e = 0; e < mesh_.edge_count(); ++e)
      for (int end = 0; end < 2 && mesh_.is_wall(e); ++end) on_boundary_[mesh_.edges(end, e)] = 1;
  }
  vertex_normals(mesh_, geometry_, vertex_normals_);
}

double WaveScheme::coriolis_of(const Mesh& mesh, Index face, const Vector3& normal,
                               const Vector3& rotation) const {
  Vector3 sum = Vector3::Zero();
  for (int c = 0; c < 3; ++c) {
    const Index i = mesh.faces(c, face);
    if (on_boundary_[i]) return 2 * rotation.dot(normal);
    sum += vertex_normals_.col(i);
  }
  return 2.0 / 3 * rotation.dot(sum);
}

void WaveScheme::derive_forces(const Vector& normal_acceleration, const Forcing& forcing,
                               Forces& forces) const {
  if (forces.rotates) derive_coriolis(forcing.rotation, forces.coriolis);
  const double first = max(mesh_, Location::vertex, normal_acceleration);
  if (forces.has_body_force) split_body_acceleration(forcing.body_acceleration, forces.body_force);
  if (forces.moves) {
    if (!forces.has_body_force) forces.body_force.setZero(velocity().size);
    forces.has_body_force = true;
    forces.surface_force = -forces.body_force;
    add_surface_motion(forcing.surface_velocity, forces);
    if (!forcing.rotation.isZero(0)) {
      coriolis_of_mesh(forcing, mesh_acceleration_);
      split_body_acceleration(mesh_acceleration_, mesh_force_);
      forces.body_force += mesh_force_;
    }
    forces.surface_force += forces.body_force;
  }
  forces.has_force = forces.has_body_force;
  if (forces.has_body_force) forces.force = forces.body_force;
  if (all(mesh_, (normal_acceleration.array() == first)
                     .all())) {  // the same root everywhere, to the last bit: rest is exact
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
