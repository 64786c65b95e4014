// Rates and forces of the schemes with adjoint gradient and divergence.
#include "discretizations/wave_scheme/wave_scheme.hpp"

#include "discretizations/common/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace shoal {

WaveScheme::WaveScheme(const Mesh& mesh, const Geometry& geometry, const Parameters& parameters)
    : Discretization(mesh, geometry, parameters), on_boundary_(mesh.vertex_count, 0) {
  for (Index e = 0; e < mesh.edge_count(); ++e)
    for (int end = 0; end < 2 && mesh.is_wall(e); ++end) on_boundary_[mesh.edges(end, e)] = 1;
}

void WaveScheme::find_boundary_faces(const Mesh& triangles) {
  for (Index k = 0; k < triangles.face_count(); ++k)
    if (on_boundary_[triangles.faces(0, k)] || on_boundary_[triangles.faces(1, k)] ||
        on_boundary_[triangles.faces(2, k)])
      boundary_faces_.push_back(k);
}

void WaveScheme::add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                           Scratch& scratch) const {
  add_depth_rate(state, forces, terms, scale, rate, scratch);
  add_velocity_rate(state, forces, terms, scale, rate[velocity()], scratch);
}

/// `rate` may be the state itself; the boundary fluxes are therefore evaluated before it changes.
void WaveScheme::add_depth_rate(const State& state, const Forces& forces, Terms terms, double scale,
                                State& rate, Scratch& scratch) const {
  WaveScratch& s = of_waves(scratch);
  Block volume_rate = rate[volume()];
  const bool has_source = terms.has(Term::source) && forces.has_inflow;
  if (has_source) lacking_discharge(state[volume()], forces, s.lacking_discharge);
  if (terms.has(Term::gravity)) {
    const Array<OpenBoundary::Place>& places = forces.open_boundary.places;
    if (forces.open_boundary.flux_sets.empty()) {
      add_flux(state, forces, scale, volume_rate, s);
    } else {
      Vector& interior_inflow = s.open.interior_inflow;
      interior_inflow.resize(places.size());
      for (Index i = 0; i < places.size(); ++i) interior_inflow[i] = -volume_rate[places[i].at];
      measure_open_places(state, forces, s.open);
      add_flux(state, forces, scale, volume_rate, s);
      for (Index i = 0; i < places.size(); ++i) interior_inflow[i] += volume_rate[places[i].at];
      find_supercritical(state, forces, scale, s);
      add_open_flux(forces, scale, s.open, rate);
    }
  }
  if (has_source) add_inflow(state[volume()], s.lacking_discharge, forces, scale, rate, s);
}

void WaveScheme::add_terms(const State& state, const Forces& forces, Terms terms, double scale,
                           VectorOut rate, WaveScratch& s) const {
  const Shore& shore = s.shore;
  if (terms.has(Term::gravity)) {
    const WaveForces& waves = WaveForces::of(forces);
    pressure(state[volume()], forces, s.pressure);
    if (shore.found) s.shore_weight = shore.opening.cwiseProduct(waves.site_root_acceleration);
    add_gradient(s.pressure, -scale, shore.found ? s.shore_weight : waves.site_root_acceleration, rate);
    if (waves.has_inertia && shore.found) resist_inertia(waves.inertia, shore, scale, rate);
    if (waves.has_force && (terms.has(Term::force) || !forces.has_body_force)) {
      add_force(waves.force, shore, scale, rate);
    } else if (waves.has_force) {
      add_force(waves.force, shore, scale, rate);
      add_force(forces.body_force, shore, -scale, rate);
    }
  } else if (terms.has(Term::force) && forces.has_body_force) {
    add_force(forces.body_force, shore, scale, rate);
  }
  if (terms.has(Term::advection)) find_films(state, forces, shore, s.films);
  if (terms.has(Term::advection) || (terms.has(Term::coriolis) && forces.rotates))
    add_rotation(state, forces, terms, s.films, scale, rate, s);
  if (terms.has(Term::friction) && forces.friction > 0) rate -= scale * forces.friction * state[velocity()];
  if (terms.has(Term::source) && forces.has_own_velocity) add_mixing(state, forces, scale, rate, s);
}

/// u_t = r (w − u)/η̄ for an inflow r with velocity w, so that η̄u gains r w. Where η̄ is nearly zero, u
/// becomes w within one step.
void WaveScheme::add_mixing(const State& state, const Forces& forces, double scale, VectorOut rate,
                            WaveScratch& s) const {
  site_depth(state[volume()], s.site_depth, s);
  const ConstBlock flow = state[velocity()];
  for (Index i = 0; i < flow.size(); ++i) {
    const double depth = s.site_depth[i % sites()], inflow = forces.own_inflow[i];
    if (inflow <= 0) continue;
    const double mixing = inflow < forces.steps_per_second * depth ? inflow / depth : forces.steps_per_second;
    if (std::isfinite(mixing)) rate[i] += scale * mixing * (forces.own_velocity[i] - flow[i]);
  }
}

BedFriction::SiteFlow WaveScheme::site_flow(const State& state, const Forces& forces,
                                            Scratch& scratch) const {
  WaveScratch& s = of_waves(scratch);
  compute_speed(state, forces, s.speed, s);  // before the depths, as it may use their storage
  site_depth(state[volume()], s.site_depth, s);
  return {s.site_depth, s.speed};
}

void WaveScheme::inflow_at_velocity(const Vector& inflow, Vector& at_velocity, Scratch& scratch) const {
  WaveScratch& s = of_waves(scratch);
  s.inflow_depth = inflow.cwiseProduct(inverse_area_);
  site_mean(s.inflow_depth, s.site_inflow);
  at_velocity = s.site_inflow.replicate(velocity().size / sites(), 1);
}

double WaveScheme::stable_dt(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const {
  WaveScratch& s = of_waves(scratch);
  const double emptying = terms.has(Term::gravity) ? emptying_rate(state, forces, s) : 0;
  return std::min(stable_dt_of_terms(state, forces, terms, s), 1 / emptying);
}

double WaveScheme::stable_dt_of_terms(const State& state, const Forces& forces, Terms terms,
                                      WaveScratch& s) const {
  const bool advects = terms.has(Term::advection), turns = terms.has(Term::coriolis) && forces.rotates;
  const double friction = terms.has(Term::friction) ? forces.friction : 0;
  const bool open = terms.has(Term::gravity) &&
                    !(forces.open_boundary.flux_sets.empty() && forces.open_boundary.source_sets.empty());
  if (terms.has(Term::gravity) && !advects && !turns && friction == 0 && !open)
    return stable_wave_dt(state, forces, s);
  const bool fills = terms.has(Term::gravity) && fill(state, forces, s.filled);
  double frequency = terms.has(Term::gravity) ? 2 / stable_wave_dt(fills ? s.filled : state, forces, s) : 0;
  if (fills && advects) frequency *= 2;  // u = c at a critical inflow
  if (open) frequency += boundary_frequency(state, forces, advects, s);
  if (advects) frequency += advection_frequency(state, s);
  if (turns) {
    const auto size = forces.coriolis.cwiseAbs();  // at cells made of triangles, or at triangles
    frequency +=
        cells_.location == Location::face ? max(mesh_, cells_, size) : max(mesh_, Location::face, size);
  }
  frequency += friction;
  return 2 / frequency;
}

void WaveScheme::compute_cell_depth(VectorIn volume, Vector& cell_depth) const {
  cell_depth.resize(volume.size());
  const double* __restrict v = volume.data();
  const double* __restrict inverse_area = inverse_area_.data();
  double* __restrict depth = cell_depth.data();
  parallel_for(cells_.count(), [=](Index begin, Index end) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) depth[i] = v[i] * inverse_area[i];
  });
}

void WaveScheme::pressure(VectorIn volume, const Forces& forces, Vector& p) const {
  p.resize(volume.size());
  const double *__restrict v = volume.data(), *__restrict inverse_area = inverse_area_.data(),
                           *__restrict bed = cells_.bed.data(),
                           *__restrict root = WaveForces::of(forces).root_acceleration.data();
  double* __restrict value = p.data();
  parallel_for(cells_.count(), [=](Index begin, Index end) {
#pragma omp simd
    for (Index i = begin; i < end; ++i) value[i] = root[i] * (v[i] * inverse_area[i] - bed[i]);
  });
}

void WaveScheme::site_depth(VectorIn volume, Vector& depth, Scratch& scratch) const {
  Vector& cell_depth = of_waves(scratch).cell_depth;
  compute_cell_depth(volume, cell_depth);
  site_mean(cell_depth, depth);
  for (double& value : depth)
    if (value < 0) value = 0;  // keeps NaN
}

Range WaveScheme::own_sites() const {
  return mesh_.part ? own(mesh_, Location::face) : Range{0, sites()};
}

std::vector<ClampCount> WaveScheme::clamp_counts(const State& state, const Forces& forces,
                                                 Scratch& scratch) const {
  std::vector<ClampCount> counts = Discretization::clamp_counts(state, forces, scratch);
  Shore& shore = of_waves(scratch).shore;
  find_shore(state, forces, shore);
  site_mean(shore.cell_depth, shore.mean_depth);
  counts.push_back(
      {"clamped_depths", count(mesh_, own_sites(), [&](Index s) { return shore.mean_depth[s] < 0; })});
  const Range here = own_sites();
  const auto closed = std::ranges::count_if(shore.closed_sites, [&](Index s) { return here.has(s); });
  counts.push_back({"dry_sites", total(mesh_, static_cast<Index>(closed)), false});
  if (dry().closed) counts.push_back({"film_sites", count_films(state, forces, shore), false});
  count_critical(forces.open_boundary.sources, counts, [&](const OpenBoundary::Place& place) {
    const double depth = shore.cell_depth[place.at],
                 root = WaveForces::of(forces).root_acceleration[place.at];
    const double flux = forces.open_boundary.value[place.set].value;
    return flux > 0 && !(flux < depth * root * std::sqrt(std::max(depth, 0.0)));
  });
  return counts;
}

double WaveScheme::coriolis_of(const Mesh& mesh, Index face, const Vector3& normal,
                               const Points& vertex_normals, const Vector3& rotation) const {
  Vector3 sum = Vector3::Zero();
  for (int c = 0; c < 3; ++c) {
    const Index i = mesh.faces(c, face);
    if (on_boundary_[i]) return 2 * rotation.dot(normal);
    sum += vertex_normals.col(i);
  }
  return 2.0 / 3 * rotation.dot(sum);
}

void WaveScheme::derive_forces(const Vector& normal_acceleration, const Forcing& forcing, Forces& forces,
                               Scratch& scratch) const {
  WaveScratch& s = of_waves(scratch);
  WaveForces& own = WaveForces::of(forces);
  if (forces.rotates) derive_coriolis(forcing.rotation, forces, s);
  const double first = max(mesh_, Location::vertex, normal_acceleration);
  own.has_inertia = forces.moves && forcing.surface_acceleration.size();
  if (forces.has_body_force) split_body_acceleration(forcing.body_acceleration, forces.body_force, s);
  if (forces.moves) {
    if (!forces.has_body_force) forces.body_force.setZero(velocity().size);
    forces.has_body_force = true;
    forces.surface_force = -1 * forces.body_force;  // as in inertia.cpp
    add_surface_motion(forcing.surface_velocity, forces, s);
    if (forcing.surface_acceleration.size()) {
      split_body_acceleration(-forcing.surface_acceleration, own.inertia, s);
      own.inertia -= forces.body_force + forces.surface_force;
    }
    if (!forcing.rotation.isZero(0)) {
      coriolis_of_mesh(forcing, s.mesh_acceleration);
      split_body_acceleration(s.mesh_acceleration, s.mesh_force, s);
      forces.body_force += s.mesh_force;
    }
    forces.surface_force += forces.body_force;
  }
  own.has_force = forces.has_body_force;
  if (forces.has_body_force) own.force = forces.body_force;
  // the same root everywhere, bit for bit: a lake at rest stays exactly at rest
  if (max(mesh_, Location::vertex, [&](Index i) { return normal_acceleration[i] != first; }) == 0) {
    own.root_acceleration.setConstant(cells_.count(), std::sqrt(-first));
    own.site_root_acceleration.setConstant(sites(), std::sqrt(-first));
    return;
  }
  Vector& root = own.root_acceleration;
  cell_acceleration(normal_acceleration, root, s);
  root = (-root.array()).sqrt();
  site_mean(root, own.site_root_acceleration);
  // b = −s (G(√|a| H) − s G H)
  s.weighted_bed = root.cwiseProduct(cells_.bed);
  s.squared = own.site_root_acceleration.cwiseAbs2();
  if (!own.has_force) own.force.setZero(velocity().size);
  own.has_force = true;
  add_gradient(s.weighted_bed, -1, own.site_root_acceleration, own.force);
  add_gradient(cells_.bed, 1, s.squared, own.force);
}

void WaveScheme::separate_motion(const Forces& forces, const Forces& under_gravity, Forces& of_motion) const {
  MovesWithSurface::separate_motion(forces, under_gravity, of_motion);
  const WaveForces& gravity = WaveForces::of(under_gravity);
  WaveForces& own = WaveForces::of(of_motion);
  own.root_acceleration = gravity.root_acceleration;
  own.site_root_acceleration = gravity.site_root_acceleration;
  own.has_force = true;
  own.force = forces.surface_force;
}

}  // namespace shoal
