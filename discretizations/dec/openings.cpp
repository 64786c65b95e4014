// What water that crosses the boundary does to vorticity, head and momentum.
#include "discretizations/dec/dec.hpp"

#include <cmath>
#include <limits>

namespace shoal {

[[gnu::noinline]] void Dec::find_openings(const State& state, const Forces& forces) const {
  openings_.clear();
  find_crossings(state, forces);
  for (const Crossing& crossing : crossings_) {
    const Index e = crossing.place.edge;
    const Tangent turn = face_turn_[triangulation_.mesh.edge_faces(0, e)];
    const double length = crossing.place.length, across = part_length(e, 0);
    openings_.push_back(
        {crossing, length * unfolded_arm(e, 0, across) * turn, length * along(e, 0) * turn, length * across});
  }
}

/// Water that enters a cell with its own velocity mixes with the water there, u_t = −(d_T/d_e) (q ℓ/(ηA)) (u − v·n): what an
/// upwind flux of momentum has more than the head and the vorticity of that water. Adds its power, with site_depth_.
void Dec::add_entering_momentum(VectorIn flow, double scale, VectorOut out, ExactSum* power) const {
  const Range own = own_sites();
  for (const Opening& opening : openings_) {
    const Crossing& crossing = opening.crossing;
    if (!brings_velocity(crossing)) continue;
    const Index cell = opening.cell(), e = crossing.place.edge;
    const double frequency = -crossing.speed * crossing.place.length * inverse_area_[cell];
    const Vector3 normal = outward_normal(e, 0);
    const Vector3 along = geometry_.edge_vector(mesh_, e).normalized();
    const Vector3 outside = velocity_outside(crossing, normal, along);
    for (Index i = first_site_[cell]; i < first_site_[cell + 1]; ++i) {
      const Index s = sites_of_cell_[i] % sites(), side = sites_of_cell_[i] / sites();
      const double part = side == 0 ? left_part_[s] : 1 - left_part_[s];
      const double rate =
          -part * frequency * (flow[s] - outside.dot(outward_normal(edge_of(s), static_cast<int>(side))));
      out[s] += scale * rate;
      if (power && own.has(s)) power->add(site_length_[s] * site_dual_[s] * site_depth_[s] * flow[s] * rate);
    }
  }
}

/// head_ at openings, where it is that of the sites, and sum_x_, sum_y_ are the moments of the velocity: of several at a cell
/// the mean.
void Dec::open_head() const {
  if (openings_.empty()) return;
  if (outside_.cols() == 0) outside_.setZero(3, cells_.count());
  for (const Opening& opening : openings_) {
    outside_.col(opening.cell()).setZero();
    head_[opening.cell()] += 0.5 * opening.across * opening.crossing.speed * opening.crossing.speed;
  }
  for (const Opening& opening : openings_) {
    const Crossing& crossing = opening.crossing;
    const Index cell = opening.cell();
    const Tangent normal = opening.edge * Tangent(0, -1) / std::abs(opening.edge);
    const double out = inverse_area_[cell] * (sum_x_[cell] * normal.real() + sum_y_[cell] * normal.imag());
    const double weight =
        crossing.place.length * (std::abs(crossing.flux()) + std::numeric_limits<double>::min());
    outside_.col(cell) +=
        weight * Vector3(1, head_at(crossing, inverse_area_[cell] * head_[cell], 0.5 * out * out), 0);
  }
  for (const Opening& opening : openings_) {
    const Index cell = opening.cell();
    head_[cell] = cells_.area[cell] * outside_(1, cell) / outside_(0, cell);
  }
}

/// K of the sites counts by what enters the cells, Σ K V_t; −G K' takes Σ K' D u, with the K' that openings change. And
/// (ζ/H) n×M, which has no power on M, has one on the part of M that is of the sites.
double Dec::opening_power(const State& state, const Forces& forces, Terms terms) const {
  const bool advects = terms.has(Term::advection), turns = terms.has(Term::coriolis) && forces.rotates;
  if (!advects && !turns) return 0;
  if (forces.open_boundary.flux_sets.empty() && forces.open_boundary.source_sets.empty()) return 0;
  find_openings(state, forces);
  if (advects) look_for_films(state, forces);
  const ConstBlock flow = state[velocity()];
  site_depth(state[volume()], site_depth_);
  const Range own_cells = own(mesh_, cells_);
  ExactSum power;
  if (advects) {
    compute_vorticity(flow);
    leave_films_to_transport();
    compute_head(flow);
    factor_ = head_;
    open_head();
    sum_.setZero(cells_.count());
    add_flux(state, forces, 1, sum_);
    for (const Opening& opening : openings_) {
      const Index cell = opening.cell();
      if (outside_(2, cell) != 0) continue;  // the other of two openings
      outside_(2, cell) = 1;
      if ((has_films_ && in_film_[cell]) || !own_cells.has(cell)) continue;
      power.add((factor_[cell] - head_[cell]) * inverse_area_[cell] * sum_[cell]);
    }
    if (turns) cell_vorticity_ += forces.coriolis;
    term_.setZero(sites());
    add_entering_momentum(flow, 1, term_, &power);
  }
  weigh_vorticity(advects ? cell_vorticity_ : forces.coriolis);
  sum_moments(site_depth_, flow);
  for (const Opening& opening : openings_) {
    const Tangent through = opening.crossing.flux() * opening.moment;
    if (!own_cells.has(opening.cell())) continue;
    power.add(factor_[opening.cell()] *
              (sum_x_[opening.cell()] * through.imag() - sum_y_[opening.cell()] * through.real()));
  }
  openings_.clear();
  add_up(mesh_, &power, 1);
  return power.value();
}

}  // namespace shoal
