// What water that crosses the boundary does to vorticity, head and momentum.
#include "discretizations/fefv/fefv.hpp"

#include <cmath>
#include <limits>

namespace shoal {

void Fefv::find_entering(const State& state, const Forces& forces) const {
  entering_.clear();
  find_crossings(state, forces);
  for (Index i = 0; i < crossings_.size(); ++i)
    if (crossings_[i].enters) entering_.push_back(i);
}

/// ζ of water that enters: zero where it comes from rest; where it brings a velocity the dual cell is closed along the edge
/// with the tangential part of that. Where water leaves it is that of the interior.
void Fefv::open_vorticity(const ConstBlock& flow) const {
  for (const Index i : entering_) {
    const OpenBoundary::Place& place = crossings_[i].place;
    if (!brings_velocity(crossings_[i])) {
      vorticity_[place.at] = 0;
      continue;
    }
    const Index k = mesh_.edge_faces(0, place.edge);
    const double inside = 0.5 * velocity_vector(flow, k).dot(geometry_.edge_vector(mesh_, place.edge));
    vorticity_[place.at] -= inverse_area_[place.at] * (place.length * crossings_[i].tangential + inside);
  }
  if (!crossings_.empty()) let_vorticity_leave(mesh_, geometry_.face_area, vorticity_);
}

/// Water that enters a triangle with its own velocity mixes with the water there, v_t = −(q ℓ/(ηA)) (v − v_outside): what
/// an upwind flux of momentum has more than the head and the vorticity of that water.
void Fefv::add_entering_momentum(const ConstBlock& flow, double* rates) const {
  const Index faces = mesh_.face_count();
  for (const Index i : entering_) {
    const Crossing& crossing = crossings_[i];
    if (!brings_velocity(crossing)) continue;
    const Index k = mesh_.edge_faces(0, crossing.place.edge);
    const Vector3 along = geometry_.edge_vector(mesh_, crossing.place.edge).normalized();
    const Vector3 outside =
        velocity_outside(crossing, along.cross(Vector3(geometry_.face_normal.col(k))), along);
    const Vector3 rate = crossing.speed * crossing.place.length / geometry_.face_area[k] *
                         (velocity_vector(flow, k) - outside);
    rates[k] += rate.dot(area_gradient(mesh_, geometry_, k, 1)) / geometry_.face_area[k];
    rates[faces + k] += rate.dot(area_gradient(mesh_, geometry_, k, 2)) / geometry_.face_area[k];
  }
}

/// K of the triangles around a vertex.
double Fefv::inside_head(const ConstBlock& flow, Index vertex) const {
  double sum = 0;
  for (Index r = mesh_.ring_start[vertex]; r < mesh_.ring_start[vertex + 1]; ++r) {
    const Index k = mesh_.ring_corner[r] / 3;
    if (site_depth_[k] > 0) sum += geometry_.face_area[k] / 6 * velocity_vector(flow, k).squaredNorm();
  }
  return inverse_area_[vertex] * sum;
}

/// The mean of ½(v·direction)² there.
double Fefv::mean_square(const ConstBlock& flow, Index vertex, const Vector3& direction) const {
  double sum = 0;
  for (Index r = mesh_.ring_start[vertex]; r < mesh_.ring_start[vertex + 1]; ++r) {
    const Index k = mesh_.ring_corner[r] / 3;
    const double part = velocity_vector(flow, k).dot(direction);
    if (site_depth_[k] > 0) sum += geometry_.face_area[k] / 6 * part * part;
  }
  return inverse_area_[vertex] * sum;
}

/// head_ at crossings, where it is that of the inside: of several at a vertex the mean.
void Fefv::open_head(const ConstBlock& flow) const {
  if (crossings_.empty()) return;
  if (outside_.cols() == 0) outside_.setZero(3, mesh_.vertex_count);
  for (const Crossing& crossing : crossings_) outside_.col(crossing.place.at).setZero();
  for (const Crossing& crossing : crossings_) {
    const Index vertex = crossing.place.at, e = crossing.place.edge;
    const Vector3 normal = geometry_.edge_vector(mesh_, e).normalized().cross(
        Vector3(geometry_.face_normal.col(mesh_.edge_faces(0, e))));
    const double weight =
        crossing.place.length * (std::abs(crossing.flux()) + std::numeric_limits<double>::min());
    outside_.col(vertex) +=
        weight * Vector3(1, head_at(crossing, head_[vertex], mean_square(flow, vertex, normal)), 0);
  }
  for (const Crossing& crossing : crossings_) {
    const Index vertex = crossing.place.at;
    head_[vertex] = outside_(1, vertex) / outside_(0, vertex);
  }
}

/// K of the inside counts by what enters the cells, Σ K V_t; −G K' takes Σ K' D u. Between them are what comes from the
/// interior and the difference of both at openings.
double Fefv::opening_power(const State& state, const Forces& forces, Terms terms) const {
  const OpenBoundary& open = forces.open_boundary;
  if (!terms.has(Term::advection) || (open.flux_sets.empty() && open.source_sets.empty())) return 0;
  find_entering(state, forces);
  look_for_films(state, forces);
  const ConstBlock flow = state[velocity()];
  site_depth(state[volume()], site_depth_);
  others_.setZero(2 * mesh_.face_count());
  add_entering_momentum(flow, others_.data());
  weigh_with_depth();
  const double of_momentum = power(flow, others_.data());
  vertex_weight_.setZero(mesh_.vertex_count);
  add_flux(state, forces, 1, vertex_weight_);
  head_.resize(mesh_.vertex_count);
  for (const Crossing& crossing : crossings_) head_[crossing.place.at] = inside_head(flow, crossing.place.at);
  open_head(flow);
  const Range own_vertices = own(mesh_, Location::vertex);
  return of_momentum + sum(mesh_, Range{0, crossings_.size()}, [&](Index i) {
           const Index vertex = crossings_[i].place.at;
           if (outside_(2, vertex) != 0 || !own_vertices.has(vertex)) return 0.0;
           outside_(2, vertex) = 1;  // seen
           if (has_films_ && in_film_[vertex]) return 0.0;
           return (inside_head(flow, vertex) - head_[vertex]) * vertex_weight_[vertex];
         });
}

}  // namespace shoal
