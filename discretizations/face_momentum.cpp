#include "discretizations/face_momentum.hpp"

#include "discretizations/common/parallel.hpp"
#include "discretizations/operators/boundary_flux.hpp"
#include "discretizations/operators/p1.hpp"
#include "discretizations/operators/surface_motion.hpp"

#include <cmath>
#include <limits>

namespace shoal {
namespace {

FaceScratch& of_faces(Scratch& scratch) {
  return static_cast<FaceScratch&>(scratch);
}

}  // namespace

Options<FaceMomentumOptions> FaceMomentumOptions::describe() {
  return Options<FaceMomentumOptions>().number(
      "dry_depth", "m", &FaceMomentumOptions::dry_depth, 0, 1e300,
      "below this depth the velocity M/V is zero, and the momentum is set to zero after each step; "
      "bounds the speed of films");
}

FaceMomentum::FaceMomentum(const Mesh& mesh, const Geometry& geometry, const ScalarField& bed_depth,
                           const Parameters& parameters, const FaceMomentumOptions& options)
    : Discretization(mesh, geometry, parameters), options_(options) {
  const Index faces = mesh.face_count();
  cells_.location = Location::face;
  cells_.points.resize(3, faces);
  place_cells();
  set_layout("momentum", "m^4/s", Location::face, 2, faces);
  cells_.bed.resize(faces);
  cells_.of_element.resize(faces);
  for (Index k = 0; k < faces; ++k) {
    cells_.bed[k] = bed_depth(cells_.points.col(k));
    cells_.of_element[k] = k;
  }
  number_edges();
  declare_outputs();
}

void FaceMomentum::declare_outputs() {
  const auto face_area = [this]() -> const Vector& { return geometry_.face_area; };
  add_output({"velocity", "m/s", "v", Location::face, 3,
              [this](const State& state, const Forces&, Values& values, Scratch& scratch) {
                FaceScratch& s = of_faces(scratch);
                compute_primitive(state, s.water);
                compute_face_velocity(s.water, s.face_velocity);
                values = s.face_velocity;
              },
              face_area});
  add_output({"depth_at_faces", "m", "η", Location::face, 1,
              [this](const State& state, const Forces&, Values& values, Scratch&) {
                values = state[volume()].cwiseQuotient(cells_.area).transpose();
              },
              face_area});
  add_vertex_outputs(
      [this](const State& state, Vector& depth, Scratch& scratch) {
        Vector& at_faces = of_faces(scratch).water.depth;
        at_faces = state[volume()].cwiseQuotient(cells_.area);
        average_to_vertices(mesh_, geometry_.face_area, at_faces, depth);
      },
      [this](const State& state, const Forces&, Vector& vorticity, Scratch& scratch) {
        FaceScratch& s = of_faces(scratch);
        compute_primitive(state, s.water);
        compute_face_velocity(s.water, s.face_velocity);
        vorticity_from_faces(mesh_, geometry_, s.face_velocity, vorticity);
      },
      [this]() -> const Vector& { return geometry_.vertex_area; });
}

std::unique_ptr<Scratch> FaceMomentum::make_scratch() const {
  auto s = std::make_unique<FaceScratch>();
  const Index faces = mesh_.face_count(), edges = mesh_.edge_count();
  for (Vector* v : {&s->losses.volume, &s->losses.momentum_1, &s->losses.momentum_2})
    v->setZero(2 * edges + 1);
  for (Vector* v : {&s->water.depth, &s->water.velocity_1, &s->water.velocity_2, &s->speed})
    v->setZero(faces);
  s->speed_excess.setZero(edges);
  return s;
}

void FaceMomentum::place_cells() {
  cells_.area = geometry_.face_area;
  inverse_area_ = geometry_.face_area.cwiseInverse();
  for (Index k = 0; k < mesh_.face_count(); ++k) cells_.points.col(k) = geometry_.centroid(mesh_, k);
  face_frames(mesh_, geometry_, frame_);
}

/// The unknown is V v along the local axes: rotating momentum with the faces leaves its components unchanged;
/// stretching it leaves its barycentric rates unchanged.
void FaceMomentum::refresh(State* carried) {
  std::swap(before_, frame_);
  place_cells();
  measure_edges();
  if (carried_velocity_ != CarriedVelocity::barycentric || !carried) return;
  Block flow = (*carried)[velocity()];
  const Index faces = mesh_.face_count();
  for (Index k = 0; k < faces; ++k) {
    const auto at = k;
    const Tangent momentum = frame_[at].tangent(before_[at].rates({flow[k], flow[faces + k]}));
    flow[k] = momentum.real();
    flow[faces + k] = momentum.imag();
  }
}

void FaceMomentum::lower(State& state) const {
  const Index faces = mesh_.face_count();
  double *m1 = state[velocity()].data(), *m2 = m1 + faces;
  for (Index k = 0; k < faces; ++k) {
    const Tangent pair = frame_[k].lowered({m1[k], m2[k]});
    m1[k] = pair.real();
    m2[k] = pair.imag();
  }
}

void FaceMomentum::raise(State& state) const {
  const Index faces = mesh_.face_count();
  double *m1 = state[velocity()].data(), *m2 = m1 + faces;
  for (Index k = 0; k < faces; ++k) {
    const Tangent momentum = frame_[k].raised({m1[k], m2[k]});
    m1[k] = momentum.real();
    m2[k] = momentum.imag();
  }
}

void FaceMomentum::add_surface_velocity(const Points& surface_velocity, double scale, State& state,
                                        Scratch& /*scratch*/) const {
  const Index faces = mesh_.face_count();
  const ConstBlock volumes = std::as_const(state)[volume()];
  Block momentum = state[velocity()];
  for (Index k = 0; k < faces; ++k) {
    const Vector3 v = scale * volumes[k] * face_velocity(mesh_, k, surface_velocity);
    momentum[k] += v.dot(axis(0, k));
    momentum[faces + k] += v.dot(axis(1, k));
  }
}

Vector3 FaceMomentum::axis(int which, Index face) const {
  const Vector3 first = (geometry_.corner(mesh_, face, 1) - geometry_.corner(mesh_, face, 0)).normalized();
  return which == 0 ? first : Vector3(geometry_.face_normal.col(face)).cross(first);
}

void FaceMomentum::number_edges() {
  const Index edges = mesh_.edge_count(), faces = mesh_.face_count();
  for (const bool walls : {false, true})
    for (Index e = 0; e < edges; ++e)
      if (mesh_.is_wall(e) == walls) edge_.push_back(e);
  place_of_edge_.resize(edges);
  for (Vector* v : {&length_, &normal_left_1_, &normal_left_2_, &normal_right_1_, &normal_right_2_})
    v->setZero(edges);
  for (Index i = 0; i < edges; ++i) {
    const Index e = edge_[i];
    place_of_edge_[e] = i;
    left_.push_back(mesh_.edge_faces(0, e));
    right_.push_back(mesh_.edge_faces(1, e));
    if (!mesh_.is_wall(e)) ++inner_edges_;
  }
  Array<Index> start, slots;
  for (Index k = 0; k <= faces; ++k) start.push_back(3 * k);
  for (Index k = 0; k < faces; ++k)
    for (int c = 0; c < 3; ++c) {
      const Index e = mesh_.face_edges(c, k);
      slots.push_back(place_of_edge_[e] + (mesh_.edge_faces(0, e) == k ? 0 : edges));
    }
  face_sum_ = GatherSum<3>(start, slots, 2 * edges);
  measure_edges();
}

/// Computes edge lengths, and edge normals in the frames of both sides.
void FaceMomentum::measure_edges() {
  for (Index i = 0; i < mesh_.edge_count(); ++i) {
    const Index e = edge_[i];
    const Vector3 along = geometry_.edge_vector(mesh_, e);
    length_[i] = along.norm();
    const auto normal_in = [&](Index face, int which) {
      return along.cross(Vector3(geometry_.face_normal.col(face))).dot(axis(which, face)) / length_[i];
    };
    const Index left = left_[i], right = right_[i];
    normal_left_1_[i] = normal_in(left, 0);
    normal_left_2_[i] = normal_in(left, 1);
    if (mesh_.is_wall(e)) continue;
    normal_right_1_[i] = normal_in(right, 0);
    normal_right_2_[i] = normal_in(right, 1);
  }
}

void FaceMomentum::derive_forces(const Vector& normal_acceleration, const Forcing& forcing, Forces& forces,
                                 Scratch& scratch) const {
  FaceScratch& s = of_faces(scratch);
  Vector& acceleration = forces.own.as<FaceForces>().edge_acceleration;
  acceleration.resize(mesh_.edge_count());
  for (Index i = 0; i < mesh_.edge_count(); ++i) {
    const Index e = edge_[i];
    acceleration[i] =
        -0.5 * (normal_acceleration[mesh_.edges(0, e)] + normal_acceleration[mesh_.edges(1, e)]);
  }
  if (forces.has_body_force) split_body_acceleration(forcing.body_acceleration, forces.body_force, s);
  if (!forces.rotates) return;
  const Index faces = mesh_.face_count();
  forces.coriolis.resize(faces);
  for (Index k = 0; k < faces; ++k)
    forces.coriolis[k] = 2 * forcing.rotation.dot(geometry_.face_normal.col(k));
  if (!forces.moves) return;
  if (!forces.has_body_force) forces.body_force.setZero(2 * faces);
  forces.has_body_force = true;
  forces.surface_force.resize(2 * faces);
  s.surface_vorticity.resize(faces);
  for (Index k = 0; k < faces; ++k) {
    s.surface_vorticity[k] = face_vorticity(mesh_, geometry_, k, forcing.surface_velocity);
    const Tangent force = centrifugal_force(mesh_, frame_[k], k, forcing.surface_velocity);
    forces.surface_force[k] = force.real();
    forces.surface_force[faces + k] = force.imag();
  }
  if (!forcing.rotation.isZero(0)) {
    coriolis_of_mesh(forcing, s.mesh_acceleration);
    split_body_acceleration(s.mesh_acceleration, s.mesh_force, s);
    forces.surface_force += s.mesh_force;
  }
  forces.body_force += forces.surface_force;
  forces.coriolis += s.surface_vorticity;
  forces.surface_vorticity.setZero(mesh_.vertex_count);
  for (Index k = 0; k < faces; ++k)
    for (int c = 0; c < 3; ++c)
      forces.surface_vorticity[mesh_.faces(c, k)] += geometry_.face_area[k] / 3 * s.surface_vorticity[k];
  forces.surface_vorticity.array() /= geometry_.vertex_area.array();
}

void FaceMomentum::separate_motion(const Forces& forces, const Forces& under_gravity,
                                   Forces& of_motion) const {
  MovesWithSurface::separate_motion(forces, under_gravity, of_motion);
  of_motion.own.as<FaceForces>().edge_acceleration = edge_acceleration(under_gravity);
}

/// body_force [2·nF] = components along both axes of all faces.
void FaceMomentum::split_body_acceleration(const Points& body_acceleration, Vector& body_force,
                                           FaceScratch& s) const {
  const Index faces = mesh_.face_count();
  body_force.resize(2 * faces);
  edge_work(mesh_, geometry_.face_area, geometry_.cotangent, geometry_.x, body_acceleration, s.body_rates);
  for (Index k = 0; k < faces; ++k) {
    const auto edge = [&](int corner) -> Vector3 {
      return geometry_.corner(mesh_, k, corner) - geometry_.corner(mesh_, k, 0);
    };
    const Vector3 body = s.body_rates[k] * edge(1) + s.body_rates[faces + k] * edge(2);
    body_force[k] = body.dot(axis(0, k));
    body_force[faces + k] = body.dot(axis(1, k));
  }
}

State FaceMomentum::project(const Fields& fields) const {
  State state = zero_state(layout());
  Block volumes = state[volume()], momentum = state[velocity()];
  for (Index k = 0; k < cells_.count(); ++k) {
    const Vector3 x = cells_.points.col(k);
    volumes[k] = cells_.area[k] * (fields.depth ? fields.depth(x) : 1.0);
    if (!fields.velocity) continue;
    const Vector3 velocity = fields.velocity(x);
    momentum[k] = volumes[k] * velocity.dot(axis(0, k));
    momentum[cells_.count() + k] = volumes[k] * velocity.dot(axis(1, k));
  }
  return state;
}

void FaceMomentum::add_velocity(const Points& vectors, State& state) const {
  const ConstBlock volumes = std::as_const(state)[volume()];
  Block momentum = state[velocity()];
  for (Index k = 0; k < cells_.count(); ++k) {
    const Vector3 v = vectors.col(k);
    momentum[k] += volumes[k] * v.dot(axis(0, k));
    momentum[cells_.count() + k] += volumes[k] * v.dot(axis(1, k));
  }
}

void FaceMomentum::compute_face_velocity(const FaceWater& water, Points& velocity) const {
  velocity.resize(3, cells_.count());
  for (Index k = 0; k < cells_.count(); ++k) {
    const Vector3 first = axis(0, k);
    velocity.col(k) = water.velocity_1[k] * first +
                      water.velocity_2[k] * Vector3(geometry_.face_normal.col(k)).cross(first);
  }
}

/// Computes depth and velocity from volume and momentum.
void FaceMomentum::compute_primitive(const State& state, FaceWater& water) const {
  const Index faces = cells_.count();
  const double *volumes = state[volume()].data(), *m1 = state[velocity()].data(), *m2 = m1 + faces;
  const double *area = cells_.area.data(), *inverse_area = inverse_area_.data();
  double *depth = water.depth.data(), *v1 = water.velocity_1.data(), *v2 = water.velocity_2.data();
  const double dry = options_.dry_depth;
  parallel_for(faces, [=](Index begin, Index end) {
#pragma omp simd
    for (Index k = begin; k < end; ++k) {
      const double inverse_volume = volumes[k] > dry * area[k] ? 1 / volumes[k] : 0;
      depth[k] = volumes[k] * inverse_area[k];
      v1[k] = m1[k] * inverse_volume;
      v2[k] = m2[k] * inverse_volume;
    }
  });
}

/// Replaces the wall fluxes at open edges by those of the boundary state; for still water that is the
/// pressure. The bed outside is that of the cell. Returns the cut-off part of outward discharges, m³/s.
double FaceMomentum::compute_open_fluxes(const FaceWater& water, const Forces& forces, EdgeLosses& losses,
                                         Vector& speed_excess) const {
  const OpenBoundary& open = forces.open_boundary;
  const Range own_edges = own(mesh_, Location::edge);
  return sum(mesh_, Range{0, open.places.size()}, [&](Index i) {
    const OpenBoundary::Place& place = open.places[i];
    const Index e = place.at;
    const double n1 = normal_left_1_[e], n2 = normal_left_2_[e], a = edge_acceleration(forces)[e];
    const auto [depth, normal, tangential] = state_left(water, e);
    const BoundaryFlux flux =
        boundary_flux(place.kind, open.value[place.set], bed_left(water, e), depth, normal, tangential, a);
    speed_excess[e] = length_[e] * std::max(0.0, flux.speed - std::abs(normal) - std::sqrt(a * depth));
    const double momentum = flux.momentum + a * weight_left(water, e);
    losses.volume[e] = length_[e] * flux.volume;
    losses.momentum_1[e] = length_[e] * (momentum * n1 - flux.tangential * n2);
    losses.momentum_2[e] = length_[e] * (momentum * n2 + flux.tangential * n1);
    return own_edges.has(place.edge) ? length_[e] * flux.lacking : 0;
  });
}

void FaceMomentum::add_open_edge(Index edge, Index set, BoundaryKind kind,
                                 Array<OpenBoundary::Place>& places) const {
  places.push_back({place_of_edge_[edge], edge, set, kind, geometry_.edge_length[edge]});
}

void FaceMomentum::add_through_places(const OpenBoundary& open, const EdgeLosses& losses, double scale,
                                      State& rate) const {
  add_through(
      open, [&](Index i) { return -scale * losses.volume[open.places[i].at]; }, rate[boundary_volume()]);
}

/// Adds the volume flux, and the momentum flux minus the hydrostatic pressure of the cell, which vanishes at
/// a wall with still water. The energy flux of small-amplitude waves is then η v·n a h.
void FaceMomentum::add_boundary_rates(const State& state, const Forces& forces, double scale, State& rate,
                                      Scratch& scratch) const {
  FaceScratch& s = of_faces(scratch);
  FaceWater& water = s.water;
  EdgeLosses& losses = s.losses;
  Block volume_rate = rate[volume()], momentum_rate = rate[velocity()];
  const Index faces = cells_.count();
  compute_primitive(state, water);
  reconstruct(forces, water);
  compute_open_fluxes(water, forces, losses, s.speed_excess);
  for (const OpenBoundary::Place& place : forces.open_boundary.places) {
    const Index e = place.at, l = left_[e];
    const double pressed = pressed_left(water, forces, e);
    volume_rate[l] -= scale * losses.volume[e];
    momentum_rate[l] -= scale * (losses.momentum_1[e] - pressed * normal_left_1_[e]);
    momentum_rate[faces + l] -= scale * (losses.momentum_2[e] - pressed * normal_left_2_[e]);
  }
  add_through_places(forces.open_boundary, losses, scale, rate);
}

/// With slopes, water passes an opening with the elevation h and velocity v of the trace, while the energy of
/// the cell changes with those of the mean, h̄ and v̄. To (g h̄ − ½v̄²) V_t + v̄·M_t this adds
///
///     (g (h − h̄) − ½ (v² − v̄²)) V_t + (v − v̄)·M_t,
///
/// so that smooth water brings or takes g h + ½v² per unit of mass.
double FaceMomentum::opening_power(const State& state, const Forces& forces, Terms terms,
                                   Scratch& scratch) const {
  const OpenBoundary& open = forces.open_boundary;
  if (!terms.has(Term::gravity) || open.flux_sets.empty()) return 0;
  FaceScratch& s = of_faces(scratch);
  FaceWater& water = s.water;
  EdgeLosses& losses = s.losses;
  compute_primitive(state, water);
  reconstruct(forces, water);
  if (water.traces.empty()) return 0;
  compute_open_fluxes(water, forces, losses, s.speed_excess);
  const Range own_edges = own(mesh_, Location::edge);
  return sum(mesh_, Range{0, open.places.size()}, [&](Index i) {
    const OpenBoundary::Place& place = open.places[i];
    if (!own_edges.has(place.edge)) return 0.0;
    const Index e = place.at, l = left_[e];
    const double n1 = normal_left_1_[e], n2 = normal_left_2_[e];
    const EdgeState trace = water.traces.state(e), mean = state_at(water, l, n1, n2);
    const double rise = (trace.depth - water.traces.bed[e]) - (mean.depth - cells_.bed[l]);
    const double volume_rate = -losses.volume[e],
                 normal_rate =
                     pressed_left(water, forces, e) - losses.momentum_1[e] * n1 - losses.momentum_2[e] * n2,
                 tangential_rate = losses.momentum_1[e] * n2 - losses.momentum_2[e] * n1;
    const auto square = [](const EdgeState& at) {
      return at.normal * at.normal + at.tangential * at.tangential;
    };
    return (edge_acceleration(forces)[e] * rise - 0.5 * (square(trace) - square(mean))) * volume_rate +
           (trace.normal - mean.normal) * normal_rate +
           (trace.tangential - mean.tangential) * tangential_rate;
  });
}

void FaceMomentum::add_rates(const State& state, const Forces& forces, Terms terms, double scale, State& rate,
                             Scratch& scratch) const {
  FaceScratch& s = of_faces(scratch);
  FaceWater& water = s.water;
  EdgeLosses& losses = s.losses;
  const Index faces = cells_.count();
  const ConstBlock volumes = state[volume()], momentum = state[velocity()];
  Block volume_rate = rate[volume()], momentum_rate = rate[velocity()];
  if (terms.has(Term::gravity)) {  // and advection, which is part of the same flux
    compute_primitive(state, water);
    reconstruct(forces, water);
    compute_fluxes(water, forces, losses);
    if (!forces.open_boundary.flux_sets.empty()) {
      const double lacking = compute_open_fluxes(water, forces, losses, s.speed_excess);
      add_through_places(forces.open_boundary, losses, scale, rate);
      rate[source_volume()][1] += scale * lacking;
    }
    face_sum_.add(losses.volume.data(), -scale, volume_rate.data());
    face_sum_.add(losses.momentum_1.data(), -scale, momentum_rate.data());
    face_sum_.add(losses.momentum_2.data(), -scale, momentum_rate.data() + faces);
  }
  if (terms.has(Term::force) && forces.has_body_force) {
    momentum_rate.head(faces) += scale * volumes.cwiseProduct(forces.body_force.head(faces));
    momentum_rate.tail(faces) += scale * volumes.cwiseProduct(forces.body_force.tail(faces));
  }
  if (terms.has(Term::coriolis) && forces.rotates) {
    momentum_rate.head(faces) += scale * forces.coriolis.cwiseProduct(momentum.tail(faces));
    momentum_rate.tail(faces) -= scale * forces.coriolis.cwiseProduct(momentum.head(faces));
  }
  if (terms.has(Term::friction) && forces.friction > 0) momentum_rate -= scale * forces.friction * momentum;
  if (terms.has(Term::source) && forces.has_inflow) {
    compute_primitive(state, water);
    const Vector& inflow = add_inflow(volumes, s.lacking_discharge, forces, scale, rate, s);
    if (forces.has_own_velocity)
      add_source_momentum(water, inflow, volumes, forces, scale, momentum_rate);
    else {
      momentum_rate.head(faces) += scale * inflow.cwiseProduct(water.velocity_1);
      momentum_rate.tail(faces) += scale * inflow.cwiseProduct(water.velocity_2);
    }
    if (forces.own) {  // null during exchange(), which adds water instantaneously
      compute_source_velocity(water, forces, s);
      for (Index k = 0; k < faces; ++k) {
        const double plain = inflow[k] - (forces.has_own_velocity ? forces.own_inflow[k] : 0);
        if (!(plain > 0)) continue;
        momentum_rate[k] += scale * plain * s.upstream_1[k];
        momentum_rate[faces + k] += scale * plain * s.upstream_2[k];
      }
    }
  }
}

/// M_t = sink · v + own · v_own for sinks and water that enters with its own velocity. The part of a sink
/// that exceeds sink_rate times the volume of the cell is taken from the entering water, so that the velocity
/// tends to v_own without overshooting.
void FaceMomentum::add_source_momentum(const FaceWater& water, const Vector& inflow,
                                       const ConstBlock& volumes, const Forces& forces, double scale,
                                       Block& momentum_rate) const {
  const Index faces = cells_.count();
  for (Index k = 0; k < faces; ++k) {
    const double own = forces.own_inflow[k], plain = inflow[k] - own;
    const double there = volumes[k] > 0 ? -forces.sink_rate * volumes[k] : 0;
    const double of_cell = plain < there ? there : plain, entering = own + (plain - of_cell);
    momentum_rate[k] += scale * (of_cell * water.velocity_1[k] + entering * forces.own_velocity[k]);
    momentum_rate[faces + k] +=
        scale * (of_cell * water.velocity_2[k] + entering * forces.own_velocity[faces + k]);
  }
}

/// Sets upstream = v_s − v, where v_s = v + ½ Fr (v_up − v), Fr = min(1, |v|/c): v_s is the mean velocity of
/// the water over the cell, v the velocity of the water that leaves it (finite_volume.md, Sources). v_up is
/// the mean over the edges with inflow; at a wall it is the part of v along the wall.
void FaceMomentum::compute_source_velocity(const FaceWater& water, const Forces& forces,
                                           FaceScratch& s) const {
  const Index faces = cells_.count();
  for (Vector* v : {&s.upstream_1, &s.upstream_2, &s.through}) v->setZero(faces);
  const auto add = [&](Index k, Index e, double out, double change_1, double change_2) {
    if (!(out < 0)) return;
    const double speed = std::hypot(water.velocity_1[k], water.velocity_2[k]),
                 c = std::sqrt(edge_acceleration(forces)[e] * std::max(0.0, water.depth[k]));
    const double weight = -length_[e] * out, part = 0.5 * speed / std::max(speed, c);
    s.through[k] += weight;
    s.upstream_1[k] += weight * part * change_1;
    s.upstream_2[k] += weight * part * change_2;
  };
  for (Index e = inner_edges_; e < mesh_.edge_count(); ++e) {
    const Index l = left_[e];
    const double n1 = normal_left_1_[e], n2 = normal_left_2_[e],
                 out = water.velocity_1[l] * n1 + water.velocity_2[l] * n2;
    add(l, e, out, -out * n1, -out * n2);
  }
  // entering water has the velocity of the cell
  for (const OpenBoundary::Place& place : forces.open_boundary.places) {
    const Index e = place.at, l = left_[e];
    const double n1 = normal_left_1_[e], n2 = normal_left_2_[e],
                 out = water.velocity_1[l] * n1 + water.velocity_2[l] * n2;
    add(l, e, out, out * n1, out * n2);
    s.through[l] += length_[e] * std::min(0.0, out);
  }
  for (Index e = 0; e < inner_edges_; ++e) {
    const Index l = left_[e], r = right_[e];
    const double n1 = normal_left_1_[e], n2 = normal_left_2_[e], m1 = normal_right_1_[e],
                 m2 = normal_right_2_[e];
    const double u_l = water.velocity_1[l] * n1 + water.velocity_2[l] * n2,
                 w_l = water.velocity_2[l] * n1 - water.velocity_1[l] * n2;
    const double u_r = water.velocity_1[r] * m1 + water.velocity_2[r] * m2,
                 w_r = water.velocity_2[r] * m1 - water.velocity_1[r] * m2;
    const double u = u_r - u_l, w = w_r - w_l;
    add(l, e, u_l, u * n1 - w * n2, u * n2 + w * n1);
    add(r, e, -u_r, -(u * m1 - w * m2), -(u * m2 + w * m1));
  }
  for (Index k = 0; k < faces; ++k)
    if (s.through[k] > 0) {
      s.upstream_1[k] /= s.through[k];
      s.upstream_2[k] /= s.through[k];
    }
}

/// Rotates the momentum by the angle −f_c dt in each face.
void FaceMomentum::apply_coriolis(double dt, const Forces& forces, State& state, Scratch& /*scratch*/) const {
  if (!forces.rotates) return;
  const Index faces = cells_.count();
  double *m1 = state[velocity()].data(), *m2 = m1 + faces;
  parallel_for(faces, [&](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) {
      const Tangent turned = std::polar(1.0, -dt * forces.coriolis[k]) * Tangent(m1[k], m2[k]);
      m1[k] = turned.real();
      m2[k] = turned.imag();
    }
  });
}

/// Without this, a triangle that stays just below dry_depth would gather momentum without moving.
void FaceMomentum::stop_on_dry_land(State& state, const Forces& /*forces*/, Scratch& /*scratch*/) const {
  const Index faces = cells_.count();
  const ConstBlock volumes = std::as_const(state)[volume()];
  Block momentum = state[velocity()];
  for (Index k = 0; k < faces; ++k)
    if (!(volumes[k] > options_.dry_depth * cells_.area[k])) momentum[k] = momentum[faces + k] = 0;
}

BedFriction::SiteFlow FaceMomentum::site_flow(const State& state, const Forces& /*forces*/,
                                              Scratch& scratch) const {
  FaceScratch& s = of_faces(scratch);
  compute_primitive(state, s.water);
  const double *v1 = s.water.velocity_1.data(), *v2 = s.water.velocity_2.data();
  double* speed = s.speed.data();
  parallel_for(cells_.count(), [=](Index begin, Index end) {
    for (Index k = begin; k < end; ++k) speed[k] = std::sqrt(v1[k] * v1[k] + v2[k] * v2[k]);
  });
  return {s.water.depth, s.speed};
}

double FaceMomentum::stable_dt(const State& state, const Forces& forces, Terms terms,
                               Scratch& scratch) const {
  FaceScratch& s = of_faces(scratch);
  compute_primitive(state, s.water);
  reconstruct(forces, s.water);
  compute_speeds(s.water, forces, s.speed);
  if (!forces.open_boundary.flux_sets.empty()) compute_open_fluxes(s.water, forces, s.losses, s.speed_excess);
  const double of_edge = s.water.traces.empty() ? 1 : 3;  // as in FiniteVolume::add_speed()
  for (const OpenBoundary::Place& place : forces.open_boundary.places)
    s.speed[left_[place.at]] += of_edge * s.speed_excess[place.at];
  const double dt = min(mesh_, cells_, [&](Index k) {
    return s.speed[k] > 0 ? cells_.area[k] / s.speed[k] : std::numeric_limits<double>::infinity();
  });
  double frequency = terms.has(Term::friction) ? forces.friction : 0;
  if (terms.has(Term::coriolis) && forces.rotates)
    frequency += max(mesh_, cells_, forces.coriolis.cwiseAbs());
  return frequency > 0 ? 1 / (1 / dt + frequency / 2) : dt;
}

std::vector<ClampCount> FaceMomentum::clamp_counts(const State& state, const Forces& forces,
                                                   Scratch& scratch) const {
  std::vector<ClampCount> counts = Discretization::clamp_counts(state, forces, scratch);
  FaceWater& water = of_faces(scratch).water;
  compute_primitive(state, water);
  reconstruct(forces, water);
  count_critical(forces.open_boundary.places, counts, [&](const OpenBoundary::Place& place) {
    const EdgeState inside = state_left(water, place.at);
    return enters_critically(forces.open_boundary.value[place.set].value, inside.depth, inside.normal,
                             edge_acceleration(forces)[place.at]);
  });
  counts.push_back({"dry_cells",
                    count(mesh_, cells_, [&](Index k) { return water.depth[k] <= options_.dry_depth; }),
                    false});
  return counts;
}

double FaceMomentum::kinetic_energy(const State& state, Scratch& /*scratch*/) const {
  const double *volumes = state[volume()].data(), *m1 = state[velocity()].data(), *m2 = m1 + cells_.count();
  const double* area = cells_.area.data();
  const double dry = options_.dry_depth;
  return 0.5 * sum(mesh_, cells_, [=](Index k) {
           const double inverse_volume = volumes[k] > dry * area[k] ? 1 / volumes[k] : 0;
           return m1[k] * (m1[k] * inverse_volume) + m2[k] * (m2[k] * inverse_volume);
         });
}

}  // namespace shoal
