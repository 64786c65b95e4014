// Vorticity, head and momentum at boundaries with flux.
#include "discretizations/fefv/fefv.hpp"

#include <cmath>
#include <limits>

namespace shoal {

/// ζ where water enters: zero if it enters from rest; if it has a prescribed velocity, the dual cell is
/// closed along the edge with the tangential component of that velocity. Where water leaves, ζ is that of the
/// interior.
void Fefv::open_vorticity(const ConstBlock& flow, const Array<Crossing>& crossings, Vector& vorticity,
                          FefvScratch& s) const {
  for (const Crossing& crossing : crossings) {
    if (!crossing.enters) continue;
    const OpenBoundary::Place& place = crossing.place;
    if (!crossing.brings_velocity()) {
      vorticity[place.at] = 0;
      continue;
    }
    const Index k = mesh_.edge_faces(0, place.edge);
    const double inside = 0.5 * velocity_vector(flow, k).dot(geometry_.edge_vector(mesh_, place.edge));
    vorticity[place.at] -= inverse_area_[place.at] * (place.length * crossing.tangential + inside);
  }
  if (!crossings.empty()) extrapolate_vorticity(mesh_, geometry_.face_area, crossings, vorticity, s);
}

/// Water that enters a triangle with its own velocity mixes with the water there, v_t = −(q ℓ/(ηA)) (v −
/// v_outside): the part of an upwind momentum flux that is missing in head and vorticity.
void Fefv::add_entering_momentum(const ConstBlock& flow, const Array<Crossing>& crossings,
                                 double* rates) const {
  const Index faces = mesh_.face_count();
  for (const Crossing& crossing : crossings) {
    if (!crossing.brings_velocity()) continue;
    const Index k = mesh_.edge_faces(0, crossing.place.edge);
    const Vector3 along = geometry_.edge_vector(mesh_, crossing.place.edge).normalized();
    const Vector3 outside =
        crossing.velocity_outside(along.cross(Vector3(geometry_.face_normal.col(k))), along);
    const Vector3 rate = crossing.speed * crossing.place.length / geometry_.face_area[k] *
                         (velocity_vector(flow, k) - outside);
    rates[k] += rate.dot(area_gradient(mesh_, geometry_, k, 1)) / geometry_.face_area[k];
    rates[faces + k] += rate.dot(area_gradient(mesh_, geometry_, k, 2)) / geometry_.face_area[k];
  }
}

/// K at a vertex from the velocities of the triangles around it.
double Fefv::inside_head(const ConstBlock& flow, const Vector& site_depth, Index vertex) const {
  double sum = 0;
  for (Index r = mesh_.ring_start[vertex]; r < mesh_.ring_start[vertex + 1]; ++r) {
    const Index k = mesh_.ring_corner[r] / 3;
    if (site_depth[k] > 0) sum += geometry_.face_area[k] / 6 * velocity_vector(flow, k).squaredNorm();
  }
  return inverse_area_[vertex] * sum;
}

/// The part of K due to the velocity component along `direction`, ½(v·direction)², averaged in the same way.
double Fefv::mean_square(const ConstBlock& flow, const Vector& site_depth, Index vertex,
                         const Vector3& direction) const {
  double sum = 0;
  for (Index r = mesh_.ring_start[vertex]; r < mesh_.ring_start[vertex + 1]; ++r) {
    const Index k = mesh_.ring_corner[r] / 3;
    const double part = velocity_vector(flow, k).dot(direction);
    if (site_depth[k] > 0) sum += geometry_.face_area[k] / 6 * part * part;
  }
  return inverse_area_[vertex] * sum;
}

/// Replaces `head` at crossings, given the interior head; several crossings at a vertex are averaged,
/// weighted by their fluxes.
void Fefv::open_head(const ConstBlock& flow, const Vector& site_depth, const Array<Crossing>& crossings,
                     Vector& head, FefvScratch& s) const {
  if (crossings.empty()) return;
  if (s.outside.cols() == 0) s.outside.setZero(3, mesh_.vertex_count);
  for (const Crossing& crossing : crossings) s.outside.col(crossing.place.at).setZero();
  for (const Crossing& crossing : crossings) {
    const Index vertex = crossing.place.at, e = crossing.place.edge;
    const Vector3 normal = geometry_.edge_vector(mesh_, e).normalized().cross(
        Vector3(geometry_.face_normal.col(mesh_.edge_faces(0, e))));
    const double weight =
        crossing.place.length * (std::abs(crossing.flux()) + std::numeric_limits<double>::min());
    s.outside.col(vertex) +=
        weight * Vector3(1, crossing.head(head[vertex], mean_square(flow, site_depth, vertex, normal)), 0);
  }
  for (const Crossing& crossing : crossings) {
    const Index vertex = crossing.place.at;
    head[vertex] = s.outside(1, vertex) / s.outside(0, vertex);
  }
}

/// The interior head K changes the energy at the rate Σ K V_t, where V_t is the flux from the interior; the
/// gradient −G K' removes Σ K' D u. The difference is Σ (K − K') V_t at openings.
double Fefv::opening_power(const State& state, const Forces& forces, Terms terms, Scratch& scratch) const {
  if (!terms.has(Term::advection) || !forces.open_boundary.any()) return 0;
  FefvScratch& s = of_fefv(scratch);
  const Array<Crossing>& crossings = find_crossings(state, forces, s);
  const Films& films = update_films(state, forces, s);
  const ConstBlock flow = state[velocity()];
  const Vector& depth = s.site_depth;
  site_depth(state[volume()], s.site_depth, s);
  s.others.setZero(2 * mesh_.face_count());
  add_entering_momentum(flow, crossings, s.others.data());
  weigh_with_depth(s.cell_depth, depth, s.volume_weight, s.vertex_weight);
  if (projects_apart(forces)) project_others(films, s);
  const double of_momentum = power(flow, s.others.data(), s.volume_weight);
  Vector& inflow = s.vertex_weight;
  inflow.setZero(mesh_.vertex_count);
  add_flux(state, forces, 1, inflow, s);
  s.head.resize(mesh_.vertex_count);
  for (const Crossing& crossing : crossings)
    s.head[crossing.place.at] = inside_head(flow, depth, crossing.place.at);
  open_head(flow, depth, crossings, s.head, s);
  const Range own_vertices = own(mesh_, Location::vertex);
  return of_momentum + sum(mesh_, Range{0, crossings.size()}, [&](Index i) {
           const Index vertex = crossings[i].place.at;
           if (s.outside(2, vertex) != 0 || !own_vertices.has(vertex)) return 0.0;
           s.outside(2, vertex) = 1;  // counted
           if (films.any && films.in_film[vertex]) return 0.0;
           return (inside_head(flow, depth, vertex) - s.head[vertex]) * inflow[vertex];
         });
}

}  // namespace shoal
